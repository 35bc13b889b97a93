"""Figures of a part of the ratings: what leaves which out, and what cannot be asked for."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import parse_qsl

import pytest
from pytest_django import Settings

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.agreement.figures.figures import FIGURES, NARROWED, NotNarrowedError, require_narrowed
from tasks.campaigns.workflow.campaign import publish_guideline
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, ItemOrder, Narrowing, Rating
from tasks.rating.workflow.assignment import claim_item
from tasks.votes.ratings import NarrowingError, counted_ratings, narrow, narrowing_of
from tests.stored_at_once import store_items
from tests.tasks.conftest import (
    EQUIVALENT,
    YES_DIFFERENT,
    MakeCampaign,
    MakeMember,
    item_row,
    rate_next,
    rating_row,
)
from tests.tomahto.oracles import AnsweredLabel, fold_ratings
from tomahto.reliability.report import agreement_report
from tomahto.votes.answer_patterns import AnswerColumns
from tomahto.votes.patterns import pair_tables_from_votes
from tomahto.votes.scheme import question_parts

ITEMS = range(1, 7)
SYSTEMS = (("juniper",), ("juniper", "larch"), ("larch",))  # of two items each
# in Berlin the last second of a day, and the first of the next
FIRST_OF_MAY = datetime(2024, 5, 1, 21, 59, 59, tzinfo=UTC)
SECOND_OF_MAY = datetime(2024, 5, 1, 22, 0, 0, tzinfo=UTC)
THIRD_OF_MAY = datetime(2024, 5, 2, 22, 0, 0, tzinfo=UTC)
NEVER = datetime.max.replace(tzinfo=UTC)
Asked = Mapping[str, str]
IsIn = Callable[[Rating], bool]


@pytest.fixture
def campaign(make_campaign: MakeCampaign, make_member: MakeMember, settings: Settings) -> Campaign:
    """Two people rate six items today, three under each of two versions of the guidelines. Files
    hold the ratings of three more, on two days of 2024 and of no known time."""
    settings.TIME_ZONE = "Europe/Berlin"
    campaign = make_campaign(items=0, overlap=2, item_order=ItemOrder.OLDEST)
    store_items(campaign, [item_row(n, systems=SYSTEMS[(n - 1) // 2]) for n in ITEMS])
    people = [make_member(campaign), make_member(campaign)]
    for text in ("", "Judge what is meant."):
        if text:
            publish_guideline(campaign=campaign, text=text)
        for place, person in enumerate(people):
            person.refresh_from_db()
            answers = (EQUIVALENT, YES_DIFFERENT, EQUIVALENT)
            assert all(rate_next(person, answers[n * place]) for n in range(3))
    days = {"ann": FIRST_OF_MAY, "ben": SECOND_OF_MAY, "eve": None}
    rows = [
        rating_row(
            n, rater, "not-equivalent" if n % divisor == 0 else "equivalent", rated_at=days[rater]
        )
        for divisor, rater in enumerate(days, start=2)
        for n in ITEMS
    ]
    import_ratings(campaign=campaign, rows=rows)
    return campaign


def version(rating: Rating) -> int:
    return rating.guideline.version if rating.guideline else 0


def at(rating: Rating) -> datetime:
    return rating.rated_at or NEVER


CASES: list[tuple[Asked, int, IsIn]] = [
    ({}, 30, lambda _rating: True),
    ({"system": "juniper"}, 20, lambda rating: "juniper" in rating.item.system_names),
    ({"since": "2024-05-01"}, 24, lambda rating: rating.rated_at is not None),
    ({"since": "2024-05-02"}, 18, lambda rating: SECOND_OF_MAY <= at(rating) < NEVER),
    ({"since": "2024-05-03"}, 12, lambda rating: rating.assignment_id is not None),
    ({"until": "2024-05-01"}, 6, lambda rating: at(rating) < SECOND_OF_MAY),
    ({"until": "2024-05-02"}, 12, lambda rating: at(rating) < THIRD_OF_MAY),
    ({"until": "2024-04-30"}, 0, lambda _rating: False),
    ({"guideline": "1"}, 6, lambda rating: version(rating) == 1),
    ({"guideline": "2"}, 6, lambda rating: version(rating) == 2),
    ({"guideline": "0"}, 18, lambda rating: version(rating) == 0),
    ({"source": "rated"}, 12, lambda rating: rating.assignment_id is not None),
    ({"source": "imported"}, 18, lambda rating: rating.assignment_id is None),
    (
        {"system": "larch", "guideline": "1"},
        2,
        lambda rating: "larch" in rating.item.system_names and version(rating) == 1,
    ),
    (
        {"since": "2024-05-02", "until": "2024-05-02", "system": "juniper", "guideline": "0"},
        4,
        lambda rating: (
            SECOND_OF_MAY <= at(rating) < THIRD_OF_MAY and "juniper" in rating.item.system_names
        ),
    ),
    ({"source": "imported", "guideline": "1"}, 0, lambda _rating: False),
]


def narrowed(campaign: Campaign, **asked: str) -> Campaign:
    return narrow(campaign, narrowing_of(campaign, asked))


def report_of(campaign: Campaign, ratings: list[Rating]) -> dict[str, Any]:
    """The agreement of a campaign that has these ratings only, counted from records."""
    scheme = campaign.annotation_protocol.scheme
    votes: dict[int, dict[str, str]] = {}
    answers: dict[int, dict[int, list[AnsweredLabel]]] = {}
    for rating in ratings:
        outcome = rating.outcome
        votes.setdefault(rating.item_id, {})[rating.rater.pseudonym] = outcome.label
        of_question = answers.setdefault(rating.item.question_id, {})
        of_question.setdefault(rating.item_id, []).append((outcome.label, outcome.answers))
    columns = AnswerColumns(scheme, question_parts(campaign.annotation_protocol.question_schemes))
    patterns = fold_ratings(columns, [items.values() for items in answers.values()])
    pairs = pair_tables_from_votes(scheme, votes.values())
    return agreement_report("ae", patterns, pairs, seed=campaign.seed).as_json()


def test_narrowed_agreement_is_that_of_the_ratings_that_are_left(campaign: Campaign) -> None:
    everything = list(
        counted_ratings(campaign).select_related("rater", "outcome", "item", "guideline")
    )
    for asked, number, is_in in CASES:
        left = [rating for rating in everything if is_in(rating)]
        assert len(left) == number, asked
        part = narrowed(campaign, **asked)
        assert agreement_of(part).as_json() == report_of(campaign, left), asked
    assert len(everything) == counted_ratings(campaign).count() == 30  # narrowed for itself alone


def test_every_figure_of_a_part_counts_the_ratings_that_are_left(campaign: Campaign) -> None:
    part = narrowed(campaign, source="imported", until="2024-05-01")
    figures = {name: FIGURES[name](part) for name in NARROWED & FIGURES.keys()}
    ann = campaign.memberships.get(name="ann").pseudonym
    done = {each["rater"]: each["items"] for each in figures["raters"]["raters"]}
    assert {rater: items for rater, items in done.items() if items} == {ann: 6}
    assert sum(label["votes"] for label in figures["classes"]["labels"]) == 6
    assert [period["start"] for period in figures["time"]["periods"]] == ["2024-05-01"]
    assert [each["version"] for each in figures["time"]["versions"]] == [None]
    assert figures["agreement"]["ratings_per_item"] == {"1": 6}


def test_work_of_raters_is_counted_in_the_part(campaign: Campaign, make_member: MakeMember) -> None:
    rows = [rating_row(1, "flo", "equivalent", counted=False, seconds=4.0, rated_at=FIRST_OF_MAY)]
    import_ratings(campaign=campaign, rows=rows)
    names = dict(campaign.memberships.values_list("name", "pseudonym"))

    def work(**asked: str) -> dict[str, tuple[Any, ...]]:
        rows = FIGURES["raters"](narrowed(campaign, **asked))["raters"]
        found = {row["rater"]: row for row in rows}
        fields = ("items", "surplus", "seconds_total", "last_rated_at")
        return {
            name: tuple(found[names[name]][field] for field in fields) for name in ("ann", "flo")
        }

    time = FIRST_OF_MAY.isoformat()
    assert work(system="juniper") == {"ann": (4, 0, None, time), "flo": (0, 1, 4.0, time)}
    assert work(system="larch") == {"ann": (4, 0, None, time), "flo": (0, 0, None, None)}
    assert work(since="2024-05-02") == dict.fromkeys(("ann", "flo"), (0, 0, None, None))


def test_a_reader_gets_no_votes_of_a_part_that_they_may_not_know(
    campaign: Campaign, make_member: MakeMember
) -> None:
    store_items(campaign, [item_row(7, systems=("juniper",))])
    ratings = [rating_row(7, "ann", "equivalent", rated_at=FIRST_OF_MAY)]
    import_ratings(campaign=campaign, rows=ratings)
    part = narrowed(campaign, system="juniper", until="2024-05-01")
    assert counted_ratings(part).count() == 5
    late = make_member(campaign)
    assert claim_item(membership=late)
    late.refresh_from_db()
    part.reader = late
    assert counted_ratings(part).count() == 4


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"system": "rowan"}, "system: there is no 'rowan'; known: juniper, larch"),
        ({"system": "\0"}, "system: there is no '\\x00'; known: juniper, larch"),
        ({"guideline": "3"}, "guideline: there is no '3'; known: 0, 1, 2"),
        ({"guideline": "01"}, "guideline: there is no '01'; known: 0, 1, 2"),
        ({"source": "drawn"}, "source: there is no 'drawn'; known: rated, imported"),
        (
            {"since": "2024-05-02", "until": "2024-05-01"},
            "since: 2024-05-02 is later than until, 2024-05-01",
        ),
        *(
            (
                {"until": text},
                f"until: {text!r} is not a day from 1900-01-01 to 2999-12-31, written like these",
            )
            for text in ("May", "2024-02-30", "20240501", "1899-12-31", "9999-12-31", "0001-01-01")
        ),
    ],
)
def test_what_there_is_not_is_refused_by_name(campaign: Campaign, asked: Asked, error: str) -> None:
    with pytest.raises(NarrowingError) as caught:
        narrowing_of(campaign, asked)
    assert (str(caught.value), caught.value.parameter) == (error, next(iter(asked)))


def test_the_key_is_one_for_what_is_asked_and_leads_back(campaign: Campaign) -> None:
    asked = {"source": "rated", "guideline": "0", "since": "2024-05-01", "until": "", "page": "2"}
    narrowing = narrowing_of(campaign, asked)
    assert narrowing == Narrowing(since=date(2024, 5, 1), guideline=0, source="rated")
    assert narrowing.key == "since=2024-05-01&guideline=0&source=rated"
    assert narrowing_of(campaign, dict(parse_qsl(narrowing.key))) == narrowing
    campaign.systems.create(name=" jüniper & söhne=1 ")
    named = Narrowing(system=" jüniper & söhne=1 ")
    assert narrowing_of(campaign, dict(parse_qsl(named.key))) == named
    assert (Narrowing().key, narrowing_of(campaign, {})) == ("", Narrowing())


def test_figures_of_all_ratings_refuse_a_part(campaign: Campaign) -> None:
    part = narrowed(campaign, source="rated")
    for name in NARROWED:
        require_narrowed(part, name)
    for name in FIGURES:
        require_narrowed(narrowed(campaign), name)
    with pytest.raises(NotNarrowedError, match="figures 'labels' cover all ratings only"):
        require_narrowed(part, "labels")
