import pytest

from tests.tomahto.statements.triples import triple
from tomahto.statements.generator import QuestionAnswer, Triple, hold_out


def test_whole_questions_are_held_out() -> None:
    triples = [triple(n, answer) for n in range(20) for answer in ("Ada", "Charles")]
    training, held_out = hold_out(triples, share=0.1, seed=1)
    assert (len(training), len(held_out)) == (36, 4)
    questions = {t.pair.question for t in held_out}
    assert len(questions) == 2
    assert [t for t in triples if t.pair.question not in questions] == list(training)
    assert hold_out(triples, share=0.1, seed=1) == (training, held_out)
    assert hold_out(triples, share=0.1, seed=2) != (training, held_out)


def test_of_one_question_in_two_spellings_nothing_can_be_held_out() -> None:
    triples = [
        Triple(QuestionAnswer(question, "a king"), "rené was a king")
        for question in ("Who was René?", "Who was Rene\u0301?")
    ]
    with pytest.raises(ValueError, match="one question is too few"):
        hold_out(triples, share=0.1, seed=0)


def test_of_one_question_nothing_can_be_held_out() -> None:
    with pytest.raises(ValueError, match="one question is too few"):
        hold_out([triple(1), triple(1, "Charles")], share=0.1, seed=0)
