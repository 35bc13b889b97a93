from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tomahto.matching.examples import example
from tests.tomahto.matching.training.memory import memorise
from tomahto.estimates.estimate import undefined
from tomahto.matching.accuracy import LearningCurve, Trainer
from tomahto.matching.em import ExactMatch
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Matcher
from tomahto.matching.trainable import train_matcher


def recording(seen: list[list[LabelledPair]]) -> Trainer:
    def train(examples: Sequence[LabelledPair]) -> Matcher:
        seen.append(list(examples))
        return memorise(examples)

    return train


def labelled(documents: int, size: int = 2) -> tuple[list[LabelledPair], list[str]]:
    """In each document, right ("fox") and wrong answers ("wolf") in turn."""
    examples = [
        example("wolf" if place % 2 else "fox", "fox", correct=not place % 2, question=f"D{number}")
        for number in range(documents)
        for place in range(size)
    ]
    return examples, [each.pair.question for each in examples]


def test_numbers_of_labels_double_up_to_all_that_every_fold_leaves() -> None:
    # 60 documents of 2 labels in 5 folds of 12 documents: 48 × 2 = 96 to train on
    assert LearningCurve(*labelled(60)).label_numbers == (25, 50, 96)
    # 6 documents in 5 folds: one fold has two documents and leaves 4 × 2
    assert LearningCurve(*labelled(6)).label_numbers == (8,)
    # exactly 25 are left: no point twice
    assert LearningCurve(*labelled(10, size=5), folds=2).label_numbers == (25,)


def test_bounded_points_halve_from_the_last() -> None:
    # 60 documents of 2 labels in 3 folds of 20 documents: 40 × 2 = 80 to train on
    assert LearningCurve(*labelled(60), folds=3, points=2).label_numbers == (40, 80)
    assert LearningCurve(*labelled(60), folds=3, points=1).label_numbers == (80,)
    # one document of one label is trained on: a half of it is that one label, and no second point
    assert LearningCurve(*labelled(2, size=1), folds=2, points=3).label_numbers == (1,)


@given(st.integers(5, 30), st.integers(1, 4), st.integers(0, 99), st.integers(1, 12))
def test_no_matcher_is_judged_by_documents_it_was_trained_on(
    documents: int, size: int, seed: int, labels: int
) -> None:
    examples, names = labelled(documents, 2 * size)
    curve = LearningCurve(examples, names, seed=seed)
    labels = min(labels + 1, curve.label_numbers[-1])
    seen: list[list[LabelledPair]] = []
    point = curve.point(labels, recording(seen))
    assert [len(training) for training in seen] == [labels] * 5
    for training in seen:
        # document by document: all labels of a document but of the last one
        whole = list(dict.fromkeys(each.pair.question for each in training))[:-1]
        counts = [sum(each.pair.question == name for each in training) for name in whole]
        assert counts == [2 * size] * len(whole)
    # Memory knows none of the documents that it is asked about, and calls all answers wrong:
    # half of them are
    assert (point.accuracy.value, point.folds) == (0.5, (0.5,) * 5)


def test_more_labels_hold_the_fewer_ones() -> None:
    curve = LearningCurve(*labelled(40), seed=1)
    few: list[list[LabelledPair]] = []
    many: list[list[LabelledPair]] = []
    curve.point(25, recording(few))
    curve.point(50, recording(many))
    assert [training[:25] for training in many] == few


def test_accuracy_has_the_interval_of_a_bootstrap_over_documents() -> None:
    # Two labels in each of 4 documents. EM is right on all but the wrong ones called correct.
    examples = [
        *(example("fox", "fox", correct=True, question=f"D{number}") for number in range(6)),
        *(example("fox", "fox", correct=False, question="D6") for _ in range(2)),
    ]
    documents = ["a", "a", "b", "b", "c", "c", "d", "d"]
    estimate = LearningCurve(examples, documents, folds=2, seed=4).untrained(ExactMatch())
    # document d alone is wrong: accuracy 6/8. A replicate without d has 1, one with d alone 0. That
    # happens in 1 of 256, and more often as half a wrong document is drawn along; the tails of four
    # documents are smaller, 0.01 %.
    assert (estimate.value, estimate.low, estimate.high) == (0.75, 0.0, 1.0)
    assert (estimate.n, estimate.replicates, estimate.seed) == (8, 1000, 4)


def test_a_point_says_why_it_is_undefined() -> None:
    examples = [example("fox", "fox", correct=True, question=f"D{n}") for n in range(30)]
    examples.append(example("wolf", "fox", correct=False, question="D30"))
    curve = LearningCurve(examples, [each.pair.question for each in examples], folds=2, seed=0)
    point = curve.point(1, memorise)
    reason = "all of the first 1 labels for fold 1 are correct"
    assert (point.accuracy, point.folds) == (undefined(reason, n=31, seed=0), ())


def test_token_f1_takes_its_threshold_from_the_other_folds() -> None:
    # F1 of "red fox" and "fox" is 2/3, which is correct, that of "a wolf" 0, which is not
    examples = [
        example(candidate, "fox", correct=candidate == "red fox", question=f"D{number}")
        for number in range(6)
        for candidate in ("red fox", "wolf")
    ]
    curve = LearningCurve(examples, [each.pair.question for each in examples], seed=0)
    assert curve.token_f1().value == 1.0
    assert curve.untrained(ExactMatch()).value == 0.5


def test_a_curve_repeats_with_its_seed() -> None:
    examples, documents = labelled(30)

    def points(seed: int) -> object:
        curve = LearningCurve(examples, documents, seed=seed)
        return [
            curve.point(number, lambda part: train_matcher("cfmatch", part, seed=0).matcher)
            for number in curve.label_numbers
        ]

    assert points(2) == points(2)


@pytest.mark.parametrize(
    ("documents", "folds", "message"),
    [
        (["a"] * 4, 2, "2 folds of 1 documents"),
        (["a", "a", "b", "b"], 1, "1 folds of 2 documents"),
        (["a", "b"], 2, "4 pairs with 2 documents"),
    ],
)
def test_an_impossible_curve_is_refused(documents: list[str], folds: int, message: str) -> None:
    examples, _ = labelled(2)
    with pytest.raises(ValueError, match=message):
        LearningCurve(examples, documents, folds=folds)
