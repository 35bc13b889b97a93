"""Every line of `export_ratings`, byte by byte: the file is read by other programs."""

import inspect
from collections.abc import Callable, Generator
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.models import (
    Assignment,
    Campaign,
    Item,
    Membership,
    Narrowing,
    Outcome,
    Rating,
    Slot,
    Suggestion,
    SuggestionView,
)
from tasks.rating.queries import exported_ratings
from tasks.rating.workflow.exports import export_ratings
from tasks.votes.ratings import narrow
from tasks.votes.workflow import set_aside
from tasks.web.downloads import in_batches
from tests.factories import make_campaign, make_item, make_member

ODD = '"Say \\n" \u2028\x01\x1f\x7f/\té\U0001f600'
ODD_TEXT = r'"\"Say \\n\" {}\u0001\u001f{}/\té{}"'.format("\u2028", "\x7f", "\U0001f600")
FULL_ITEM = (
    '{"id":"full","document":"d","question_id":"q","question":"Where?","context":"Far away.",'
    f'"references":[{ODD_TEXT},"é"],"candidate":"","reference_index":0,"question_type":"place",'
    '"split":"train","systems":["Larch","rowan"]'
)
ODD_ITEM = (
    f'{{"id":"odd","document":{ODD_TEXT},"question_id":{ODD_TEXT},"question":{ODD_TEXT},'
    f'"references":[{ODD_TEXT},"é"],"candidate":"","systems":[]'
)
COMMENTS = (f',"comment":{ODD_TEXT}', ',"comment":"Plain."')
LINES = [
    (
        f"{FULL_ITEM},"
        r'"rater":"\"R2\"","label":"equivalent","q1":false,"q2":true,"counted":true,'
        '"seconds":9.5,"created_at":"2026-03-01T12:00:00.120000+00:00","guideline_version":1,'
        '"wording":"de-1","suggestion_arm":"after","suggestion_view":"left-open"'
        f'{COMMENTS[0]},"imported":false}}\n'
    ),
    (
        f'{FULL_ITEM},"rater":"R3","label":"not-equivalent","counted":false,"set_aside":true,'
        '"imported":true}\n'
    ),
    (
        f'{FULL_ITEM},"rater":"R1","label":"not-equivalent","q1":true,"counted":true,"seconds":0.0,'
        '"created_at":"2026-03-01T12:00:00+00:00","suggestion_arm":"before",'
        f'"suggestion_view":"closed","suggestion_seconds":4.25{COMMENTS[1]},"imported":false}}\n'
    ),
    (
        f"{ODD_ITEM},"
        r'"rater":"\"R2\"","label":"not-equivalent","q1":false,"q2":false,"q3":true,'
        '"q4":false,"counted":false,"seconds":1e-07,"created_at":"2026-03-01T12:00:00.000007+00:00",'
        '"suggestion_arm":"hidden","suggestion_view":"closed","imported":false}\n'
    ),
    (
        f'{ODD_ITEM},"rater":"R1","label":"equivalent","q1":false,"q2":true,"counted":true,'
        '"seconds":1e+16,"created_at":"2026-03-02T12:00:00+00:00","guideline_version":1,'
        '"suggestion_arm":"before","suggestion_view":"never-closed","imported":false}\n'
    ),
    (
        f'{ODD_ITEM},"rater":"R3","label":"not-equivalent","q1":true,"counted":false,'
        '"set_aside":true,"wording":"de-1","imported":true}\n'
    ),
]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Rate = Callable[..., Rating]


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign("rivers")
    make_item(
        campaign,
        id="full",
        document="d",
        question_key="q",
        question="Where?",
        context="Far away.",
        references=("here",),
        systems=("rowan", "Larch"),
        question_type="place",
        split="train",
    )
    make_item(
        campaign,
        id="odd",
        document=ODD,
        question_key=ODD,
        question=ODD,
        context="",
        references=(ODD,),
        systems=(),
    )
    campaign.items.update(references=[ODD, "é"], candidate="", reference_index=None)
    campaign.items.filter(key="full").update(reference_index=0)
    for key, purpose in {"unrated": "live", "control": "control"}.items():
        item = make_item(campaign, id=key, question_key=key, document="d")
        Item.objects.filter(pk=item.pk).update(purpose=purpose)
    return campaign


@pytest.fixture
def ann(campaign: Campaign) -> Membership:
    return named(make_member(campaign, "admin", "ann"), "R1")


@pytest.fixture
def bob(campaign: Campaign) -> Membership:
    return named(make_member(campaign, "rater", "bob"), '"R2"')


@pytest.fixture
def imported(campaign: Campaign) -> Membership:
    return Membership.objects.create(campaign=campaign, name="file", pseudonym="R3")


def named(member: Membership, pseudonym: str) -> Membership:
    member.pseudonym = pseudonym
    member.save(update_fields=["pseudonym"])
    return member


@pytest.fixture
def rate(campaign: Campaign) -> Rate:
    """Stores a rating of the item with this key."""
    numbers = count()

    def stored(key: str, rater: Membership, outcome: str, **fields: Any) -> Rating:
        item = campaign.items.get(key=key)
        return Rating.objects.create(
            **{
                "item": item,
                "rater": rater,
                "outcome": Outcome.objects.get(pk=outcome),
                "idempotency_key": str(next(numbers)),
                "payload_hash": "",
                **fields,
            }
        )

    return stored


def slot(campaign: Campaign, key: str, number: int) -> Slot:
    return Slot.objects.get(item__campaign=campaign, item__key=key, number=number)


def assign(campaign: Campaign, key: str, rater: Membership) -> Assignment:
    return Assignment.objects.create(
        item=campaign.items.get(key=key),
        rater=rater,
        slot=slot(campaign, key, 1),
        state="submitted",
    )


def show(assignment: Assignment, **times: datetime) -> None:
    suggestion, _ = Suggestion.objects.get_or_create(
        item=assignment.item, matcher="f1", version="1", score=0.5, is_correct=True
    )
    SuggestionView.objects.create(
        assignment=assignment, suggestion=suggestion, arm="before", **times
    )


@pytest.fixture
def rated(
    campaign: Campaign, ann: Membership, bob: Membership, imported: Membership, rate: Rate
) -> Campaign:
    """Items are not rated in their own order."""
    guideline = campaign.guideline
    views = {key: [assign(campaign, key, rater) for rater in (ann, bob)] for key in ("full", "odd")}
    show(
        views["full"][0], shown_at=NOON, closed_at=NOON + timedelta(seconds=4, microseconds=250_000)
    )
    show(views["full"][1], shown_at=NOON, closed_at=NOON + timedelta(minutes=31))
    show(views["odd"][0], shown_at=NOON)
    show(views["odd"][1], closed_at=NOON)
    first = rate(
        *("odd", ann, "ae:q1=yes"),
        slot=slot(campaign, "odd", 1),
        assignment=views["odd"][0],
        guideline=guideline,
        rated_at=NOON,
        seconds=1,
    )
    rate(
        *("full", bob, "ae:q1=no,q2=yes"),
        slot=slot(campaign, "full", 1),
        assignment=views["full"][1],
        guideline=guideline,
        suggestion_arm="after",
        rated_at=NOON.replace(microsecond=120_000),
        seconds=9.5,
        wording="de-1",
        comment=ODD,
    )
    rate("full", imported, "ae:not-equivalent")
    rate(
        *("odd", bob, "ae:q1=no,q2=no,q3=yes,q4=no"),
        assignment=views["odd"][1],
        suggestion_arm="hidden",
        rated_at=NOON.replace(microsecond=7),
        seconds=1e-7,
    )
    rate(
        *("full", ann, "ae:q1=yes"),
        slot=slot(campaign, "full", 2),
        assignment=views["full"][0],
        suggestion_arm="before",
        rated_at=NOON,
        seconds=0,
        comment="Plain.",
    )
    rate(
        *("odd", ann, "ae:q1=no,q2=yes"),
        slot=slot(campaign, "odd", 1),
        assignment=views["odd"][0],
        supersedes=first,
        guideline=guideline,
        suggestion_arm="before",
        rated_at=NOON + timedelta(days=1),
        seconds=1e16,
    )
    rate("odd", imported, "ae:q1=yes", slot=slot(campaign, "odd", 2), wording="de-1")
    rate("control", bob, "ae:q1=yes")
    set_aside(rater=imported, by=ann, reason="Odd.")
    return campaign


def test_lines_are_these_byte_by_byte(rated: Campaign) -> None:
    assert list(export_ratings(campaign=rated, with_comments=True)) == LINES


def test_lines_have_no_comments_unless_asked_for(rated: Campaign) -> None:
    bare = [line.replace(COMMENTS[0], "").replace(COMMENTS[1], "") for line in LINES]
    assert list(export_ratings(campaign=rated)) == bare


@pytest.mark.parametrize("many", ["_ITEMS_AT_ONCE", "_KEYS_AT_ONCE"])
def test_lines_are_the_same_however_many_items_are_read_at_once(
    rated: Campaign, monkeypatch: pytest.MonkeyPatch, many: str
) -> None:
    monkeypatch.setattr(exported_ratings, many, 1)
    assert list(export_ratings(campaign=rated, with_comments=True)) == LINES


def test_reading_may_end_before_the_last_line(rated: Campaign) -> None:
    lines = export_ratings(campaign=rated, with_comments=True)
    assert next(lines) == LINES[0]
    del lines
    make_member(rated)  # the database is no longer kept from writing
    assert next(export_ratings(campaign=rated, with_comments=True)) == LINES[0]


def test_lines_leave_out_what_their_reader_may_still_rate(rated: Campaign) -> None:
    reader = make_member(rated, "admin")
    Assignment.objects.create(
        item=rated.items.get(key="odd"), rater=reader, slot=slot(rated, "odd", 1)
    )
    Slot.objects.filter(item__key="full").update(is_filled=True)
    rated.reader = reader
    assert list(export_ratings(campaign=rated, with_comments=True)) == LINES[:3]
    reader.votes_seen_until = NOON
    assert list(export_ratings(campaign=rated)) == []


def test_lines_of_a_part_of_the_ratings(rated: Campaign) -> None:
    part = narrow(rated, Narrowing(source="imported", system="Larch"))
    assert list(export_ratings(campaign=part)) == [LINES[1]]


def test_a_statement_may_wait_for_a_slow_client(rated: Campaign) -> None:
    with CaptureQueriesContext(connection) as queries:
        list(export_ratings(campaign=rated))
    limits = [query for query in queries if "statement_timeout" in query["sql"]]
    assert len(limits) == (connection.vendor == "postgresql")


def test_a_download_that_breaks_off_ends_its_transaction(rated: Campaign) -> None:
    lines = export_ratings(campaign=rated)  # held here, as a traceback would
    batches = in_batches(lines)
    assert isinstance(lines, Generator)
    assert isinstance(batches, Generator)
    next(batches)
    batches.close()
    assert inspect.getgeneratorstate(lines) == inspect.GEN_CLOSED
