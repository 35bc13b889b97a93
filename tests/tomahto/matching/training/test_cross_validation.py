import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.matching.examples import example
from tests.tomahto.matching.training.memory import memorise
from tomahto.matching.accuracy import compare, cross_validate, question_folds, tuned_threshold

# Three questions, two answers each: F1 1 for the right one, 0 for the wrong one.
EXAMPLES = [
    example(candidate, "fox", correct=candidate == "fox", question=f"Question {number}?")
    for number in range(3)
    for candidate in ("fox", "wolf")
]


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=3, max_size=40).filter(lambda q: len(set(q)) >= 3),
    st.integers(0, 99),
)
def test_folds_keep_questions_together_and_are_even(questions: list[int], seed: int) -> None:
    examples = [example("x", "x", correct=True, question=f"number {q}") for q in questions]

    folds = question_folds(examples, folds=3, seed=seed).tolist()

    together = set(zip(questions, folds, strict=True))
    sizes = [sum(fold == own for _, own in together) for fold in range(3)]
    assert len(together) == len(set(questions))
    assert max(sizes) - min(sizes) <= 1


def test_folds_repeat_with_the_seed() -> None:
    first = question_folds(EXAMPLES, folds=2, seed=3).tolist()

    assert first == question_folds(EXAMPLES, folds=2, seed=3).tolist()
    assert any(first != question_folds(EXAMPLES, folds=2, seed=s).tolist() for s in range(10))


@pytest.mark.parametrize("folds", [1, 4])
def test_folds_refuse_an_impossible_number(folds: int) -> None:
    with pytest.raises(ValueError, match=f"{folds} folds of 3 questions"):
        question_folds(EXAMPLES, folds=folds, seed=0)


def test_cross_validation_judges_only_unseen_questions() -> None:
    # Memory knows none of the questions it is asked, so it calls everything wrong: half right.
    # Token F1 separates the answers fully, with any threshold in (0, 1]; 1 was observed.
    result = cross_validate(EXAMPLES, train=memorise, folds=3, seed=0)

    assert (result.folds, result.mean) == ((0.5, 0.5, 0.5), 0.5)
    assert (result.pooled.matcher.value, result.pooled.token_f1.value) == (0.5, 1.0)
    assert (result.pooled.matcher.n, result.pooled.matcher.questions) == (6, 3)
    assert result.pooled.f1_thresholds == (1.0, 1.0, 1.0)


def test_comparison_leaves_out_questions_that_were_trained_on() -> None:
    known = EXAMPLES[:2]
    renamed = [example("fox", "fox", correct=True, question="QUESTION 0")]

    result = compare(known, [*EXAMPLES, *renamed], train=memorise, seed=0)

    assert (result.matcher.n, result.matcher.questions) == (4, 2)
    assert (result.matcher.value, result.token_f1.value) == (0.5, 1.0)


@pytest.mark.parametrize(
    ("scores", "correct", "threshold"),
    [
        # Right labels at 0.2, 0.6, 0.9: 2, 3, 2.
        ([0.2, 0.6, 0.9], [False, True, True], 0.6),
        # Right labels at 0.2, 0.6, 0.9: 2, 1, 2: a tie, the lower one.
        ([0.2, 0.6, 0.9], [True, False, True], 0.2),
        # Nothing is correct: the highest observed score makes the fewest mistakes.
        ([0.2, 0.6], [False, False], 0.6),
        ([0.5, 0.5, 0.1], [True, False, True], 0.1),
    ],
)
def test_tuned_threshold_gives_the_highest_accuracy(
    scores: list[float], correct: list[bool], threshold: float
) -> None:
    assert tuned_threshold(scores, correct) == threshold
