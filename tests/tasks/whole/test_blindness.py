"""Facts that a rater must not learn before rating: anything that others or machines think of the
item."""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.db.models.functions import Now
from django.test import Client

from exporters.planned_release import ReleasePlan
from tasks.adjudication.workflow import store_first_look
from tasks.agreement.workflow.alerts import raise_after_look
from tasks.campaigns.workflow.campaign import add_member, change_settings
from tasks.campaigns.workflow.slots import fit_campaign
from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs.workflow.jobs import enqueue
from tasks.models import (
    Assignment,
    Campaign,
    Flag,
    Item,
    Job,
    JobKind,
    JobState,
    Look,
    Membership,
    Rating,
    SeenVotes,
    Slot,
    Suggestion,
)
from tasks.people.workflow.members import change_member
from tasks.rating.workflow.assignment import claim_item
from tasks.releases.workflow.release import publish_release
from tasks.talk.workflow import note_flag
from tasks.votes import items
from tasks.votes.blindness import may_judge_blind, would_unblind
from tasks.votes.workflow import show_votes, skip_item
from tests.factories import make_campaign, make_item, make_member
from tests.sampling import IS_WHOLE, mostly
from tests.tasks.browsers import signed_in
from tests.tasks.conftest import rating_row
from tests.tasks.prefill.trained import store
from tests.tasks.whole.routes import OPERATORS_LOGIN, ROWS, addresses, filled
from tomahto.interchange.reading.records import AdjudicationRow, GivenAnswer, Source

pytestmark = pytest.mark.slow


MARK = "sentinel"  # in everything that a rater must not see
SCORE = 0.4142135
SECRET = "5ec2e7" * 10  # what keys the pseudonyms of imported raters
EACH_TIME_NEW = re.compile(
    r'nonce="[^"]*"|name="(csrfmiddlewaretoken|idempotency_key|seconds)" value="[^"]*"'
)


@pytest.fixture
def secretive(db: None) -> Campaign:
    """Two items of which others and a matcher have said what they think."""
    campaign = make_campaign("rivers", title="Rivers")
    for _ in range(2):
        make_item(campaign, systems=(f"{MARK}-system",), intended=f"{MARK}-class")
    return campaign


def say_what_others_think(campaign: Campaign) -> None:
    other = make_member(campaign, "rater", f"{MARK}-person")
    for item in campaign.items.all():
        Suggestion.objects.create(
            item=item,
            matcher=f"{MARK}-matcher",
            version=f"{MARK}-version",
            score=SCORE,
            is_correct=True,
            explanation={"why": f"{MARK}-explanation"},
        )
        flag = Flag.objects.create(item=item, rater=other, reason=f"{MARK}-flag")
        note_flag(flag=flag)
    rows = [
        rating_row(1, f"{MARK}-rater", "equivalent", item_id=item.key, comment=f"{MARK}-comment")
        for item in campaign.items.all()
    ]
    import_ratings(campaign=campaign, rows=rows)
    Job.objects.create(
        campaign=campaign, kind=JobKind.SUGGEST, input_hash="x", error=f"{MARK}-error"
    )


def answers(client: Client, rater: Membership) -> Iterator[tuple[str, str]]:
    """The address, and the site's answers there: status line, headers and body, to GET and POST, to
    a browser and to htmx. The first item stays the rater's: nobody submits."""
    held = Assignment.objects.get(rater=rater, state="active")
    parts = {"<int:assignment_id>": str(held.pk), "<int:item_id>": str(held.item_id)}
    for name, pattern in addresses():
        if name in ("logout", "language", OPERATORS_LOGIN):
            continue
        for part, number in parts.items():
            pattern = pattern.replace(part, number)
        address = filled(pattern, rater)
        is_api = address.startswith("/api/")
        for method in ("GET", "POST", "PUT", "PATCH") if is_api else ("GET", "POST"):
            if not (IS_WHOLE or method in ROWS[name].methods):
                continue
            for headers in ({},) if is_api else ({}, {"HX-Request": "true"}):
                response = client.generic(method, address, headers=headers)
                body = b"".join(response) if response.streaming else response.content
                text = f"{response.status_code} {response.headers} {body.decode(errors='replace')}"
                yield f"{method} {address} {headers}", text


def leaks(text: str) -> bool:
    return MARK in text.lower() or str(SCORE)[:5] in text


@pytest.mark.parametrize("policy", mostly(["hidden", "after"], "hidden"))
def test_no_address_tells_a_rater_what_others_think(secretive: Campaign, policy: str) -> None:
    Campaign.objects.filter(pk=secretive.pk).update(suggestions=policy)
    say_what_others_think(secretive)
    rater = make_member(secretive, "rater", "pine")
    client = signed_in(rater)
    client.get("/c/rivers/rate/")
    logging.disable(logging.WARNING)
    try:
        told = [where for where, text in answers(client, rater) if leaks(text)]
    finally:
        logging.disable(logging.NOTSET)
    assert not told, told


def test_the_marks_are_found_where_they_may_be_seen(secretive: Campaign) -> None:
    """The test above looks for something that is there."""
    say_what_others_think(secretive)
    item = secretive.items.first()
    assert item is not None
    client = signed_in(make_member(secretive, "admin", "oak"))
    seen = client.get(f"/c/rivers/items/{item.pk}/").content.decode()
    assert leaks(seen)
    assert f"{MARK}-class" not in seen  # as the votes: only to who asks for them
    asked = client.post(f"/c/rivers/items/{item.pk}/", follow=True).content.decode()
    assert f"{MARK}-class" in asked


def test_the_page_is_the_same_whatever_others_think(secretive: Campaign) -> None:
    """Nothing of it can be read from length, headers or hidden fields."""
    client = signed_in(make_member(secretive, "rater", "pine"))

    own = {"Content-Security-Policy", "Expires", "X-Request-ID"}  # of every answer

    def page() -> tuple[str, dict[str, str]]:
        response = client.get("/c/rivers/rate/")
        ours = response.headers.keys() - own
        text = EACH_TIME_NEW.sub("", response.content.decode())
        return text, {name: response.headers[name] for name in ours}

    before = page()
    say_what_others_think(secretive)
    assert page() == before


def test_the_api_answers_the_same_whatever_others_think(secretive: Campaign) -> None:
    client = signed_in(make_member(secretive, "rater", "pine"))
    number = client.post("/api/v1/campaigns/rivers/claim").json()["assignment"]
    places = ("campaigns/rivers", f"assignments/{number}", "campaigns/rivers/history")

    def told() -> list[dict[str, Any]]:
        return [client.get(f"/api/v1/{place}").json() for place in places]

    before = told()
    say_what_others_think(secretive)
    assert told() == before


def mark_of(key: str) -> str:
    """The texts of all opinions of others on an item."""
    return f"{key}-sentinel"


def say_of(campaign: Campaign, key: str, rater: str, mark: str) -> None:
    """A vote with a comment, and a suggestion."""
    row = rating_row(1, rater, "equivalent", item_id=key, comment=f"{mark}-comment")
    import_ratings(campaign=campaign, rows=[row])
    Suggestion.objects.create(
        item=campaign.items.get(key=key),
        matcher="f1",
        version=f"{mark}-version",
        score=SCORE,
        is_correct=True,
        explanation={"why": f"{mark}-explanation"},
    )


@pytest.fixture
def shared(db: None) -> Campaign:
    """Three items; the first two have a vote, and all want two more."""
    campaign = make_campaign("rivers", title="Rivers", overlap=3)
    Campaign.objects.filter(pk=campaign.pk).update(pseudonym_secret=SECRET)
    for number in (1, 2, 3):
        make_item(campaign, id=f"item-{number}")
    say_of(campaign, "item-1", "ann", mark_of("item-1"))
    say_of(campaign, "item-2", "ben", mark_of("item-2"))
    return campaign


@pytest.mark.parametrize("blind", mostly([True, False], True))
@pytest.mark.parametrize("role", mostly(["researcher", "admin"], "admin"))
def test_no_address_tells_who_else_rates_what_others_think_of_their_item(
    shared: Campaign, role: str, blind: bool
) -> None:
    """Whatever they ask for: the item in their hands is still to be rated. Nor does any tell what
    keys the pseudonyms."""
    Campaign.objects.update(adjudicates_blind=blind)
    member = make_member(shared, role, "oak")
    client = signed_in(member)
    key = claimed_by(member).key
    assert key != "item-3"  # of which nobody has said anything
    mark = mark_of(key)
    logging.disable(logging.WARNING)
    try:
        told = [where for where, text in answers(client, member) if mark in text or SECRET in text]
    finally:
        logging.disable(logging.NOTSET)
    assert not told, told


def hold(member: Membership, key: str) -> None:
    """The member has claimed this very item."""
    item = member.campaign.items.get(key=key)
    slot = Slot.objects.filter(item=item, is_filled=False).earliest("number")
    assignment = Assignment.objects.create(item=item, rater=member, slot=slot)
    Slot.objects.filter(pk=slot.pk).update(holder=assignment, expires_at=Now())


def settle(role: str, campaign: Campaign, *, rates: bool, decides: bool) -> Membership:
    """A member who may have begun to rate, and to adjudicate."""
    member = make_member(campaign, role, "oak")
    if rates:
        assert claim_item(membership=member) is not None
    if decides:
        item = campaign.items.get(key="item-2")
        store_first_look(item=item, adjudicator=member, answers={"q1": True})
    return member


ALL_VOTES = [
    "/c/rivers/releases/ratings.jsonl",
    "/c/rivers/releases/1.0.0/download",
    "/c/rivers/releases/1.0.0/files/jsonl/ratings/test.jsonl",
    "/c/rivers/releases/1.0.0/files/SHA256SUMS",
    "/c/rivers/releases/1.1.0/changes/",
    "/c/rivers/releases/1.0.0/",
    "/c/rivers/releases/1.0.0/leaderboard/",
    "/c/rivers/releases/new/",
    "/api/v1/campaigns/rivers/ratings/export",
    "/api/v1/campaigns/rivers/releases/1.0.0/files/splits.json",
    "/api/v1/campaigns/rivers/releases/1.0.0/leaderboard",
    "/api/v1/campaigns/rivers/releases/1.0.0/archive",
    "/api/v1/campaigns/rivers/releases/1.0.0/files/jsonl/ratings/test.jsonl",
    "/api/v1/campaigns/rivers/releases/1.1.0/changes",
]


@pytest.fixture
def released(shared: Campaign, tmp_path: Path) -> Campaign:
    for version in ("1.0.0", "1.1.0"):
        plan = ReleasePlan(version=version, split="document:dev=50,test=50", seed=0)
        publish_release(campaign=shared, plan=plan, out=tmp_path / version)
    return shared


def content(member: Membership, address: str) -> tuple[int, bytes]:
    response = signed_in(member).get(address)
    body = b"".join(response) if response.streaming else response.content
    return response.status_code, body


def each_way() -> Iterator[str]:
    """Every way to all votes; what follows from one is undone before the next."""
    for address in ALL_VOTES:
        with transaction.atomic():
            yield address
            transaction.set_rollback(True)


@pytest.mark.parametrize("begun", ["rating", "adjudicating"])
@pytest.mark.parametrize("role", mostly(["researcher", "admin"], "admin"))
def test_who_judges_is_asked_before_they_get_all_votes(
    released: Campaign, role: str, begun: str
) -> None:
    member = settle(role, released, rates=begun == "rating", decides=begun == "adjudicating")
    for address in each_way():
        status, body = content(member, address)
        if address.startswith("/api/"):
            assert status == 409
            assert b"you judge in this campaign" in body
        else:
            assert status == 200
            assert b"You judge in this campaign yourself" in body
        member.refresh_from_db()
        assert member.votes_seen_until is None
        assert Assignment.objects.filter(rater=member, state="skipped").count() == 0


@pytest.mark.parametrize("blind", mostly([True, False], True))
def test_who_has_got_all_votes_judges_these_items_blind_no_more(
    released: Campaign, blind: bool
) -> None:
    Campaign.objects.update(adjudicates_blind=blind)
    held = settle("admin", released, rates=True, decides=False)
    voted, unrated = (released.items.get(key=f"item-{number}") for number in (2, 3))
    for address in each_way():
        status, body = content(held, f"{address}?votes=seen")
        assert status in (200, 202)
        assert b"udge in this campaign" not in body
        member = Membership.objects.get(pk=held.pk)
        assert [each.state for each in member.assignments.all()] == ["skipped"]
        assert not may_judge_blind(voted, member)
        assert may_judge_blind(unrated, member) is blind
        assert claimed_by(member) == unrated


def claimed_by(member: Membership) -> Item:
    claim = claim_item(membership=member)
    assert claim is not None
    return Assignment.objects.get(pk=claim.assignment_id).item


def test_who_judges_nothing_is_not_asked(released: Campaign) -> None:
    idle = settle("researcher", released, rates=False, decides=False)
    for address in each_way():
        assert content(idle, address)[0] in (200, 202)
        member = Membership.objects.get(pk=idle.pk)
        assert member.votes_seen_until is not None
        assert claimed_by(member).key == "item-3"


def test_votes_given_later_are_not_seen(released: Campaign) -> None:
    member = settle("admin", released, rates=False, decides=False)
    content(member, ALL_VOTES[0])
    say_of(released, "item-3", "cat", "later")
    assert may_judge_blind(released.items.get(key="item-3"), member)
    assert would_unblind(member) is False  # they have not begun to judge
    assert claim_item(membership=member) is not None
    assert would_unblind(member)


def test_an_older_file_says_nothing_of_newer_votes(released: Campaign) -> None:
    member = settle("admin", released, rates=False, decides=False)
    say_of(released, "item-3", "cat", "later")
    content(member, ALL_VOTES[1])
    assert may_judge_blind(released.items.get(key="item-3"), member)
    content(member, ALL_VOTES[0])
    assert not may_judge_blind(released.items.get(key="item-3"), member)
    content(member, ALL_VOTES[1])
    assert not may_judge_blind(released.items.get(key="item-3"), member)


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("release-previews", {"split": "folds:3"}),
        ("releases", {"split": "folds:3", "version": "1.2.0"}),
        ("evaluations", {"metrics": ["em"]}),
        ("matchers/train", {"kind": "cfmatch"}),
        ("matchers/use", {"name": "cfmatch@rivers"}),
        ("jobs", {"kind": "suggest", "name": "cfmatch@rivers"}),
        ("imports/ratings?format=jsonl", {"id": "item-1", "rater": "ann", "label": "equivalent"}),
        ("imports/adjudications?format=jsonl", {"id": "item-1", "adjudicator": "ann"}),
    ],
)
def test_what_one_sends_and_learns_votes_by_is_asked_for_as_well(
    released: Campaign, address: str, body: dict[str, str]
) -> None:
    store(released, "cfmatch")
    member = settle("admin", released, rates=True, decides=False)
    place = f"/api/v1/campaigns/rivers/{address}"
    client = signed_in(member)
    refused = client.post(place, body, "application/json")
    assert refused.status_code == 409
    assert "judge in this campaign" in refused.json()["detail"]
    place += f"{'&' if '?' in place else '?'}votes=seen"
    asked = client.post(place, body, "application/json")
    assert asked.status_code in (200, 201, 202, 400)
    assert [each.state for each in member.assignments.all()] == ["skipped"]


@pytest.mark.parametrize(
    ("address", "body", "asks_at"),
    [
        ("matchers/train/", {"name": "cfmatch", "seed": "0"}, "matchers/"),
        ("matchers/use/", {"name": "cfmatch@rivers"}, "matchers/"),
        ("jobs/", {"kind": "suggest", "name": "cfmatch@rivers"}, "matchers/"),
        ("lab/", {"source": "", "metrics": "em", "unit": "items"}, "lab/"),
    ],
)
def test_pages_ask_before_they_make_something_of_all_votes(
    released: Campaign, address: str, body: dict[str, str], asks_at: str
) -> None:
    store(released, "cfmatch")
    member = settle("admin", released, rates=True, decides=False)
    client = signed_in(member)
    jobs = Job.objects.count()
    asked = client.post(f"/c/rivers/{address}", body)
    assert asked["Location"] == f"/c/rivers/{asks_at}?votes=asked"
    assert "You judge in this campaign yourself" in client.get(asked["Location"]).content.decode()
    assert Job.objects.count() == jobs
    assert client.get(f"/c/rivers/{asks_at}?votes=seen").status_code == 302
    assert [each.state for each in member.assignments.all()] == ["skipped"]
    assert client.post(f"/c/rivers/{address}", body)["Location"].partition("?")[2] == ""
    assert Job.objects.count() == jobs + 1


def test_alerts_of_all_votes_are_told_to_nobody_who_rates_unasked(shared: Campaign) -> None:
    found = json.dumps({"alpha": {"value": 0.25, "low": 0.2, "high": 0.3, "n": 80, "level": 0.025}})
    look = Look.objects.create(campaign=shared, number=1, ratings=2, level=0.025, findings=found)
    [alert] = raise_after_look(look=look)
    idle = make_member(shared, "admin", "elm")
    client = signed_in(settle("admin", shared, rates=True, decides=False))
    place = "/c/rivers/agreement"
    assert "0.25" in signed_in(idle).post(f"{place}/alerts/rules/", {}).content.decode()
    for form in ("rules", "channels"):
        told = client.post(f"{place}/alerts/{form}/", {"webhook_url": "nowhere"})
        assert told.status_code == 422
        assert "0.25" not in told.content.decode()
    for who, count in ((signed_in(idle), 1), (client, 0)):
        tabs = " ".join(who.get(f"{place}/progress/").content.decode().split())
        assert ("1 open" in re.sub(r"<[^>]+>", "", tabs)) == bool(count)
    client.post(f"{place}/alerts/{alert.pk}/", {})
    alert.refresh_from_db()
    assert alert.acknowledged_at is None


def test_a_decision_on_an_item_without_votes_is_found_by_no_guess(shared: Campaign) -> None:
    row = AdjudicationRow(Source("a.jsonl", 1), "item-3", "dan", GivenAnswer("equivalent"))
    import_adjudications(campaign=shared, rows=[row])
    member = make_member(shared, "admin", "oak")
    hold(member, "item-3")
    SeenVotes.objects.bulk_create(
        SeenVotes(item=item, member=member) for item in shared.items.exclude(key="item-3")
    )
    guess = {"id": "item-3", "adjudicator": "dan", "label": "equivalent"}
    place = "/api/v1/campaigns/rivers/imports/adjudications?format=jsonl"
    assert signed_in(member).post(place, guess, "application/json").status_code == 409


def test_why_a_job_on_all_votes_failed_is_not_told_to_who_rates(shared: Campaign) -> None:
    why = "2 of at least 20 items have a majority label"
    job = enqueue(campaign=shared, kind=JobKind.TRAIN, parameters={"name": "cfmatch"})
    Job.objects.filter(pk=job.pk).update(state=JobState.FAILED, error=why, finished_at=Now())
    client = signed_in(settle("admin", shared, rates=True, decides=False))
    idle = signed_in(make_member(shared, "admin", "elm"))
    for address in (
        *("/c/rivers/jobs/", f"/c/rivers/jobs/{job.pk}/", "/c/rivers/jobs/failed/"),
        *(f"/api/v1/campaigns/rivers/jobs{more}" for more in ("", f"/{job.pk}", "/failed")),
    ):
        for who, is_told in ((idle, True), (client, False)):
            told = who.get(address)
            assert (told.status_code, why in told.content.decode()) in {
                (200, is_told),
                (200, False),
            }
    assert why in idle.get(f"/api/v1/campaigns/rivers/jobs/{job.pk}").content.decode()


def test_a_matcher_that_learned_from_votes_says_nothing_of_other_items(shared: Campaign) -> None:
    member = settle("admin", shared, rates=True, decides=False)
    twin = shared.items.get(key="item-3")
    Suggestion.objects.create(
        item=twin, matcher="cfmatch@rivers", version="1", score=SCORE, is_correct=True
    )
    show_votes(items=[twin.pk], member=member)
    page, call = f"/c/rivers/items/{twin.pk}/", f"/api/v1/campaigns/rivers/items/{twin.pk}/votes"
    for address in (page, call):
        told = signed_in(member).get(address).content.decode()
        assert "cfmatch@rivers" not in told
    idle = make_member(shared, "admin")
    show_votes(items=[twin.pk], member=idle)
    assert "cfmatch@rivers" in signed_in(idle).get(page).content.decode()


@pytest.mark.parametrize("way", ["changed", "let in again"])
def test_who_becomes_a_rater_gets_no_item_that_had_votes(shared: Campaign, way: str) -> None:
    member = settle("researcher", shared, rates=True, decides=False)
    assert member.user is not None
    if way == "changed":
        change_member(member=member, role="rater", quota=None)
    else:
        add_member(campaign=shared, user=member.user, role="rater")
        member.assignments.update(state="skipped")
    rater = Membership.objects.select_related("campaign").get(pk=member.pk)
    claim = claim_item(membership=rater)
    assert claim is not None
    assert claim.item.key == "item-3"


def test_coming_to_decide_where_no_first_look_is_asked_for_shows_the_votes(
    shared: Campaign,
) -> None:
    Campaign.objects.update(adjudicates_blind=False)
    member = make_member(shared, "admin", "oak")
    item = shared.items.get(key="item-1")
    seen = signed_in(member).get(f"/c/rivers/adjudicate/{item.pk}/").content.decode()
    assert mark_of("item-1") in seen
    assert claimed_by(member) != item


def complete(campaign: Campaign) -> Item:
    """An item whose one place is filled, in a campaign where nobody looks before the votes."""
    Campaign.objects.update(adjudicates_blind=False, overlap=1)
    fit_campaign(campaign=Campaign.objects.get(pk=campaign.pk))
    return campaign.items.get(key="item-1")


@pytest.mark.parametrize(
    "changes",
    [{"overlap": 2}, {"adjudicates_blind": True}, {"overlap": 2, "adjudicates_blind": True}],
)
def test_votes_that_were_open_stay_known_where_the_item_is_to_be_judged_again(
    shared: Campaign, changes: dict[str, object]
) -> None:
    """Nobody reads the votes on complete items, and is then given one to rate or to look at."""
    item, member = complete(shared), make_member(shared, "admin", "oak")
    make_member(shared, "rater", "pine")  # who can see no votes, and is not noted to have
    seen = signed_in(member).get(f"/c/rivers/items/{item.pk}/").content.decode()
    assert mark_of("item-1") in seen
    change_settings(campaign=Campaign.objects.get(pk=shared.pk), changes=changes)
    member = Membership.objects.select_related("campaign").get(pk=member.pk)
    given = set()
    while claim := claim_item(membership=member):
        given.add(claim.item.key)
        skip_item(assignment=Assignment.objects.get(pk=claim.assignment_id), reason="next")
    assert item.key not in given
    assert not may_judge_blind(item, member)
    assert SeenVotes.objects.filter(item=item).values_list("member", flat=True).get() == member.pk


def test_items_that_figures_told_of_are_not_rated_when_the_overlap_is_raised(
    shared: Campaign,
) -> None:
    """With blind first looks, too: members who rate have read figures of complete items."""
    item = complete(shared)
    Campaign.objects.update(adjudicates_blind=True)
    reader, idle = make_member(shared, "admin", "oak"), make_member(shared, "admin", "elm")
    hold(reader, "item-3")
    skip_item(assignment=reader.assignments.get(), reason="It is odd.")
    labels = signed_in(reader).get("/api/v1/campaigns/rivers/matchers").json()["labels"]
    assert labels["correct"] == 2
    change_settings(campaign=Campaign.objects.get(pk=shared.pk), changes={"overlap": 2})
    reader = Membership.objects.select_related("campaign").get(pk=reader.pk)
    assert claim_item(membership=reader) is None
    assert may_judge_blind(item, Membership.objects.select_related("campaign").get(pk=idle.pk))


def test_a_page_says_that_an_item_was_given_back_meanwhile(
    shared: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading the form and storing what it says."""
    member = make_member(shared)
    claim = claim_item(membership=member)
    assert claim is not None
    client, read = signed_in(member), items.own_assignment

    def given_back_meanwhile(*given: Any) -> Assignment:
        assignment = read(*given)
        skip_item(assignment=assignment, reason="in another tab")
        return assignment

    monkeypatch.setattr(items, "own_assignment", given_back_meanwhile)
    body = {
        "action": "submit",
        "q1": "yes",
        "idempotency_key": "one",
        "seconds": "1",
        "asked": "q1",
    }
    answered = client.post(f"/c/rivers/rate/{claim.assignment_id}/", body)
    assert answered.status_code == 409
    assert "You can no longer rate this item" in answered.content.decode()
    assert not Rating.objects.filter(rater=member).exists()


def test_an_item_that_was_given_back_takes_no_rating(shared: Campaign) -> None:
    """Not by who has seen its votes since, nor by anybody else."""
    member = settle("researcher", shared, rates=True, decides=False)
    held = member.assignments.get()
    client = signed_in(member)
    client.get("/api/v1/campaigns/rivers/ratings/export?votes=seen")
    place, body = f"/api/v1/assignments/{held.pk}/rating", {"q1": "yes"}
    answered = client.post(place, body, "application/json", headers={"Idempotency-Key": "late"})
    assert answered.status_code == 409
    assert "you can no longer rate this item" in answered.json()["detail"]
    assert not Rating.objects.filter(rater=member).exists()
