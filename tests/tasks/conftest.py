"""A small campaign to work on: built by the product's own workflow, never by hand."""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from types import MappingProxyType

import pytest
from django.conf import settings as site
from django.db.models.functions import Now

from tasks.campaigns.workflow.campaign import add_member
from tasks.models import Campaign, Membership, User
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tests.factories import make_campaign as new_campaign
from tests.http_server import LocalServer, local_server
from tests.stored_at_once import store_items
from tests.tasks.api_client import as_member
from tests.tasks.browsers import (
    admin,
    campaign,
    operating_admin,
    operator,
    rater,
    researcher,
    stranger,
)
from tomahto.interchange.reading.records import ItemRow, RatingRow, Source
from tomahto.outgoing.configuration import configure_outgoing

__all__ = [
    "admin",
    "as_member",
    "campaign",
    "operating_admin",
    "operator",
    "rater",
    "researcher",
    "stranger",
]

MakeCampaign = Callable[..., Campaign]
MakeMember = Callable[..., Membership]

YES_DIFFERENT = {"q1": True}
EQUIVALENT = {"q1": False, "q2": True}
LOSES = {"q1": False, "q2": False, "q3": True, "q4": False}


def item_row(number: int, **changes: object) -> ItemRow:
    row = {
        "source": Source("items.jsonl", number),
        "id": f"item-{number}",
        "question_key": f"question-{number}",
        "document": f"document-{number % 3}",
        "question": f"Question {number}?",
        "context": f"Passage {number}.",
        "references": (f"reference {number}",),
        "candidate": f"candidate {number}",
        "systems": ("juniper",),
    }
    return ItemRow(**{**row, **changes})  # type: ignore[arg-type]  # named fields of the row


def rating_row(number: int, rater: str, label: str | None = None, **changes: object) -> RatingRow:
    row = {
        "source": Source("ratings.jsonl", number),
        "item": None,
        "item_id": f"item-{number}",
        "rater": rater,
        "label": label,
    }
    return RatingRow(**{**row, **changes})  # type: ignore[arg-type]  # named fields of the row


def deleted_long_ago(campaign: Campaign, *, days: float) -> None:
    """Let so many days pass on the database's clock since the campaign was deleted."""
    moment = Now() - timedelta(days=days)
    Campaign.objects.filter(pk=campaign.pk).update(deleted_at=moment)


def rate_next(
    membership: Membership, answers: Mapping[str, object] = MappingProxyType(EQUIVALENT)
) -> str | None:
    """Let a rater claim and rate the next item; its key, None when nothing is left."""
    claim = claim_item(membership=membership)
    if claim is None:
        return None
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=membership,
        answers=answers,
        idempotency_key=f"key-{claim.assignment_id}",
    )
    return claim.item.key


@pytest.fixture
def server() -> Iterator[LocalServer]:
    """A receiver on this machine, to which the site may send."""
    with local_server() as server:
        configure_outgoing([server.allowed])
        yield server
    configure_outgoing(site.OUTGOING_ALLOWED)


@pytest.fixture
def make_campaign(db: None) -> MakeCampaign:
    def make(items: int = 3, overlap: int = 2, protocol: str = "ae", **more: object) -> Campaign:
        slug = f"campaign-{Campaign.objects.count() + 1}"
        campaign = new_campaign(slug, protocol=protocol, overlap=overlap)
        for name, value in more.items():
            setattr(campaign, name, value)
        campaign.save()
        store_items(campaign, [item_row(n) for n in range(1, items + 1)])
        return campaign

    return make


@pytest.fixture
def make_member(db: None) -> MakeMember:
    def make(campaign: Campaign, name: str = "", role: str = "rater") -> Membership:
        username = name or f"person-{User.objects.count() + 1}"
        user = User.objects.filter(username=username).first() or User.objects.create_user(username)
        return add_member(campaign=campaign, user=user, role=role)

    return make
