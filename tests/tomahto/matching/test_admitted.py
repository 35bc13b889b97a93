from collections.abc import Sequence

import pytest

from tomahto.matching.f1 import TokenF1
from tomahto.matching.interface import Pair
from tomahto.matching.scores import RankedAnswers, admitted_answers


def asked(*answers: str, references: tuple[str, ...] = ("the river Rhine",)) -> RankedAnswers:
    return RankedAnswers("Which river?", "The Rhine flows.", references, answers)


def test_admitted_answers_reach_the_threshold_with_any_reference() -> None:
    # F1 with "river rhine": Rhine 2/3, the Elbe 0, river Rhine 1
    questions = [asked("Rhine", "the Elbe", "river Rhine"), asked(), asked("Elbe")]
    assert admitted_answers(TokenF1(), questions) == [[True, False, True], [], [False]]
    assert admitted_answers(TokenF1(), questions, threshold=0.7) == [
        [False, False, True],
        [],
        [False],
    ]
    both = asked("Elbe", references=("the river Rhine", "Elbe"))
    assert admitted_answers(TokenF1(), [both]) == [[True]]


def test_admitted_answers_are_none_where_there_is_no_reference() -> None:
    questions = [asked("", "Rhine", references=()), asked("Rhine")]
    assert admitted_answers(TokenF1(), questions) == [[False, False], [True]]


class Reader:
    """Keeps what it was given."""

    name = "reader"
    version = "reader|1"
    threshold = 0.5

    def __init__(self) -> None:
        self.calls: list[list[Pair]] = []

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        self.calls.append(list(pairs))
        return [float(pair.candidate) for pair in pairs]


def test_admitted_answers_hands_over_question_context_and_references(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tomahto.matching.scores._QUESTIONS", 2)
    reader = Reader()
    admitted = admitted_answers(reader, [asked("0.5", "0.4"), asked("1"), asked("0")])
    assert admitted == [[True, False], [True], [False]]
    assert [len(call) for call in reader.calls] == [3, 1]
    first = Pair("Which river?", "The Rhine flows.", ("the river Rhine",), "0.5")
    assert reader.calls[0][0] == first
