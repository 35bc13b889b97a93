import pytest

from tests.tomahto.matching.examples import example
from tomahto.matching.accuracy import REPLICATES, Accuracy, measure_accuracy, question_numbers


def test_question_numbers_ignore_spelling() -> None:
    examples = [
        example("x", "x", correct=True, question="Who is it?"),
        example("x", "x", correct=True, question="Where?"),
        example("x", "x", correct=True, question="who  is it"),
        example("x", "x", correct=True, question="Ｗｈｏ is it？"),
    ]

    assert question_numbers(examples).tolist() == [0, 1, 0, 0]


def test_accuracy_counts_labels_that_agree() -> None:
    examples = [example("x", "x", correct=True, question=str(number)) for number in range(4)]

    assert measure_accuracy(examples, [True] * 4, seed=1) == Accuracy(
        value=1.0, low=1.0, high=1.0, n=4, questions=4, replicates=REPLICATES, seed=1
    )
    assert measure_accuracy(examples, [True, True, True, False], seed=1).value == 0.75
    with pytest.raises(ValueError, match="undefined"):
        measure_accuracy([], [], seed=1)


def test_interval_resamples_questions_and_not_examples() -> None:
    # One question with all its 50 answers right, one with all wrong: a sample of two questions
    # is all wrong, half right or all right. Single examples would stay near one half.
    examples = [
        example("x", "x", correct=True, question=question)
        for question in ("first", "second")
        for _ in range(50)
    ]

    accuracy = measure_accuracy(examples, [True] * 50 + [False] * 50, seed=1)

    assert (accuracy.value, accuracy.low, accuracy.high) == (0.5, 0.0, 1.0)
    assert (accuracy.n, accuracy.questions) == (100, 2)
