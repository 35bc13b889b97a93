"""The demo content keeps what it promises: offsets, pairing, branch rule, coverage, counts."""

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import pairwise, product

import pytest

from tests.demo.content import (
    DEMO,
    RATERS,
    SYSTEMS,
    Row,
    ae_item,
    ae_label,
    ae_reading,
    answerable_questions,
    is_exact,
    majorities,
    nominal_alpha,
    paired_items,
    read_json,
    read_lines,
    read_predictions,
    read_questions,
    tokens,
    votes,
    winners,
)

AE_READINGS = {
    "completely-different",
    "equivalent",
    "loses-information",
    "adds-information",
    "loses-and-adds",
}
CAP_CLASSES = {
    "exact",
    "equivalent",
    "alternative-correct",
    "overinclusive-valid",
    "partial",
    "overinclusive-invalid",
    "invalid",
    "contradictory",
}
RATING_FILES = ("ratings_ae.jsonl", "ratings_cap.jsonl")


def rated_unit(rating: Row) -> object:
    return rating["id"] if "id" in rating else ae_item(rating)


def test_questions_are_squad_2_with_unique_readable_ids() -> None:
    ids = [question.id for question in read_questions()]

    assert read_json("questions.json")["version"] == "v2.0"
    assert len(set(ids)) == len(ids)
    assert [key for key in ids if not re.fullmatch(r"[a-z]+-\d+", key)] == []


def test_passages_have_60_to_120_words() -> None:
    lengths = {question.document: len(question.context.split()) for question in read_questions()}

    assert {name: n for name, n in lengths.items() if not 60 <= n <= 120} == {}


def test_references_stand_at_their_offsets() -> None:
    misplaced = [
        (question.id, text)
        for question in read_questions()
        for text, start in question.answers
        if question.context[start : start + len(text)] != text
    ]

    assert misplaced == []


def test_references_are_one_to_three_unless_unanswerable() -> None:
    counts = {question.id: len(question.answers) for question in answerable_questions()}
    impossible = [question for question in read_questions() if question.is_impossible]

    assert {key: n for key, n in counts.items() if not 1 <= n <= 3} == {}
    assert [question.id for question in impossible if question.answers] == []


def test_references_of_a_question_differ_after_normalisation() -> None:
    for question in answerable_questions():
        normalised = [tuple(tokens(reference)) for reference in question.references]
        assert len(set(normalised)) == len(question.answers), question.id


def test_predictions_answer_exactly_the_answerable_questions() -> None:
    expected = {question.id for question in answerable_questions()}
    answered = {system: set(answers) for system, answers in read_predictions().items()}

    assert answered == dict.fromkeys(SYSTEMS, expected)


def test_systems_rank_otherwise_by_exact_match_than_by_ratings() -> None:
    predictions = read_predictions()
    labels = votes((ae_item(r), ae_label(r)) for r in read_lines("ratings_ae.jsonl"))
    accepted = {item for item, label in majorities(labels) if label == "equivalent"}
    exact, equivalent = Counter[str](), Counter[str]()
    for system, question in product(SYSTEMS, answerable_questions()):
        candidate = predictions[system][question.id]
        exact[system] += is_exact(candidate, question.references)
        equivalent[system] += any(
            item.candidate == candidate and item.question == question.text for item in accepted
        )

    assert exact["juniper"] > exact["thistle"] > exact["marigold"] > 0
    assert exact["thistle"] + equivalent["thistle"] < exact["marigold"] + equivalent["marigold"]


def test_ratings_ae_follow_the_branch_rule() -> None:
    ratings = read_lines("ratings_ae.jsonl")

    assert {ae_reading(rating) for rating in ratings} == AE_READINGS


@pytest.mark.parametrize(
    "answers",
    [(True, False, None, None), (False, None, None, None), (False, True, False, None)],
)
def test_branch_rule_refuses_other_answers(answers: tuple[bool | None, ...]) -> None:
    rating = dict(zip(("q1", "q2", "q3", "q4"), answers, strict=True))

    with pytest.raises(ValueError, match="branch rule"):
        ae_reading(rating)


def test_ratings_ae_spare_exact_matches() -> None:
    references = {(q.document, q.text): q.references for q in answerable_questions()}
    exact = [
        item
        for item in map(ae_item, read_lines("ratings_ae.jsonl"))
        if is_exact(item.candidate, references[item.document, item.question])
    ]

    assert exact == []


def test_majority_readings_ae_cover_every_outcome() -> None:
    readings = votes((ae_item(r), ae_reading(r)) for r in read_lines("ratings_ae.jsonl"))

    counts = Counter(reading for _, reading in majorities(readings))

    assert {reading for reading, n in counts.items() if n >= 2} == AE_READINGS


def test_equivalent_majorities_ae_include_pairs_without_a_common_token() -> None:
    labels = votes((ae_item(r), ae_label(r)) for r in read_lines("ratings_ae.jsonl"))
    f1_is_zero = [
        item.candidate
        for item, label in majorities(labels)
        if label == "equivalent" and not set(tokens(item.reference)) & set(tokens(item.candidate))
    ]

    assert {"CO2", "about 12,448 feet", "The southern lights", "Around 20 percent"} <= {*f1_is_zero}
    assert len(f1_is_zero) >= 10


def test_items_cap_have_unique_ids_and_the_passages_of_the_questions() -> None:
    items = read_lines("items_cap.jsonl")
    passages = {(question.document, question.context) for question in read_questions()}

    assert len({item["id"] for item in items}) == len(items) >= 48
    assert {(item["document"], item["context"]) for item in items} <= passages
    assert {system for item in items for system in item["systems"]} == {*SYSTEMS}


def test_majority_labels_cap_cover_every_class_four_times() -> None:
    labels = votes((r["id"], r["label"]) for r in read_lines("ratings_cap.jsonl"))

    counts = Counter(label for _, label in majorities(labels))

    assert {label for label, n in counts.items() if n >= 4} == CAP_CLASSES
    assert set(counts) == CAP_CLASSES


def test_majority_label_cap_is_exact_only_for_a_reference() -> None:
    items = {item["id"]: item for item in read_lines("items_cap.jsonl")}
    labels = votes((r["id"], r["label"]) for r in read_lines("ratings_cap.jsonl"))

    for key, label in majorities(labels):
        exact = is_exact(items[key]["candidate"], items[key]["references"])
        assert (label == "exact") == exact, key


@pytest.mark.parametrize("name", RATING_FILES)
def test_ratings_are_one_per_rater_and_item(name: str) -> None:
    pairs = Counter((rated_unit(rating), rating["rater"]) for rating in read_lines(name))

    assert {pair for pair, n in pairs.items() if n > 1} == set()
    assert {rater for _, rater in pairs} == {*RATERS}


@pytest.mark.parametrize("name", RATING_FILES)
def test_ratings_of_a_rater_follow_one_another(name: str) -> None:
    for rater in RATERS:
        spans = [
            (ended - timedelta(seconds=rating["seconds"]), ended)
            for rating in read_lines(name)
            if rating["rater"] == rater
            for ended in [datetime.fromisoformat(rating["created_at"])]
        ]
        assert all(earlier[1] < later[0] for earlier, later in pairwise(spans)), rater


@pytest.mark.parametrize("name", RATING_FILES)
def test_ratings_took_plausible_time_in_2026(name: str) -> None:
    ratings = read_lines(name)
    times = [datetime.fromisoformat(rating["created_at"]) for rating in ratings]

    assert {rating["seconds"] for rating in ratings} <= {*range(6, 41)}
    assert {(time.year, time.tzinfo) for time in times} == {(2026, UTC)}
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("name", "items"),
    [
        ("ratings_ae.jsonl", paired_items()),
        ("ratings_cap.jsonl", {item["id"] for item in read_lines("items_cap.jsonl")}),
    ],
)
def test_ratings_leave_items_for_visitors(name: str, items: set[object]) -> None:
    rated = Counter(rated_unit(rating) for rating in read_lines(name))

    assert set(rated) <= items
    assert 0.5 <= len(rated) / len(items) <= 0.65
    assert set(rated.values()) == {1, 2, 3}


def stated_counts() -> dict[str, tuple[str, str]]:
    """The table of counts in the README: name of the count to its values for ae and cap."""
    table = (DEMO / "README.md").read_text(encoding="utf-8").split("## Counts")[1].split("## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", table, re.MULTILINE)
    return {name: (ae, cap) for name, ae, cap in rows[2:]}


def rating_counts(labels: dict[object, list[str]]) -> list[str]:
    return [
        str(len(labels)),
        str(sum(map(len, labels.values()))),
        str(sum(len(given) == 3 for given in labels.values())),
        str(sum(len(winners(given)) > 1 for given in labels.values())),
        f"{nominal_alpha(labels):.3f}",
    ]


def test_readme_states_the_counts_of_the_files() -> None:
    questions, items_cap = read_questions(), read_lines("items_cap.jsonl")
    impossible = sum(question.is_impossible for question in questions)
    ae = [
        *map(str, (len({q.document for q in questions}), len(questions) - impossible, impossible)),
        str(len(paired_items())),
        *rating_counts(votes((ae_item(r), ae_label(r)) for r in read_lines("ratings_ae.jsonl"))),
    ]
    cap = [
        str(len({item["document"] for item in items_cap})),
        str(len({item["question"] for item in items_cap})),
        "0",
        str(len(items_cap)),
        *rating_counts(votes((r["id"], r["label"]) for r in read_lines("ratings_cap.jsonl"))),
    ]

    assert list(stated_counts().values()) == list(zip(ae, cap, strict=True))


CALIBRATION_FILES = ("calibration_ae.jsonl", "calibration_cap.jsonl")


@pytest.mark.parametrize(("name", "number"), [*zip(CALIBRATION_FILES, (6, 8), strict=True)])
def test_calibration_items_are_distinct_and_explained(name: str, number: int) -> None:
    items = read_lines(name)

    assert len({item["id"] for item in items}) == len(items) == number
    assert {item["purpose"] for item in items} == {"calibration"}
    assert [item["id"] for item in items if len(item["explanation"].split()) < 8] == []
    assert [item["id"] for item in items if not 60 <= len(item["context"].split()) <= 120] == []


@pytest.mark.parametrize("name", CALIBRATION_FILES)
def test_calibration_items_share_no_document_with_what_is_rated(name: str) -> None:
    documents = {question.document for question in read_questions()}

    assert {item["document"] for item in read_lines(name)} & documents == set()


def test_calibration_items_ae_go_every_way_and_spare_exact_matches() -> None:
    items = read_lines("calibration_ae.jsonl")

    assert {ae_reading(item) for item in items} == AE_READINGS
    assert [item["id"] for item in items if is_exact(item["candidate"], item["references"])] == []


def test_calibration_items_cap_have_every_class_once() -> None:
    items = read_lines("calibration_cap.jsonl")

    assert sorted(item["expected"] for item in items) == sorted(CAP_CLASSES)
    for item in items:
        exact = is_exact(item["candidate"], item["references"])
        assert (item["expected"] == "exact") == exact, item["id"]


def test_licence_is_cc0() -> None:
    assert "CC0 1.0 Universal" in (DEMO / "LICENSE").read_text(encoding="utf-8")
