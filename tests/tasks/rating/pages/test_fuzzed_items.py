"""Whatever item import admits, every page that shows items shows it: no error, and in a moment."""

import json
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tasks.adjudication.workflow import adjudicate
from tasks.intake.workflow.items import import_items
from tasks.models import Campaign, Flag, Item
from tests.extent import IS_LONG
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.rating.pages.test_hard_items import EXACT, INVALID, quickest, rated_by
from tests.tasks.rating.shown.hard_texts import HardText, hard_texts
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.reading.records import InputError

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

SECONDS = 1.5  # of processor time, the best of three
EXAMPLES = 200 if IS_LONG else 4
_SMALL = 2_000  # characters of what is not the passage: pages have many texts


@settings(max_examples=EXAMPLES, phases=(Phase.generate,))
@given(hard_texts, st.lists(hard_texts, min_size=1, max_size=3), hard_texts, st.booleans())
def test_every_page_shows_whatever_item_import_admits(
    passage: HardText, references: list[HardText], candidate: HardText, is_markdown: bool
) -> None:
    fields = {
        "question": candidate.upto(_SMALL),
        "context": passage.upto(15_000),
        "references": [each.upto(_SMALL) for each in references],
        "candidate": candidate.upto(_SMALL),
        "document": passage.upto(60),
        "systems": [candidate.upto(40)],
    }
    with transaction.atomic():
        campaign = make_campaign("rivers", protocol="cap", overlap=3)
        Campaign.objects.update(passages_are_markdown=is_markdown, adjudicates_blind=False)
        if _is_imported(campaign, fields):
            took = {
                address: quickest(partial(_show, client, address))
                for client, address in _pages(campaign)
            }
            assert {page: spent for page, spent in took.items() if spent > SECONDS} == {}
        transaction.set_rollback(True)


def _is_imported(campaign: Campaign, fields: Mapping[str, object]) -> bool:
    with TemporaryDirectory() as folder:
        path = Path(folder, "items.jsonl")
        path.write_text(json.dumps({"id": "hard", **fields}))
        try:
            (row,) = read_items(path, format=None, name=path.name)
            import_items(campaign=campaign, rows=[row])
        except InputError:
            return False
    return True


def _pages(campaign: Campaign) -> list[tuple[Client, str]]:
    """Who sees the item where, once it is rated, flagged and adjudicated."""
    pine, ash, elm = (make_member(campaign, "rater", each) for each in ("pine", "ash", "elm"))
    oak, fern = (make_member(campaign, "admin", each) for each in ("oak", "fern"))
    assignment = rated_by(pine, EXACT)
    rated_by(ash, INVALID)
    item = Item.objects.get(key="hard")
    Flag.objects.create(item=item, rater=pine, reason="broken")
    fern.campaign.refresh_from_db()
    adjudicate(item=item, adjudicator=fern, answers=EXACT, reason="so", idempotency_key="decision")
    rater, reviser, admin = (signed_in(each) for each in (elm, pine, oak))
    base, api = "/c/rivers", "/api/v1/campaigns/rivers"
    return [
        (rater, f"{base}/rate/"),
        (reviser, f"{base}/rate/{assignment}/"),
        (reviser, f"{base}/history/"),
        (admin, f"{base}/items/"),
        (admin, f"{base}/items/{item.pk}/"),
        (admin, f"{base}/flags/"),
        (admin, f"{base}/agreement/classes/exact/invalid/"),
        (admin, f"{base}/agreement/labels/"),
        (admin, f"{base}/agreement/systems/"),
        (admin, f"{base}/adjudicate/"),
        (admin, f"{base}/adjudicate/{item.pk}/"),
        (admin, f"{base}/adjudicate/decided/"),
        (admin, f"{base}/releases/new/"),
        (admin, f"{base}/releases/ratings.jsonl"),
        (admin, f"{api}/items"),
        (admin, f"{api}/items/{item.pk}"),
        (admin, f"{api}/ratings/export"),
    ]


def _show(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, address
    assert answer.getvalue()
