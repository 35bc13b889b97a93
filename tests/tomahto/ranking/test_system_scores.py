import numpy as np
import pytest

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.system_scores import AnswerScores, SystemMeans

BOOTSTRAP = Bootstrap(300, seed=3, is_widened=False)


def _answers() -> AnswerScores:
    """None of the second system to the third and fourth question."""
    return AnswerScores.of(
        {"people": [1, 0, 1, 1, 0, 1], "metric": [0.5, 0.25, 1, 1, 0, 0]},
        ["a", "a", "a", "a", "b", "b"],
        ["q1", "q4", "q2", "q3", "q1", "q2"],
    )


def test_means_are_over_answers() -> None:
    means = SystemMeans(_answers(), BOOTSTRAP)
    a, b = means.mean("a", "people"), means.mean("b", "people")
    assert (a.value, a.n, b.value, b.n) == (3 / 4, 4, 1 / 2, 2)
    assert means.mean("a", "metric").value == pytest.approx(2.75 / 4)
    assert means.difference("a", "metric", "people").value == pytest.approx(-0.25 / 4)
    assert means.share("a", "metric", "people").value == pytest.approx(2.75 / 3)
    assert means.share("a", "metric", "people").n == 4


def test_a_share_of_nothing_is_undefined() -> None:
    found = SystemMeans(_answers(), BOOTSTRAP).share("b", "people", "metric")
    assert (found.value, found.reason, found.n) == (
        None,
        "metric: no answer of the system is right",
        2,
    )


def test_intervals_by_brute_force_with_the_same_draws() -> None:
    """Of 12 questions the first system answers 10: 3 exactly, and of the others 5 are judged."""
    generator = np.random.default_rng(1)
    people, metric = generator.integers(0, 2, 22).astype(float), generator.random(22)
    people[:3] = metric[:3] = 1
    people[8:10] = metric[8:10] = np.nan
    answers = AnswerScores.of(
        {"people": people, "metric": metric},
        ["s0"] * 10 + ["s1"] * 12,
        [*range(10), *range(12)],
        ["exact"] * 3 + ["rated"] * 19,
    )
    means = SystemMeans(answers, BOOTSTRAP)
    drawn = []
    for sample in np.random.default_rng(3).integers(0, 12, size=(300, 12)):
        exact, rated = (sample < 3).sum(), sample[(sample >= 3) & (sample < 10)]
        judged = rated[rated < 8]
        if not len(judged):  # undefined, and no part of the interval
            continue
        known = [values[judged].mean() * len(rated) for values in (metric, people)]
        drawn.append([(exact + value) / (exact + len(rated)) for value in known])
    assert means.mean("s0", "people").n == 8
    assert means.mean("s0", "people").value == pytest.approx((3 + 7 * people[3:8].mean()) / 10)
    one, two = np.array(drawn).T
    for estimate, values in (
        (means.mean("s0", "metric"), one),
        (means.difference("s0", "metric", "people"), one - two),
        (means.share("s0", "metric", "people"), one / two),
    ):
        assert (estimate.low, estimate.high) == pytest.approx(
            tuple(np.quantile(values, [0.025, 0.975])), abs=1e-12
        )
        assert (estimate.replicates, estimate.seed) == (300, 3)


def test_a_replicate_without_an_answer_of_the_system_is_left_out() -> None:
    found = SystemMeans(
        AnswerScores.of({"people": [1, 0, 1]}, ["a", "a", "b"], ["q1", "q2", "q3"]), BOOTSTRAP
    ).mean("b", "people")
    # q3 is not drawn in (2/3)^3 = 30 % of the replicates
    assert found.undefined_replicates == pytest.approx(300 * 8 / 27, abs=30)
    assert (found.low, found.high) == (1, 1)


def test_one_question_has_no_interval() -> None:
    answers = AnswerScores.of({"people": [1, 0]}, ["a", "b"], ["q", "q"])
    found = SystemMeans(answers, BOOTSTRAP).mean("a", "people")
    assert (found.value, found.low) == (1, None)
    assert found.reason == "one question cannot be resampled into an interval"


@pytest.mark.parametrize(
    ("values", "systems", "questions", "message"),
    [
        ([], [], [], "there is no answer of a system"),
        ([1.5], ["a"], ["q"], "the value of an answer is not from 0 to 1"),
        ([1.0], ["a"], ["q", "r"], "values, systems, questions and strata differ in number"),
        ([1.0, 0.0], ["a", "a"], ["q", "q"], "a system has two answers to a question"),
    ],
)
def test_answer_scores_refuse_what_has_no_mean(
    values: list[float], systems: list[str], questions: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        AnswerScores.of({"people": values}, systems, questions)


def test_a_judge_who_knows_all_answers_needs_no_others_to_stand_for_any() -> None:
    """Of the second judge's, those that people have not judged count as they are."""
    answers = AnswerScores.of(
        {"people": [1, 1, np.nan, np.nan], "metric": [1, 0.5, 0.25, 0]},
        ["a"] * 4,
        ["q1", "q2", "q3", "q4"],
        ["exact", *["to be rated"] * 3],
    )
    means = SystemMeans(answers, BOOTSTRAP)
    people, metric = means.mean("a", "people"), means.mean("a", "metric")
    assert (people.value, people.n, metric.value, metric.n) == (1, 2, 1.75 / 4, 4)
    found = means.difference("a", "metric", "people")
    assert (found.value, found.n) == (1.75 / 4 - 1, 2)
    samples = np.random.default_rng(3).integers(0, 4, size=(300, 4))
    drawn = np.array([1, 0.5, 0.25, 0])[samples].mean(axis=1)
    assert (metric.low, metric.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_a_mean_without_a_judged_answer_is_undefined() -> None:
    answers = AnswerScores.of(
        {"people": [1, np.nan]}, ["a", "a"], ["q1", "q2"], ["exact", "to be rated"]
    )
    found = SystemMeans(answers, BOOTSTRAP).mean("a", "people")
    assert (found.value, found.n, found.reason) == (
        None,
        1,
        "none of those that are to be rated is judged",
    )
