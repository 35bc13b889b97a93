"""Campaigns for servers under test, and what is in the database afterwards."""

import json
from typing import Any

from tests.site import Site

_MAKE = """
import json
from tomahto.interchange.reading.records import ItemRow, Source
from tasks.models import ApiToken, User
from tasks.campaigns.workflow.campaign import add_member, create_campaign
from tasks.intake.workflow.items import import_items

campaign = create_campaign(slug={slug!r}, protocol="ae", overlap={overlap})
import_items(campaign=campaign, rows=[
    ItemRow(Source("items", n), f"item-{{n}}", None, f"document-{{n % 7}}", f"Question {{n}}?",
            "A passage.", (f"reference {{n}}",), f"candidate {{n}}", ("juniper",))
    for n in range({items})
])
tokens = []
for n in range({raters}):
    user = User.objects.create(username=f"{slug}-{{n}}")
    add_member(campaign=campaign, user=user, role="rater")
    tokens.append(ApiToken.issue(user))
print(json.dumps(tokens))
"""

_LOOK = """
import json
from tasks.models import Campaign, Rating, Slot
from tasks.votes.ratings import counted_ratings, current_ratings
campaign = Campaign.objects.get(slug="races")
print(json.dumps({
    "ratings": sorted(Rating.objects.values_list("id", flat=True)),
    "counted": list(counted_ratings(campaign).values_list("item_id", "rater_id")),
    "current": list(current_ratings(campaign).values_list("item_id", "rater_id")),
    "filled": Slot.objects.filter(is_filled=True).count(),
}))
"""


def make_campaign(
    site: Site, *, items: int, overlap: int, raters: int, slug: str = "races"
) -> list[str]:
    """A campaign; returns a token for each of its raters."""
    code = _MAKE.format(items=items, overlap=overlap, raters=raters, slug=slug)
    tokens: list[str] = json.loads(site.python(code))
    return tokens


def look(site: Site) -> dict[str, Any]:
    """The database's rows of the campaign."""
    found: dict[str, Any] = json.loads(site.python(_LOOK))
    return found
