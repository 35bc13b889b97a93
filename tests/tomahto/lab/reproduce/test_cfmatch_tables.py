from collections.abc import Sequence

from sklearn.metrics import accuracy_score, f1_score

from tomahto.charts.table import PaperTable
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.cfmatch.answers import Answer, Answers
from tomahto.lab.reproduce.cfmatch.figures import CfmatchInput, cfmatch_tables
from tomahto.matching.em import ExactMatch
from tomahto.matching.interface import Matcher, Pair

EM: dict[str, Matcher] = {"em": ExactMatch()}


def answer(question: int, is_right: bool, says_right: bool, system: str) -> Answer:
    pair = Pair(f"q{question}", "", ("Seine",), "Seine" if says_right else "Rhine")
    return Answer(pair, is_right, system)


def tables(answers: Sequence[Answer]) -> list[PaperTable]:
    given = CfmatchInput({"nq": Answers.of(answers, EM)}, Bootstrap(300, 3))
    return list(cfmatch_tables(given, "a file"))


def estimate(cell: object) -> Estimate:
    assert isinstance(cell, Estimate)
    return cell


def test_quality_equals_that_of_scikit_learn() -> None:
    answers = [answer(place, place % 3 > 0, place % 5 > 1, "") for place in range(60)]
    (quality,) = tables(answers)
    (row,) = quality.rows
    right, says = [place % 3 > 0 for place in range(60)], [place % 5 > 1 for place in range(60)]
    accuracy, f1 = estimate(row[4]), estimate(row[5])
    assert row[:4] == ("nq", "em", "all", 60)
    assert accuracy.value == accuracy_score(right, says)
    assert f1.value == f1_score(right, says)
    for one in (accuracy, f1):
        low, value, high = (float(bound or 0) for bound in (one.low, one.value, one.high))
        assert 0 < low < value < high < 1


def test_f1_is_undefined_where_nobody_takes_anything_for_right() -> None:
    (quality,) = tables([answer(place, False, False, "") for place in range(3)])
    assert estimate(quality.rows[0][5]).reason == "nobody takes any answer for right"
    assert estimate(quality.rows[0][4]).value == 1.0


def test_ranks_have_intervals_and_ties_share_the_better_one() -> None:
    # By people a is right in all 40, b in 36, c in none; EM takes nothing for right.
    answers = [
        answer(place, is_right, False, system)
        for place in range(40)
        for system, is_right in (("a", True), ("b", place % 10 > 0), ("c", False))
    ]
    _, ranks = tables(answers)
    human = {row[2]: estimate(row[5]) for row in ranks.rows if row[1] == "human"}
    assert {system: rank.value for system, rank in human.items()} == {"a": 1, "b": 2, "c": 3}
    assert (human["c"].low, human["c"].high) == (3, 3)
    assert (human["a"].low, human["a"].high) == (1, 1)
    assert human["b"].low in {1, 2}
    tied = [estimate(row[5]) for row in ranks.rows if row[1] == "em"]
    assert [(rank.value, rank.low, rank.high) for rank in tied] == [(1, 1, 1)] * 3


def test_ranks_leave_out_draws_in_which_a_system_has_no_answer() -> None:
    answers = [answer(0, True, True, "a"), answer(0, False, True, "b"), answer(1, True, True, "a")]
    _, ranks = tables(answers)
    first = estimate(ranks.rows[0][5])
    assert (ranks.rows[0][1:4], first.value) == (("human", "a", 2), 1)
    # The draw of question 1 alone, a quarter of all, has no answer by b.
    assert 40 < first.undefined_replicates < 110
