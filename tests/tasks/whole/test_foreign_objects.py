"""Objects of another campaign, or of another rater, are not there, whatever address names them."""

import logging
import re
from pathlib import Path

import pytest

from exporters.planned_release import ReleasePlan
from tasks.agreement.workflow.alerts import raise_trial
from tasks.events.workflow.events import NewEvent, add_webhook, note_events
from tasks.models import (
    Assignment,
    BulkAct,
    Campaign,
    Delivery,
    EventKind,
    Flag,
    Job,
    JobKind,
    Membership,
    Message,
    SavedView,
    SetAside,
    Thread,
)
from tasks.people.workflow.invitations import invite
from tasks.rating.workflow.assignment import claim_item
from tasks.releases.workflow.release import publish_release
from tests.evaluations import sample_report, store
from tests.factories import make_campaign, make_labelled_items, make_member
from tests.tasks.browsers import signed_in
from tests.tasks.whole.routes import ROWS, addresses, filled, status

pytestmark = pytest.mark.slow


# gaps of addresses that are filled with something else than a campaign's rows
NO_ROWS = {"slug", "name", "kind", "path", "first", "second", "number", "secret", "section"}
NO_ROWS |= {"token_id", "uidb64", "token"}  # of an account
NO_ROWS |= {"campaign_id"}  # a deleted one, see tests/tasks/home/pages/test_lives.py
# nothing is there: no release before, no file of that name, no submission, no calibration item,
# no evaluation that is running
NOT_THERE = {"api-release-changes", "evaluation-file", "api-evaluation-file", "calibration-item"}
NOT_THERE |= {"release-submission-withdraw", "api-submission-withdrawal", "evaluation-progress"}
# what is looked at before the address
BODIES = {
    "api-flag-settle": '{"settlement": "Mended."}',
    "api-messages": '{"text": "Torn."}',
    "api-calibration-decide": '{"decision": "pass", "reason": "Known to us."}',
}


@pytest.fixture
def lakes(db: None) -> Campaign:
    campaign = make_campaign("lakes", overlap=2)
    make_labelled_items(campaign, items=4, documents=2)
    return campaign


@pytest.fixture
def held(lakes: Campaign) -> Assignment:
    """A rater's item in hand."""
    claim = claim_item(membership=make_member(lakes, "rater", "reed"))
    assert claim is not None
    return Assignment.objects.select_related("rater").get(pk=claim.assignment_id)


@pytest.fixture
def objects(lakes: Campaign, held: Assignment, tmp_path: Path) -> dict[str, object]:
    """One of everything that an address may name, by the names of the addresses' parts."""
    lily = make_member(lakes, "admin", "lily")
    plan = ReleasePlan(version="1.0.0", split="document:test=100", seed=0)
    publish_release(campaign=lakes, plan=plan, out=tmp_path / "release")
    webhook = add_webhook(
        campaign=lakes, url="https://receiver.example.org/", events=[EventKind.JOB_DONE]
    )
    note_events(lakes.pk, NewEvent(EventKind.JOB_DONE, {"job": 1, "kind": "suggest"}))
    thread = Thread.objects.create(item=held.item, rater=held.rater)
    message = Message.objects.create(thread=thread, author=lily, kind="words", text="Torn?")
    return {
        "assignment_id": held.pk,
        "item_id": held.item_id,
        "member_id": held.rater_id,
        "pseudonym": held.rater.pseudonym,
        "flag_id": Flag.objects.create(item=held.item, rater=lily, reason="Torn.").pk,
        "thread_id": thread.pk,
        "message_id": message.pk,
        "alert_id": raise_trial(campaign=lakes, by=lily).pk,
        "webhook_id": webhook.pk,
        "delivery_id": Delivery.objects.get(webhook=webhook).pk,
        "invitation_id": invite(campaign=lakes)[0].pk,
        "evaluation_id": store(lakes, sample_report()).pk,
        "act_id": BulkAct.objects.create(campaign=lakes, member=lily, kind="dismiss").pk,
        "set_aside_id": SetAside.objects.create(
            campaign=lakes, rater=held.rater, by=lily, reason="Torn."
        ).pk,
        "view_id": SavedView.objects.create(campaign=lakes, member=lily, name="Torn").pk,
        "job_id": Job.objects.create(campaign=lakes, kind=JobKind.SUGGEST, input_hash="x").pk,
        "version": "1.0.0",
    }


def gaps_of(pattern: str) -> set[str]:
    return set(re.findall(r"<(?:\w+:)?(\w+)>", pattern))


def found(
    member: Membership, campaign: Campaign, objects: dict[str, object]
) -> list[tuple[str, str, int]]:
    """Name, method and status of every address of a campaign that names one of the objects."""
    client = signed_in(member)
    client.defaults["HTTP_IDEMPOTENCY_KEY"] = "key"
    logging.disable(logging.WARNING)
    try:
        return [
            (name, method, status(client, method, address, BODIES.get(name, ""))[0])
            for name, pattern in addresses()
            if gaps_of(pattern) & objects.keys()
            for address in [filled(pattern, campaign.memberships.all()[0], **objects)]
            for method in ROWS[name].methods
        ]
    finally:
        logging.disable(logging.NOTSET)


def test_nothing_of_another_campaign_is_there(
    admin: Membership, lakes: Campaign, objects: dict[str, object]
) -> None:
    gaps = set().union(*(gaps_of(pattern) for _name, pattern in addresses()))
    assert gaps == objects.keys() | NO_ROWS
    answers = found(admin, admin.campaign, objects)
    assert [answer for answer in answers if answer[2] != 404] == []
    # all of it is there for an admin of its campaign, but for another's item in hand
    del objects["assignment_id"]
    answers = found(lakes.memberships.get(name="lily"), lakes, objects)
    assert {name for name, _method, code in answers if code == 404} == NOT_THERE


def test_an_item_in_hand_is_nobodys_but_its_raters(lakes: Campaign, held: Assignment) -> None:
    objects: dict[str, object] = {"assignment_id": held.pk}
    for role in ("rater", "admin"):
        answers = found(make_member(lakes, role), lakes, objects)
        assert [answer for answer in answers if answer[2] != 404] == []
    assert 404 not in {code for _name, _method, code in found(held.rater, lakes, objects)}
