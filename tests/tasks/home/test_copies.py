"""A copy has the settings and texts of its source, the members and data that were asked for, and no
work; no field and no table is forgotten."""

import json
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db.models import Model

from tasks.agreement.findings import rules_of
from tasks.agreement.workflow.alerts import set_rules
from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.campaigns.workflow.lives import archive, delete_campaign, remove_due
from tasks.campaigns.workflow.slots import set_overlap
from tasks.home import workflow
from tasks.home.workflow import DATA, OWN, CopiedData, copy_campaign
from tasks.jobs import work as jobs
from tasks.models import (
    AlertRule,
    AuditEntry,
    Campaign,
    Candidate,
    Item,
    Job,
    JobState,
    Membership,
    Slot,
    User,
)
from tasks.models.belonging import lookup, owned_models
from tasks.people.workflow.invitations import enter, invite
from tasks.people.workflow.members import publish_consent_text
from tests.factories import make_campaign, make_item, make_labelled_items, make_member, make_user
from tests.stored_at_once import store_items
from tests.tasks.conftest import EQUIVALENT, deleted_long_ago, item_row
from tomahto.interchange.reading.records import GivenAnswer

pytestmark = pytest.mark.django_db

COPIED = {
    *("description", "protocol", "overlap", "suggestions", "exact_rule", "suggestion_matcher"),
    *("lease_minutes", "item_order", "rater_quota", "control_every", "shows_differences"),
    *("passages_are_markdown", "form_languages", "adjudicates_blind", "requires_calibration"),
    *("calibration_pass_percent", "calibration_attempts", "seed", "language", "licence"),
    *("mail_sender_name", "mail_reply_to"),
}
# tables of a campaign of which a copy gets nothing
LEFT = {
    *("Invitation", "CrowdVisit", "Consent", "ApiToken"),  # people's ways in
    *("Slot", "Assignment", "Draft", "Rating", "Flag", "CalibrationAttempt", "CalibrationAnswer"),
    *("FirstLook", "Adjudication", "SeenVotes", "LeftItem", "SetAside", "RatingSetAside"),
    *("Thread", "Message", "Notice", "SharedAnswer", "OpenedAnswer"),
    *("Suggestion", "SuggestionView", "GeneratedText", "TrainedMatcher", "Job", "JobFailure"),
    *("ItemHandling", "Tag", "ItemTag", "BulkAct", "ActedItem", "SavedView"),
    *("ItemSummary", "ItemScore", "StaleItem", "Assessment", "Figures", "NarrowedFigures", "Look"),
    *("Alert", "AlertChannels", "Webhook", "Event", "Delivery"),
    *("Release", "Withdrawal", "Submission", "SubmissionScore", "SubmissionWithdrawal"),
    *("Leaderboard", "Evaluation", "DatasheetAnswer"),
}
# what copy_campaign itself writes
WRITTEN = {"Membership", "Guideline", "ConsentText", "AlertRule"}


@pytest.fixture
def staff() -> User:
    return make_user("yew", is_staff=True)


@pytest.fixture
def lakes() -> Campaign:
    """Every field has another value than a new campaign would have."""
    campaign = make_campaign("lakes", title="Lakes")
    make_labelled_items(campaign, items=5, documents=2)
    make_item(campaign, systems=("juniper", "larch"))
    control = item_row(9, purpose="control", expected=GivenAnswer(None, EQUIVALENT))
    store_items(campaign, [control])
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
        "exact_rule": "squad",
        "suggestion_matcher": "f1",
        "item_order": "oldest",
        "rater_quota": 7,
        "control_every": 9,
        "shows_differences": False,
        "passages_are_markdown": True,
        "form_languages": "de",
        "adjudicates_blind": False,
        "language": "pt-BR",
        "mail_sender_name": "Lakes team",
        "mail_reply_to": "lakes@example.org",
    }
    change_settings(campaign=campaign, changes=changes)
    others = {
        "seed": 5,
        "lease_minutes": 45,
        "licence": "mit",
        "calibration_pass_percent": 60,
        "calibration_attempts": 9,
        "requires_calibration": True,
        "completion_code": "SECRET",
    }
    Campaign.objects.filter(pk=campaign.pk).update(**others)
    set_overlap(campaign=campaign, overlaps={"larch": 6})
    publish_guideline(campaign=campaign, text="Read twice.")
    publish_consent_text(campaign=campaign, text="Do you agree?")
    set_rules(campaign=campaign, rules=list(rules_of(campaign)))
    make_member(campaign, "admin", "reed")
    make_member(campaign, "rater", "pine")
    invitation, _secret = invite(campaign=campaign, kind="crowd")
    enter(invitation=invitation, participant="p1")
    return Campaign.objects.get(pk=campaign.pk)


def copied(source: Campaign, by: User, content: str = "items") -> tuple[Campaign, Job]:
    """A copy, and the job that is to fill it."""
    made, job = copy_campaign(source=source, slug="seas", title="Seas", content=content, by=by)
    assert job is not None
    return made, job


def done(job: Job) -> Job:
    jobs.run_job(job.pk)
    return Job.objects.get(pk=job.pk)


def rows(model: type[Model], campaign: Campaign) -> list[str]:
    """Those of a campaign, without the numbers by which they point at each other."""
    fields = [
        field.attname
        for field in model._meta.concrete_fields
        if not (field.primary_key or field.name == "created_at")
        and (not field.is_relation or field.name == "outcome")
    ]
    pairs = ["item__key", "system__name"]  # have no field but their keys
    found = model._base_manager.filter(**{lookup(owned_models()[model][0]): campaign})
    return sorted(map(repr, found.values_list(*(fields or pairs))))


def test_every_field_of_a_campaign_is_copied_or_its_own() -> None:
    names = {field.name for field in Campaign._meta.concrete_fields}
    assert names - OWN == COPIED
    assert names >= OWN


def test_every_table_is_copied_or_left() -> None:
    data = {model.__name__ for models in DATA.values() for model in models}
    names = {model.__name__ for model in owned_models()}
    assert names == data | LEFT | WRITTEN
    assert not data & LEFT


def test_a_copy_has_all_settings_and_texts(lakes: Campaign, staff: User) -> None:
    made, job = copy_campaign(source=lakes, slug="seas", title="Seas", by=staff)
    made.refresh_from_db()
    usual = Campaign()
    for name in COPIED - {"requires_calibration"}:
        assert getattr(made, name) == getattr(lakes, name), name
        if name != "protocol":  # else this would prove nothing
            assert getattr(lakes, name) != getattr(usual, name), name
    assert (made.title, made.state, made.completion_code) == ("Seas", "paused", "")
    assert made.guideline is not None
    assert made.consent_text is not None
    assert made.guideline.text == "Read twice.\n"
    assert (made.consent_text.version, made.consent_text.text) == (1, "Do you agree?\n")
    rules = [
        sorted(AlertRule.objects.filter(campaign=each).values_list("kind", "threshold"))
        for each in (lakes, made)
    ]
    assert rules[0] == rules[1] != []
    assert (job, made.items.count(), made.requires_calibration) == (None, 0, False)
    assert list(made.memberships.values_list("name", flat=True)) == ["yew"]


def test_members_come_along_by_role_but_for_visitors(lakes: Campaign, staff: User) -> None:
    made, _job = copy_campaign(
        source=lakes, slug="seas", title="Seas", roles=["admin", "rater"], by=staff
    )
    members = made.memberships.order_by("name").values_list("name", "role")
    assert list(members) == [("pine", "rater"), ("reed", "admin"), ("yew", "admin")]


def test_items_come_along_with_all_that_is_in_them(lakes: Campaign, staff: User) -> None:
    made, job = copied(lakes, staff)
    assert done(job).result == {
        "document": 4,
        "question": 7,
        "system": 2,
        "candidate": 1,
        "item": 7,
        "itemsystem": 8,
        "expectedanswer": 1,
    }
    for model in DATA[CopiedData.ITEMS]:
        assert rows(model, made) == rows(model, lakes) != [], model
    # four items with the campaign's number, one with that of larch
    slots = Slot.objects.filter(campaign=made, holder=None, is_filled=False)
    assert slots.count() == 5 * 4 + 6
    # nothing of the copy points at the source
    assert not Item.objects.filter(campaign=made).exclude(question__campaign=made).exists()
    assert not made.questions.exclude(document__campaign=made).exists()
    assert Campaign.objects.get(pk=made.pk).requires_calibration


def test_a_control_item_that_was_made_of_votes_stays_behind(lakes: Campaign, staff: User) -> None:
    rated = lakes.items.earliest("pk")
    lakes.items.filter(purpose="control").update(copied_from=rated)
    made, job = copied(lakes, staff)
    done(job)
    assert not made.items.filter(purpose="control").exists()
    assert Slot.objects.filter(item=made.items.get(key=rated.key)).count() == 4


def test_questions_come_alone_if_wanted(lakes: Campaign, staff: User) -> None:
    made, job = copied(lakes, staff, "questions")
    assert done(job).result == {"document": 4, "question": 7}
    assert (made.questions.count(), made.items.count()) == (7, 0)


def test_both_logs_name_the_other_and_count(lakes: Campaign, staff: User) -> None:
    archive(campaign=lakes)
    made, job = copied(lakes, staff, "questions")
    done(job)
    entries = AuditEntry.objects.filter(action__in=["campaign.copied", "campaign.data-copied"])
    told = entries.order_by("sequence").values_list("campaign", "subject", "details")
    settings, data = {"content": "questions", "members": 0}, {"document": 4, "question": 7}
    assert [(*names, json.loads(details)) for *names, details in told] == [
        (lakes.pk, "seas", settings),
        (made.pk, "lakes", settings),
        (lakes.pk, "seas", data),
        (made.pk, "lakes", data),
    ]


def test_a_copy_that_is_interrupted_is_made_whole_by_the_next_attempt(
    lakes: Campaign, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, job = copied(lakes, staff)

    def interrupt(**_fields: Any) -> None:
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(workflow, "fit_campaign", interrupt)
        assert done(job).state == JobState.QUEUED
    assert made.questions.count() == 0
    Job.objects.filter(pk=job.pk).update(not_before=job.created_at)
    assert done(job).state == JobState.DONE
    assert made.items.count() == 7


def test_an_attempt_after_one_that_died_when_all_was_stored_changes_nothing(
    lakes: Campaign, staff: User
) -> None:
    made, job = copied(lakes, staff)
    result = done(job).result
    entries = AuditEntry.objects.count()
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED)
    again = done(job)
    assert (again.state, again.result) == (JobState.DONE, result)
    assert (made.items.count(), AuditEntry.objects.count()) == (7, entries)


def test_data_is_not_copied_among_other_data(lakes: Campaign, staff: User) -> None:
    made, job = copied(lakes, staff)
    make_item(made)
    assert (done(job).state, done(job).error) == (
        *(JobState.FAILED, "seas has data of its own by now"),
    )
    assert made.items.count() == 1


def test_a_copy_of_a_copy_waits_for_the_data_of_the_first(lakes: Campaign, staff: User) -> None:
    made, first = copied(lakes, staff)
    _again, job = copy_campaign(
        source=made, slug="ponds", title="Ponds", content=CopiedData.ITEMS, by=staff
    )
    assert job is not None
    assert done(job).error == "seas is still getting its own data; try again after that"
    assert done(first).state == JobState.DONE


def test_data_of_a_removed_campaign_is_not_copied(lakes: Campaign, staff: User) -> None:
    Membership.objects.filter(campaign=lakes).update(invitation=None)
    _made, job = copied(lakes, staff)
    delete_campaign(campaign=lakes, typed="lakes")
    deleted_long_ago(lakes, days=31)
    assert remove_due() == 1
    assert (done(job).state, done(job).error) == (JobState.FAILED, "lakes has been deleted")


def test_a_short_name_that_is_taken_is_refused_and_nothing_is_made(
    lakes: Campaign, staff: User
) -> None:
    with pytest.raises(ValidationError, match="slug"):
        copy_campaign(source=lakes, slug="lakes", title="Seas", by=staff)
    assert Campaign.objects.count() == 1
