"""Accuracy, labels and differences of systems, on small campaigns by hand."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tasks.agreement.figures.systems_figures import systems_figures
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign
from tests.tasks.conftest import MakeCampaign, item_row, rating_row
from tomahto.interchange.reading.records import PredictionRecord, QuestionRecord, RatingRow, Source

BOTH = ("juniper", "larch")


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=0, overlap=1)


def fill(campaign: Campaign, items: Mapping[int, tuple[int, tuple[str, ...], str]]) -> None:
    """Items by number: their question, their systems, and their votes (e or n each)."""
    import_items(
        campaign=campaign,
        rows=[
            item_row(
                number,
                question_key=f"question-{question}",
                question=f"Question {question}?",
                context=f"Passage {question}.",
                references=(f"reference {number}",),
                candidate=f"what {' and '.join(systems)} answered",
                document=f"document-{question}",
                systems=systems,
            )
            for number, (question, systems, _votes) in items.items()
        ],
    )
    import_ratings(
        campaign=campaign,
        rows=[
            rating_row(number, f"rater-{place}", "equivalent" if vote == "e" else "not-equivalent")
            for number, (_question, _systems, votes) in items.items()
            for place, vote in enumerate(votes)
        ],
    )


def predict(campaign: Campaign, system: str, answers: dict[int, str]) -> None:
    """A system's answers to questions by number, imported as predictions are."""
    import_predictions(
        campaign=campaign,
        system=system,
        records=[
            PredictionRecord(Source("predictions.jsonl", n), f"question-{n}", text)
            for n, text in answers.items()
        ],
    )


def shares(row: dict[str, Any]) -> dict[str, tuple[float | None, int]]:
    return {name: (each["value"], each["n"]) for name, each in row["accuracy"].items()}


def test_a_candidate_is_correct_if_any_of_its_items_is(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, overlap=2)
    fill(
        campaign,
        {
            1: (1, ("juniper",), "ee"),
            2: (1, ("juniper",), "nn"),  # another reference of the same question
            3: (2, ("juniper",), "nn"),
            4: (3, ("juniper",), "en"),  # a tie: open
            5: (4, ("juniper",), ""),  # not rated
            6: (5, ("juniper",), "ee"),
            7: (5, ("juniper",), ""),  # of this candidate one item is not rated
        },
    )
    (found,) = systems_figures(campaign)["systems"]
    assert {name: value for name, value in found.items() if name != "accuracy"} == {
        "system": "juniper",
        "candidates": 5,
        "exact_matches": 0,
        "empty_answers": 0,
        "judged_candidates": 2,  # questions 1 and 2
        "items": 7,
        "rated_items": 5,
        "unrated_items": 2,
        "labels": {"equivalent": 2, "not-equivalent": 2, "tie": 1},
    }
    # items 1 and 6 of 1, 2, 3 and 6; candidates: 1 right and 2 wrong
    assert shares(found) == {
        "items": (0.5, 4),
        "candidates": (0.5, 2),
        "with_exact_matches": (0.5, 2),
    }


def test_exact_matches_count_as_correct_and_for_no_more_than_they_are(campaign: Campaign) -> None:
    votes = {1: "e", 2: "n", 3: "", 4: "", 5: "", 6: ""}
    fill(campaign, {n: (n, ("larch",), vote) for n, vote in votes.items()})
    predict(campaign, "juniper", {1: "reference 1", 2: "Reference 2.", 3: "elsewhere"})
    systems = {row["system"]: row for row in systems_figures(campaign)["systems"]}
    juniper = systems["juniper"]
    assert (juniper["candidates"], juniper["exact_matches"]) == (3, 2)
    assert juniper["accuracy"]["with_exact_matches"]["value"] is None
    assert juniper["accuracy"]["with_exact_matches"]["reason"] == (
        "none of those that are to be rated is judged"
    )
    assert shares(systems["larch"])["candidates"] == (0.5, 2)

    item = campaign.items.get(question__key="question-3", item_systems__system__name="juniper")
    import_ratings(
        campaign=campaign,
        rows=[replace(rating_row(0, "ann", "not-equivalent"), item_id=item.key)],
    )
    systems = {row["system"]: row for row in systems_figures(campaign)["systems"]}
    # two exact matches of three candidates, and the third is wrong
    assert shares(systems["juniper"]) == {
        "items": (0.0, 1),
        "candidates": (0.0, 1),
        "with_exact_matches": (pytest.approx(2 / 3), 3),
    }


def test_systems_come_best_first_with_their_paired_difference(
    campaign: Campaign,
) -> None:
    # on 12 shared questions juniper is right in 6 where larch is not, larch in 2, both in 4
    items = {}
    for question in range(1, 13):
        juniper, larch = ("e", "n") if question <= 6 else ("n", "e") if question <= 8 else "ee"
        items[2 * question] = (question, ("juniper",), juniper)
        items[2 * question + 1] = (question, ("larch",), larch)
    fill(campaign, items)
    figures = systems_figures(campaign)
    assert {row["system"]: shares(row)["candidates"] for row in figures["systems"]} == {
        "juniper": (10 / 12, 12),
        "larch": (6 / 12, 12),
    }
    assert [row["system"] for row in figures["systems"]] == ["juniper", "larch"]
    (difference,) = figures["differences"]
    assert (difference["better"], difference["worse"]) == ("juniper", "larch")
    assert (difference["shared"], difference["n"]) == (12, 12)
    assert difference["value"] == pytest.approx(4 / 12)
    # with half a 1 and half a -1, 13 differences have a mean of 4 / 13 and a standard deviation of
    # sqrt(9 / 13 - (4 / 13)^2) = 0.773; of 12, the reach is sqrt(12 / 11) 2.201 = 2.299
    width = difference["high"] - difference["low"]
    assert width == pytest.approx(2 * 2.299 * 0.773 / 12**0.5, rel=0.15)


def test_every_two_systems_have_a_difference_the_better_in_the_order_first(
    campaign: Campaign,
) -> None:
    votes = {"juniper": "eeee", "larch": "eeen", "maple": "eenn"}
    items = {
        4 * place + question: (question, (system,), vote)
        for place, (system, each) in enumerate(votes.items())
        for question, vote in enumerate(each)
    }
    fill(campaign, items)
    assert [
        (row["better"], row["worse"], row["value"])
        for row in systems_figures(campaign)["differences"]
    ] == [("juniper", "larch", 0.25), ("juniper", "maple", 0.5), ("larch", "maple", 0.25)]


def test_one_candidate_of_two_systems_counts_for_both_and_makes_no_difference(
    campaign: Campaign,
) -> None:
    fill(campaign, {n: (n, BOTH, "en"[n % 2]) for n in range(1, 9)})
    figures = systems_figures(campaign)
    assert [shares(row)["candidates"] for row in figures["systems"]] == [(0.5, 8)] * 2
    (difference,) = figures["differences"]
    # eight questions without a difference do not show that there is none
    assert difference["value"] == 0
    assert -0.4 < difference["low"] < 0 < difference["high"] < 0.4


def test_systems_without_a_common_question_have_no_difference(campaign: Campaign) -> None:
    fill(campaign, {1: (1, ("juniper",), "e"), 2: (2, ("larch",), "n")})
    (difference,) = systems_figures(campaign)["differences"]
    assert (difference["value"], difference["shared"], difference["reason"]) == (
        None,
        0,
        "they answer no question both",
    )


def test_a_system_without_a_rating_comes_last_with_the_reason(campaign: Campaign) -> None:
    fill(campaign, {1: (1, ("alder",), ""), 2: (2, ("larch",), "n")})
    found = systems_figures(campaign)["systems"]
    assert [row["system"] for row in found] == ["larch", "alder"]
    assert {name: each["reason"] for name, each in found[1]["accuracy"].items()} == {
        "items": "no item has a majority label",
        "candidates": "none of those that are to be rated is judged",
        "with_exact_matches": "none of those that are to be rated is judged",
    }


def test_a_campaign_without_systems_has_nothing_to_rank(make_campaign: MakeCampaign) -> None:
    assert systems_figures(make_campaign(items=0)) == {"systems": [], "differences": []}


def test_an_empty_answer_is_wrong_without_being_rated(db: None) -> None:
    """Nine of ten questions left without an answer are no reason to call a system right."""
    campaign = create_campaign(slug="silence", protocol="ae", overlap=1)
    source = Source("q.jsonl", 1)
    questions = [
        QuestionRecord(source, f"q{n}", "d", f"what is {n}?", "", (f"lake {n}",), (None,))
        for n in range(10)
    ]
    import_questions(campaign=campaign, records=questions)
    given = ["the pool", *[""] * 9]
    records = [PredictionRecord(source, f"q{n}", text) for n, text in enumerate(given)]
    import_predictions(campaign=campaign, system="mute", records=records)
    (item,) = campaign.items.all()
    rating = RatingRow(source, None, item.key, "rater", "equivalent")
    import_ratings(campaign=campaign, rows=[rating])
    (found,) = systems_figures(campaign)["systems"]
    assert (found["candidates"], found["empty_answers"], found["unrated_items"]) == (10, 9, 0)
    assert shares(found)["with_exact_matches"] == (0.1, 10)
    assert shares(found)["candidates"] == (1.0, 1)
