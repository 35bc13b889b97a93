"""Golden values: the official script evaluate-v2.0.py, called on the same data."""

import math

import pytest

from tomahto.scoring.squad import SquadQuestion, UnscorableQuestion, squad_v2

QUESTIONS = (
    SquadQuestion("capital", ("Paris", "the city of Paris", "Paris")),
    SquadQuestion("year", ("in 1066", "1066 AD")),
    SquadQuestion("article", ("the",)),  # no gold answer has tokens: only silence is right
    SquadQuestion("nobody", ()),
    SquadQuestion("nothing", ()),
    SquadQuestion("river", ("the river Seine in France",)),
    SquadQuestion("blank", ()),
)
PREDICTIONS = {
    "capital": "PARIS!",
    "year": "the year 1066",
    "article": "",
    "nobody": "a",  # no tokens, so right; but not silent, which the best thresholds look at
    "nothing": "Attila",
    "river": "the Seine in the north of France",
    "blank": "",
    "elsewhere": "a question that the data do not hold",
}
NA_PROBS = {
    "river": 0.4,
    "nothing": 0.4,
    "elsewhere": 0.1,
    "capital": 0.1,
    "nobody": 0.9,
    "year": 0.3,
    "article": 0.4,
    "blank": 1,
}


def test_squad_v2_gives_nine_values_without_probabilities() -> None:
    # exact: capital 1, year 0, article 1, river 0; nobody 1, nothing 0, blank 1
    # F1 year: year 1066 / in 1066: P = R = 1/2; river: seine in north of france /
    # river seine in france: 3 shared, P = 3/5, R = 3/4, F1 = 2/3
    assert squad_v2(QUESTIONS, PREDICTIONS).as_json() == {
        "exact": 57.142857142857146,
        "f1": 73.80952380952381,
        "total": 7,
        "HasAns_exact": 50.0,
        "HasAns_f1": 79.16666666666666,
        "HasAns_total": 4,
        "NoAns_exact": 66.66666666666667,
        "NoAns_f1": 66.66666666666667,
        "NoAns_total": 3,
    }


def test_squad_v2_gives_thirteen_values_with_probabilities() -> None:
    # Above 0.35: river 0, nothing 1, nobody 1, article 0, blank 1; below: capital 1, year 0 and 0.5
    # Best: start at 3 (no answer), capital +1 = 4, year +0 and +0.5, then at 0.4 river +0 and
    # +2/3, nothing -1, article +1: exact 4 from 0.1 on, F1 31/6 after river, 31/6 after article.
    values = squad_v2(QUESTIONS, PREDICTIONS, na_probs=NA_PROBS, na_threshold=0.35).as_json()
    assert list(values.items()) == [
        ("exact", 57.142857142857146),
        ("f1", 64.28571428571429),
        ("total", 7),
        ("HasAns_exact", 25.0),
        ("HasAns_f1", 37.5),
        ("HasAns_total", 4),
        ("NoAns_exact", 100.0),
        ("NoAns_f1", 100.0),
        ("NoAns_total", 3),
        ("best_exact", 57.142857142857146),
        ("best_exact_thresh", 0.1),
        ("best_f1", 73.80952380952381),
        ("best_f1_thresh", 0.4),
    ]


def test_squad_v2_decides_equal_probabilities_by_the_order_of_their_file() -> None:
    questions = [SquadQuestion("answered", ["x"]), SquadQuestion("unanswerable", [])]
    predictions = {"answered": "x", "unanswerable": "y"}
    # Start at 1; x first: 2, then 1. y first: 0, then 1, never above the start.
    x_first = squad_v2(questions, predictions, na_probs={"answered": 0.5, "unanswerable": 0.5})
    y_first = squad_v2(questions, predictions, na_probs={"unanswerable": 0.5, "answered": 0.5})
    assert (x_first.as_json()["best_exact"], x_first.as_json()["best_exact_thresh"]) == (100.0, 0.5)
    assert (y_first.as_json()["best_exact"], y_first.as_json()["best_exact_thresh"]) == (50.0, 0.0)


def test_squad_v2_gives_a_best_threshold_as_the_file_writes_it() -> None:
    values = squad_v2([SquadQuestion("q", ["x"])], {"q": "x"}, na_probs={"q": 1}).as_json()
    assert repr(values["best_f1_thresh"]) == "1"


def test_squad_v2_scores_a_missing_prediction_as_empty_on_request() -> None:
    questions = [SquadQuestion("asked", ["x"]), SquadQuestion("unanswerable", [])]
    scores = squad_v2(questions, {}, missing="empty", na_probs={"asked": 0, "unanswerable": 0})
    assert scores == squad_v2(
        questions,
        {"asked": "", "unanswerable": ""},
        na_probs={"asked": 0, "unanswerable": 0},
    )
    assert (scores.overall.exact, scores.overall.total) == (50.0, 2)


@pytest.mark.parametrize(
    ("predictions", "na_probs", "question", "problem", "source"),
    [
        ({"one": "x"}, None, "two", "has no prediction", "predictions"),
        ({"one": "x", "two": "x"}, {"two": 0.5}, "one", "has no no-answer probability", "na_probs"),
        (
            {"one": "x", "two": "x"},
            {"one": 0.5, "two": math.nan},
            "two",
            "has the no-answer probability nan",
            "na_probs",
        ),
    ],
)
def test_squad_v2_names_the_question_it_cannot_score(
    predictions: dict[str, str],
    na_probs: dict[str, float] | None,
    question: str,
    problem: str,
    source: str,
) -> None:
    questions = [SquadQuestion("one", ["x"]), SquadQuestion("two", [])]
    with pytest.raises(UnscorableQuestion) as caught:
        squad_v2(questions, predictions, na_probs=na_probs)
    assert str(caught.value) == f"question {question!r} {problem}"
    error = caught.value
    assert (error.question, error.problem, error.source) == (question, problem, source)


def test_squad_v2_refuses_a_question_that_is_there_twice_and_data_without_questions() -> None:
    with pytest.raises(UnscorableQuestion, match="question 'q' occurs twice in the data"):
        squad_v2([SquadQuestion("q", ["x"]), SquadQuestion("q", [])], {"q": "x"})
    with pytest.raises(ValueError, match="there is no question to score"):
        squad_v2([], {"q": "x"})
