"""`manage.py review_generated`: all pending texts that have something in common."""

import pytest

from tasks.models import Campaign, GeneratedText, Item
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.management.conftest import Manage
from tests.tasks.prefill.drafts import draft, states


@pytest.fixture
def classes(db: None) -> Campaign:
    campaign = make_campaign("classes", protocol="cap")
    make_item(campaign, references=("in the hills",))
    make_member(campaign, "admin", "elm")
    for text, target in (("in hills", "partial"), ("northern", "partial"), ("no", "invalid")):
        draft(campaign, text, target=target)
    return campaign


def test_texts_of_a_class_become_items_by_whom_it_names(manage: Manage, classes: Campaign) -> None:
    asked = ("review_generated", "classes", "approve", "--by", "elm", "--target", "partial")
    assert manage.json(*asked, "--dry-run") == {"texts": 2}
    assert states(classes) == ["pending"] * 3
    assert manage.json(*asked) == {"texts": 2, "items_created": 2, "items_existing": 0}
    assert states(classes) == ["approved", "approved", "pending"]
    assert list(Item.objects.filter(intended="partial").values_list("candidate", flat=True)) == [
        "in hills",
        "northern",
    ]
    reviewers = GeneratedText.objects.filter(state="approved").values_list("reviewed_by__name")
    assert set(reviewers) == {("elm",)}
    told = manage.json("review_generated", "classes", "reject", "--by", "elm", "--system", "other")
    assert told == {"texts": 0, "rejected": 0}
    told = manage.json("review_generated", "classes", "reject", "--by", "elm")
    assert told == {"texts": 1, "rejected": 1}


def test_only_an_admin_reviews(manage: Manage, classes: Campaign) -> None:
    make_member(classes, "researcher", "ash")
    for name in ("ash", "nobody"):
        refused = manage.error("review_generated", "classes", "approve", "--by", name)
        assert refused == f"CommandError: {name!r} is not an admin of classes\n"
    assert states(classes) == ["pending"] * 3


def test_pairs_are_parted_by_what_the_second_verdict_is(manage: Manage, db: None) -> None:
    campaign = make_campaign("by-rule", protocol="rules")
    make_item(campaign)
    make_member(campaign, "admin", "elm")
    said = {"kind": "rules", "target": "aliasing/correct"}
    draft(campaign, "a", **said)
    draft(campaign, "b", **said, provenance={"written_for": "aliasing/incorrect"})
    ask = ("review_generated", "by-rule", "approve", "--by", "elm", "--second-verdict")
    assert manage.json(*ask, "differs", "--dry-run") == {"texts": 1}
    assert manage.json(*ask, "same")["texts"] == 1
    assert states(campaign) == ["approved", "pending"]
