"""Scoring of a submission, by hand and by what must hold, and leaderboards of several."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.benchmark import Benchmark, BenchmarkQuestion
from tomahto.lab.leaderboard import (
    AT_MOST,
    EM,
    EM_ACCEPTED,
    F1,
    F1_ACCEPTED,
    Row,
    Settled,
    SubmissionScores,
    metrics_with,
    pack_scores,
    score_submission,
    standings,
    unpack_scores,
)
from tomahto.matching.interface import Pair
from tomahto.ranking.ranks import RankSet
from tomahto.text.normalisation import ExactRule, exact_match

BOOTSTRAP = Bootstrap(100, seed=4)


class Longer:
    """Calls a candidate of at least three words right. Cannot read "unreadable"."""

    name, version, threshold = "longer", "longer|v1", 0.6

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        if any(pair.candidate == "unreadable" for pair in pairs):
            raise ValueError("cannot read it")
        return [min(1.0, len(pair.candidate.split()) / 5) for pair in pairs]


def question(
    number: int,
    references: tuple[str, ...] = ("red fox",),
    accepted: tuple[str, ...] = (),
    verdicts: Mapping[str, bool | None] | None = None,
) -> BenchmarkQuestion:
    return BenchmarkQuestion(f"q{number}", "Which?", "", references, accepted, verdicts or {})


def benchmark(*questions: BenchmarkQuestion) -> Benchmark:
    return Benchmark("d" * 64, "test", questions, 0, has_verdicts=True, exact_rule=ExactRule.SQUAD)


SAMPLE = benchmark(
    question(1),
    question(2, accepted=("vulpes",), verdicts={"vulpes": True, "dog": False}),
    question(3, accepted=("vulpes",), verdicts={"vulpes": True, "dog": False}),
    question(4),
    question(5),
    question(6),
)
PREDICTIONS = {
    "q1": "The red fox!",  # an exact match
    "q2": "Vulpes.",  # accepted
    "q3": "a dog",  # judged wrong
    "q4": "the red deer over there",  # open; shares one of four and of two tokens: F1 1/3
    "q5": " ",  # blank; q6 is missing
}


def test_a_submission_by_hand() -> None:
    found = score_submission(SAMPLE, PREDICTIONS, [Longer()])
    assert {key: values.tolist() for key, values in found.scores.items()} == {
        "em": [1, 0, 0, 0, 0, 0],
        "em_accepted": [1, 1, 0, 0, 0, 0],
        "f1": [1, 0, 0, pytest.approx(1 / 3), 0, 0],
        "f1_accepted": [1, 1, 0, pytest.approx(1 / 3), 0, 0],
        "at_most": [1, 1, 0, 1, 0, 0],
        "longer": [1, 0, 0, 1, 0, 0],
    }
    assert found.settled == Settled(
        missing=1, blank=1, exact=1, judged_right=1, judged_wrong=1, open=1
    )
    assert found.failures == {}
    assert [metric.key for metric in found.metrics if not metric.is_ranked] == ["at_most"]


@pytest.mark.parametrize(
    ("rule", "accepted", "settled"),
    [
        (ExactRule.SQUAD, [1, 1], Settled(0, 0, exact=1, judged_right=1, judged_wrong=0, open=0)),
        (ExactRule.STRICT, [0, 0], Settled(0, 0, exact=0, judged_right=0, judged_wrong=0, open=2)),
    ],
)
def test_the_rule_of_the_release_says_which_answers_are_the_same(
    rule: ExactRule, accepted: list[int], settled: Settled
) -> None:
    asked = [question(1, ("-5",)), question(2, ("Rust",), ("C++",), {"C++": True})]
    found = score_submission(
        replace(benchmark(*asked), exact_rule=rule), {"q1": "5", "q2": "C#"}, []
    )
    assert found.scores["em"].tolist() == [1, 0]  # as published, whatever the rule
    assert found.scores["em_accepted"].tolist() == accepted
    assert found.settled == settled


def test_versions_tell_metrics_apart_that_differ_in_their_answers() -> None:
    metrics = metrics_with([Longer()])
    assert len({metric.version for metric in metrics}) == len(metrics) == 6
    assert metrics[-1].threshold == 0.6


def test_a_matcher_that_cannot_read_an_answer_scores_nothing() -> None:
    found = score_submission(SAMPLE, {"q1": "unreadable", "q2": "dog"}, [Longer()])
    assert "longer" not in found.scores
    assert found.failures == {
        "longer": "1 of 2 answers could not be scored: ValueError: cannot read it"
    }


def test_predictions_to_other_questions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^no question 'q7', and 2 unknown in all$"):
        score_submission(SAMPLE, {"q1": "a", "q8": "b", "q7": "c"}, [])


_TEXTS = st.sampled_from(["", " ", "the", "red fox", "fox", "a dog", "vulpes", "Vulpes!", "red"])
_PREDICTIONS = st.dictionaries(st.sampled_from([f"q{n}" for n in range(1, 7)]), _TEXTS)


@given(_PREDICTIONS)
def test_what_must_hold_of_every_submission(predictions: dict[str, str]) -> None:
    found = score_submission(SAMPLE, predictions, [])
    scores, settled = found.scores, found.settled
    assert settled.questions == len(SAMPLE.questions)
    assert (scores[EM.key] <= scores[EM_ACCEPTED.key]).all()
    assert (scores[EM_ACCEPTED.key] <= scores[AT_MOST.key]).all()
    assert (scores[F1.key] <= scores[F1_ACCEPTED.key]).all()
    assert (scores[EM.key] <= scores[F1.key]).all()
    # the bounds lie as far apart as answers are open
    assert (scores[AT_MOST.key] - scores[EM_ACCEPTED.key]).sum() == settled.open
    assert scores[EM_ACCEPTED.key].sum() == settled.exact + settled.judged_right
    for place, asked in enumerate(SAMPLE.questions):
        text = predictions.get(asked.id, "")
        wanted = bool(text.strip()) and exact_match(text, asked.references)
        assert scores[EM.key][place] == wanted


def submission(right: int, of: int = 40) -> SubmissionScores:
    asked = benchmark(*(question(number) for number in range(of)))
    return score_submission(asked, {f"q{number}": "red fox" for number in range(right)}, [Longer()])


def test_leaderboards_put_in_order_what_can_be_told_apart() -> None:
    rows = [Row(number, submission(right).scores) for number, right in ((7, 8), (8, 36), (9, 37))]
    found = {each.metric.key: each for each in standings(metrics_with([]), rows, BOOTSTRAP)}
    em = found["em"].submissions
    assert [(place.number, place.ranks, place.group) for place in em] == [
        (9, RankSet(1, 2), 1),
        (8, RankSet(1, 2), 1),
        (7, RankSet(3, 3), 2),
    ]
    assert [place.mean.value for place in em] == [37 / 40, 36 / 40, 8 / 40]
    assert em[0].better[7] == 1.0
    assert set(em[2].better) == {8, 9}
    assert {
        (place.ranks, place.group, len(place.better)) for place in found["at_most"].submissions
    } == {(None, None, 0)}


def test_a_row_without_a_score_is_out_of_that_order_alone() -> None:
    whole, other = submission(3), submission(30)
    rows = [Row(1, whole.scores), Row(2, {"em": other.scores["em"]})]
    found = {each.metric.key: each for each in standings(metrics_with([]), rows, BOOTSTRAP)}
    assert [place.number for place in found["em"].submissions] == [2, 1]
    assert [place.number for place in found["f1"].submissions] == [1]
    assert found["f1"].submissions[0].ranks == RankSet(1, 1)


def test_standings_survive_json() -> None:
    rows = [Row(number, submission(number).scores) for number in (3, 30)]
    found = standings(metrics_with([Longer()]), rows, BOOTSTRAP)[0].as_json()
    assert json.loads(json.dumps(found)) == found
    assert found["places"][0]["better"] == {"3": 1.0}


@given(st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 10**6), max_size=9)))
def test_stored_scores_come_back_to_six_decimals(units: dict[str, list[int]]) -> None:
    scores = {key: np.array(values, np.float64) / 10**6 for key, values in units.items()}
    found = unpack_scores(pack_scores(scores))
    assert {key: values.tolist() for key, values in found.items()} == {
        key: values.tolist() for key, values in scores.items()
    }
