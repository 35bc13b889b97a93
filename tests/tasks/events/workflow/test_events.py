"""Events for webhooks: noted with the fact or not at all, and only if one wants them."""

import pytest
from django.db import connection, transaction
from django.db.utils import OperationalError
from pytest_django import DjangoAssertNumQueries

from tasks.adjudication.workflow import adjudicate
from tasks.agreement.findings import Alarm
from tasks.agreement.workflow import alerts
from tasks.events.workflow.events import (
    add_webhook,
    change_webhook,
    delete_webhook,
    switch_off,
    switch_on,
)
from tasks.events.workflow.sending import refresh_campaigns
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs.workflow import jobs
from tasks.models import (
    CHOSEN_KINDS,
    Adjudication,
    Alert,
    AlertKind,
    Campaign,
    Delivery,
    Event,
    EventKind,
    JobKind,
    Membership,
    Rating,
    Release,
    Webhook,
)
from tasks.protocols.definition import AnswersError
from tasks.rating.workflow import records
from tasks.rating.workflow.assignment import claim_item
from tasks.rating.workflow.rating import submit_rating
from tasks.releases.workflow.listing import Listing, withdraw_release
from tests.tasks.conftest import (
    EQUIVALENT,
    YES_DIFFERENT,
    MakeCampaign,
    MakeMember,
    rate_next,
    rating_row,
)

URL = "https://receiver.example.org/hook"


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=1)


@pytest.fixture
def rater(campaign: Campaign, make_member: MakeMember) -> Membership:
    return make_member(campaign)


def hooked(campaign: Campaign, *events: str) -> Webhook:
    return add_webhook(campaign=campaign, url=URL, events=events or CHOSEN_KINDS)


def told(*kinds: str) -> list[tuple[str, object]]:
    """The events in order; of these kinds, if any are named."""
    events = Event.objects.order_by("id").values_list("kind", "data")
    return [event for event in events if not kinds or event[0] in kinds]


def test_rating_is_told_with_ids_a_pseudonym_and_its_label(
    campaign: Campaign, make_member: MakeMember
) -> None:
    hooked(campaign, EventKind.RATING_STORED)
    rater = make_member(campaign, "Ann Example")
    key = rate_next(rater)
    rating = Rating.objects.get()
    stored = {
        "rating": rating.pk,
        "item": key,
        "rater": rater.pseudonym,
        "label": "equivalent",
        "counted": True,
        "supersedes": None,
    }
    assert told() == [("rating.stored", stored)]
    assert Delivery.objects.get().webhook == Webhook.objects.get()


def test_revision_is_told_and_completes_nothing(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    hooked(campaign)
    rater = make_member(campaign)
    rate_next(rater)
    first = Rating.objects.get()
    for key in ("second", "second"):  # a replay is told once
        submit_rating(
            assignment_id=first.assignment_id or 0,
            membership=rater,
            answers=YES_DIFFERENT,
            idempotency_key=key,
        )
    kinds = [kind for kind, _data in told()]
    assert kinds == ["rating.stored", "item.completed", "campaign.completed", "rating.revised"]
    [(_kind, data)] = told(EventKind.RATING_REVISED)
    assert isinstance(data, dict)
    assert data["supersedes"] == first.pk


def test_item_and_campaign_are_complete_with_their_last_rating(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=2, overlap=2)
    hooked(campaign, EventKind.ITEM_COMPLETED, EventKind.CAMPAIGN_COMPLETED)
    raters = [make_member(campaign), make_member(campaign)]
    numbers, keys = [], []
    for rater in (raters[0], raters[1], raters[0], raters[1]):
        keys.append(rate_next(rater))
        numbers.append(Event.objects.count())
    assert numbers == [0, 1, 1, 3]
    assert told() == [
        ("item.completed", {"item": keys[1]}),
        ("item.completed", {"item": keys[3]}),
        ("campaign.completed", {}),
    ]


def test_who_may_complete_an_item_waits_for_others_who_may(
    make_campaign: MakeCampaign, make_member: MakeMember
) -> None:
    campaign = make_campaign(items=1, overlap=1)
    hooked(campaign, EventKind.ITEM_COMPLETED)
    rater = make_member(campaign)
    if connection.vendor != "postgresql":  # has one writer at a time
        rate_next(rater)
        assert told() == [("item.completed", {"item": "item-1"})]
        return
    item = campaign.items.get()
    with connection.copy().cursor() as other:
        other.execute("BEGIN")
        lock = [records._ITEM_LOCK, item.pk]
        other.execute("SELECT pg_advisory_xact_lock(%s, %s)", lock)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '20ms'")
            with pytest.raises(OperationalError, match="lock timeout"), transaction.atomic():
                rate_next(rater)
        other.execute("ROLLBACK")
        other.connection.close()
    assert (Rating.objects.count(), told()) == (0, [])


def test_rating_that_is_refused_tells_nothing(campaign: Campaign, rater: Membership) -> None:
    hooked(campaign)
    claim = claim_item(membership=rater)
    assert claim is not None
    with pytest.raises(AnswersError):
        submit_rating(
            assignment_id=claim.assignment_id,
            membership=rater,
            answers={"q1": "perhaps"},
            idempotency_key="key",
        )
    assert told() == []


def test_rating_and_event_are_stored_together_or_not_at_all(
    campaign: Campaign, make_member: MakeMember, monkeypatch: pytest.MonkeyPatch
) -> None:
    hooked(campaign)

    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(records, "note_events", fail)
    with pytest.raises(MemoryError):
        rate_next(make_member(campaign))
    assert (Rating.objects.count(), Event.objects.count()) == (0, 0)


@pytest.mark.parametrize("events", [[], [EventKind.JOB_DONE]])
def test_rating_costs_no_statement_more_where_no_webhook_wants_it(
    campaign: Campaign,
    rater: Membership,
    django_assert_num_queries: DjangoAssertNumQueries,
    events: list[str],
) -> None:
    if events:
        hooked(campaign, *events)
    claim = claim_item(membership=rater)
    assert claim is not None
    # in a transaction of the test: SQLite's has a savepoint's two statements more
    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 8):
        submit_rating(
            assignment_id=claim.assignment_id,
            membership=rater,
            answers=EQUIVALENT,
            idempotency_key="key",
        )
    assert told() == []


def test_decision_is_told(make_campaign: MakeCampaign, make_member: MakeMember) -> None:
    campaign = make_campaign(items=1, adjudicates_blind=False)
    hooked(campaign)
    expert = make_member(campaign, role="researcher")
    adjudicate(
        item=campaign.items.get(),
        adjudicator=expert,
        answers=EQUIVALENT,
        reason="It says the same.",
        idempotency_key="key",
    )
    decided = {
        "adjudication": Adjudication.objects.get().pk,
        "item": "item-1",
        "adjudicator": expert.pseudonym,
        "label": "equivalent",
        "supersedes": None,
    }
    assert told() == [("adjudication.decided", decided)]


def test_release_is_told_when_it_is_listed_and_when_it_is_withdrawn(campaign: Campaign) -> None:
    hooked(campaign)
    release = Release(
        campaign=campaign, version="1.0.0", digest="d" * 64, seed=0, split="document:test=100",
        splits={"test": 1}, documents={}, items=1, ratings=2, path="/nowhere",
    )  # fmt: skip
    Listing(release, lambda: None).take_over()
    withdraw_release(release=release, reason="two documents were private")
    assert told() == [
        (
            "release.published",
            {"version": "1.0.0", "digest": "d" * 64, "items": 1, "ratings": 2},
        ),
        ("release.withdrawn", {"version": "1.0.0", "digest": "d" * 64}),
    ]


def test_job_is_told_when_it_is_done_and_when_it_is_given_up(campaign: Campaign) -> None:
    hooked(campaign)
    for error in ("", "no such matcher"):
        job = jobs.enqueue(campaign=campaign, kind=JobKind.SUGGEST, parameters={"name": error})
        begun = jobs.begin(job_id=job.pk)
        assert begun is not None
        if error:
            jobs.give_up(job=begun, error=error)
            jobs.give_up(job=begun, error=error)  # it is over: nothing more to tell
        else:
            jobs.finish(job=begun, result={})
    assert told() == [
        ("job.done", {"job": job.pk - 1, "kind": "suggest"}),
        ("job.failed", {"job": job.pk, "kind": "suggest"}),
    ]


def test_import_is_told_with_what_it_brought(campaign: Campaign) -> None:
    hooked(campaign)
    import_ratings(campaign=campaign, rows=[rating_row(1, "Ann Example", "equivalent")])
    brought = {"of": "ratings", "ratings_created": 1, "items_created": 0}
    assert told() == [("import.done", brought)]


def test_alert_is_told_but_not_a_trial_of_its_own_channels(
    campaign: Campaign, make_member: MakeMember
) -> None:
    hooked(campaign)
    alerts.raise_trial(campaign=campaign, by=make_member(campaign, "Oak Example", "admin"))
    alarm = Alarm("P-7", {"missed": 3})
    alerts._raise(campaign, AlertKind.CONTROLS, alarm, occasion="look 1")
    alert = Alert.objects.get(kind="controls")
    data = {"alert": alert.pk, "kind": "controls", "subject": "P-7", "evidence": {"missed": 3}}
    assert told() == [("alert.raised", data)]


def test_campaign_says_what_its_active_webhooks_ask_for(campaign: Campaign) -> None:

    def said() -> str:
        campaign.refresh_from_db()
        return campaign.webhook_events

    one = hooked(campaign, EventKind.JOB_DONE)
    two = hooked(campaign, EventKind.RATING_STORED, EventKind.JOB_DONE)
    assert said() == "rating.stored job.done"
    change_webhook(webhook=two, events=[EventKind.RATING_STORED])
    switch_off(webhook=one)
    assert said() == "rating.stored"
    switch_on(webhook=one)
    delete_webhook(webhook=two)
    assert said() == "job.done"
    # an older copy of the campaign, saved whole, is mended
    Campaign.objects.update(webhook_events="")
    refresh_campaigns()
    assert said() == "job.done"


def test_deleted_webhook_leaves_neither_address_nor_secret(campaign: Campaign) -> None:
    webhook = hooked(campaign)
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    delete_webhook(webhook=webhook)
    webhook.refresh_from_db()
    assert (webhook.url, webhook.secret, webhook.is_active) == ("", "", False)
    assert Delivery.objects.count() == 0


def test_other_campaigns_webhooks_are_not_told(make_campaign: MakeCampaign) -> None:
    campaign, other = make_campaign(items=1), make_campaign(items=1)
    hooked(other)
    import_ratings(campaign=campaign, rows=[rating_row(1, "ann", "equivalent")])
    assert told() == []
