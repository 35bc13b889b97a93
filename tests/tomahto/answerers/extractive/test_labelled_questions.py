from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tomahto.answerers.extractive.training import LabelledQuestion, SplitBy, assign_folds
from tomahto.answerers.interface import QuestionToAnswer

QUESTION = LabelledQuestion("q", "Who?", "Élan met Ada; Ada left.", ("Ada",), (14,))


def numbered(count: int) -> list[LabelledQuestion]:
    return [replace(QUESTION, key=str(n), question=f"Who {n}?") for n in range(count)]


def test_who_answers_sees_no_reference() -> None:
    assert QUESTION.to_answer == QuestionToAnswer("q", "Who?", "Élan met Ada; Ada left.")


@pytest.mark.parametrize(
    ("references", "starts", "place"),
    [
        (("Ada",), (14,), (14, 17)),
        (("Ada",), (None,), (9, 12)),  # the first occurrence
        (("Bob", "Ada"), (None, None), (9, 12)),
        (("Ada", "Élan"), (None, 0), (0, 4)),  # a known place goes before a search
        (("Bob",), (None,), None),
        ((), (), None),
    ],
)
def test_an_answer_has_a_place_in_the_context(
    references: tuple[str, ...], starts: tuple[int | None, ...], place: tuple[int, int] | None
) -> None:
    assert replace(QUESTION, references=references, starts=starts).place() == place


@settings(max_examples=15)
@given(st.integers(2, 6), st.integers(0, 20), st.integers(0, 99))
def test_folds_differ_by_one_question_at_most(folds: int, more: int, seed: int) -> None:
    found = assign_folds(numbered(folds + more), folds=folds, by="question", seed=seed)
    sizes = [found.count(fold) for fold in range(folds)]
    assert sum(sizes) == folds + more
    assert max(sizes) - min(sizes) <= 1


def test_folds_are_drawn_anew_with_another_seed_alone() -> None:
    questions = numbered(30)
    folds = [assign_folds(questions, folds=3, by="question", seed=seed) for seed in (1, 1, 2)]
    assert folds[0] == folds[1] != folds[2]


@pytest.mark.parametrize("by", ["question", "document"])
def test_what_belongs_together_shares_a_fold(by: SplitBy) -> None:
    questions = [
        replace(QUESTION, key=str(n), question=f"The  WHO {n // 2}{mark}", document=f"d{n % 10}")
        for n, mark in enumerate("?？" * 20)
    ] + [replace(QUESTION, key=f"x{n}", question=f"who {n}") for n in range(20)]
    fold_of = assign_folds(questions, folds=4, by=by, seed=0)
    by_group: dict[object, set[int]] = {}
    for question, fold in zip(questions, fold_of, strict=True):
        words = question.question.lower().strip("the ?？").split()[-1]
        group = words if by == "question" else question.document or question.key
        by_group.setdefault(group, set()).add(fold)
    assert {len(folds) for folds in by_group.values()} == {1}
    assert len(by_group) == (20 if by == "question" else 30)


@pytest.mark.parametrize(("folds", "count"), [(1, 9), (0, 9), (-2, 9), (4, 3)])
def test_folds_that_cannot_be_are_refused(folds: int, count: int) -> None:
    with pytest.raises(ValueError, match=f"{folds} folds of {count} questions"):
        assign_folds(numbered(count), folds=folds, by="question", seed=0)
