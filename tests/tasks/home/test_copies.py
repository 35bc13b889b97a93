"""Copies of campaigns: what comes along, and that no field and no row is forgotten."""

import pytest
from django.core.exceptions import ValidationError
from django.db import models

from tasks.agreement.findings.alert_rules import rules_of
from tasks.agreement.workflow.alerts import set_rules
from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.campaigns.workflow.slots import set_overlap
from tasks.home.workflow import COPIED, NOT_COPIED, copy_campaign
from tasks.models import (
    AlertRule,
    Campaign,
    CampaignState,
    Candidate,
    Document,
    ExpectedAnswer,
    Item,
    ItemSystem,
    Membership,
    Question,
    Rating,
    Slot,
    System,
    User,
)
from tasks.people.workflow.consent import publish_consent_text
from tests.factories import make_campaign, make_item, make_labelled_items, make_member, make_user
from tests.tasks.browsers import signed_in

pytestmark = pytest.mark.django_db
_WAYS: dict[type[models.Model], str] = {
    Document: "campaign",
    Question: "campaign",
    System: "campaign",
    Candidate: "system__campaign",
    Item: "campaign",
    ItemSystem: "item__campaign",
    ExpectedAnswer: "item__campaign",
}


@pytest.fixture
def staff() -> User:
    return make_user("yew", is_staff=True)


@pytest.fixture
def source() -> Campaign:
    """Every field has another value than a new campaign would have."""
    campaign = make_campaign("lakes", title="Lakes")
    make_labelled_items(campaign, items=5, documents=2)
    make_item(campaign, systems=("juniper", "larch"))
    Candidate.objects.create(
        system=campaign.systems.get(name="larch"),
        question=campaign.questions.earliest("pk"),
        text="in the hills",
        is_exact_match=False,
        alternatives=[["in the sea", 0.25]],
    )
    changes = {
        "description": "Deep ones",
        "overlap": 4,
        "suggestions": "randomised",
        "suggestion_matcher": "f1",
        "lease_minutes": 45,
        "visitor_lease_minutes": 11,
        "visitors_per_address": 0,
        "visitors_per_link": 12,
        "item_order": "oldest",
        "rater_quota": 7,
        "control_every": 9,
        "shows_differences": False,
        "adjudicates_blind": False,
        "passages_are_markdown": True,
        "language": "pt-BR",
        "licence": "mit",
    }
    change_settings(campaign=campaign, changes=changes)
    Campaign.objects.filter(pk=campaign.pk).update(
        seed=5, calibration_pass_percent=60, calibration_attempts=9, completion_code="SECRET"
    )
    set_overlap(campaign=campaign, overlaps={"larch": 6})
    publish_guideline(campaign=campaign, text="Read twice.")
    publish_consent_text(campaign=campaign, text="Do you agree?")
    set_rules(campaign=campaign, rules=list(rules_of(campaign)))
    make_member(campaign, "admin", "reed")
    make_member(campaign, "rater")
    return Campaign.objects.get(pk=campaign.pk)


def test_every_field_of_a_campaign_is_copied_or_has_a_reason() -> None:
    names = [field.name for field in Campaign._meta.concrete_fields]
    assert sorted(names) == sorted([*COPIED, *NOT_COPIED])


def test_a_copy_has_all_settings_and_texts_and_no_work(source: Campaign, staff: User) -> None:
    made = copy_campaign(source=source, slug="seas", title="Seas", by=staff)
    made.refresh_from_db()
    fresh = Campaign()
    for name in COPIED:
        assert getattr(made, name) == getattr(source, name), name
        if name not in {"protocol", "requires_calibration"}:  # else this would prove nothing
            assert getattr(source, name) != getattr(fresh, name), name
    assert (made.title, made.state, made.completion_code) == ("Seas", CampaignState.PAUSED, "")
    assert made.guideline is not None
    assert made.consent_text is not None
    assert made.guideline.text == "Read twice.\n"
    assert (made.consent_text.version, made.consent_text.text) == (1, "Do you agree?\n")
    rules = AlertRule.objects.filter(campaign=made)
    assert rules.count() == AlertRule.objects.filter(campaign=source).count() > 0
    assert list(Membership.objects.filter(campaign=made).values_list("name", flat=True)) == ["yew"]
    assert not made.items.exists()


def test_items_come_along_if_wanted_with_all_that_is_in_them(source: Campaign, staff: User) -> None:
    made = copy_campaign(
        source=source, slug="seas", title="Seas", with_items=True, with_admins=True, by=staff
    )
    for model, way in _WAYS.items():
        names = [
            field.attname
            for field in model._meta.concrete_fields
            if not field.primary_key
            and field.name != "created_at"
            and (not field.is_relation or field.name == "outcome")
        ]
        # pairs have no field but their keys
        names = names or ["item__key", "system__name"]
        old, new = (
            sorted(map(repr, model._base_manager.filter(**{way: each}).values_list(*names)))
            for each in (source, made)
        )
        assert old == new, model
        assert model is ExpectedAnswer or old, model
    assert not Rating.objects.filter(item__campaign=made).exists()
    wanted = Slot.objects.filter(campaign=source).count()
    assert Slot.objects.filter(campaign=made).count() == wanted
    # nothing of the copy hangs on the source
    assert not Item.objects.filter(campaign=made, question__campaign=source).exists()
    assert not Question.objects.filter(campaign=made, document__campaign=source).exists()
    assert not ItemSystem.objects.filter(item__campaign=made, system__campaign=source).exists()
    admins = Membership.objects.filter(campaign=made, role="admin").values_list("name", flat=True)
    assert set(admins) == {"yew", "reed"}


def test_a_short_name_that_is_taken_is_refused_and_nothing_is_made(
    source: Campaign, staff: User
) -> None:
    with pytest.raises(ValidationError, match="slug"):
        copy_campaign(source=source, slug="lakes", title="Seas", by=staff)
    assert Campaign.objects.count() == 1


def test_page_and_api_copy_for_staff_alone(source: Campaign) -> None:
    reed = Membership.objects.select_related("user").get(name="reed")
    client = signed_in(reed)
    assert client.get("/c/lakes/settings/copy/").status_code == 403
    body = {"slug": "seas", "title": "Seas", "with_items": True}
    place = "/api/v1/campaigns/lakes/copies"
    assert client.post(place, body, "application/json").status_code == 403
    assert reed.user is not None
    User.objects.filter(pk=reed.user.pk).update(is_staff=True)
    made = client.post(place, body, "application/json")
    assert (made.status_code, made.json()["contents"]["items"]) == (201, 6)
    assert made.json()["state"] == "paused"
    sent = {"slug": "ponds", "title": "Ponds", "with_items": "on"}
    assert client.post("/c/lakes/settings/copy/", sent).status_code == 302
    assert Campaign.objects.get(slug="ponds").items.count() == 6
    taken = client.post("/c/lakes/settings/copy/", sent)
    assert taken.status_code == 422
    assert "There is already a campaign with this short name." in taken.content.decode()
