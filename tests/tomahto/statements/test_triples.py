import json
from pathlib import Path

import pytest

from tomahto.statements.generator import QuestionAnswer
from tomahto.statements.triples import Triple, TriplesError, hold_out, read_triples


def triple(number: int, answer: str = "Ada") -> Triple:
    question = f"Who wrote book {number}?"
    return Triple(QuestionAnswer(question, answer), f"{answer.lower()} wrote book {number}.")


def write_triples(path: Path, triples: list[Triple]) -> Path:
    lines = [
        json.dumps({"question": t.pair.question, "answer": t.pair.answer, "statement": t.statement})
        for t in triples
    ]
    path.write_text("\n\n".join(lines), encoding="utf-8")
    return path


def test_triples_are_read_in_order(tmp_path: Path) -> None:
    triples = [triple(1), triple(2, "Bérénice")]
    assert read_triples(write_triples(tmp_path / "t.jsonl", triples)) == triples


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", ": no examples"),
        ("{}", ", line 1, field question: None is not a text"),
        ('\n{"question": "q", "answer": " "}', ", line 2, field answer: ' ' is not a text"),
        ("[]", ", line 1: not a JSON object"),
        ("{", ", line 1: not JSON"),
        ("[" * 100_000, ", line 1: not JSON"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(text)
    with pytest.raises(TriplesError) as caught:
        read_triples(path)
    assert str(caught.value).startswith(f"{path}{error}")


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b'{"question": "\xff"}')
    with pytest.raises(TriplesError, match="not UTF-8"):
        read_triples(path)


def test_whole_questions_are_held_out() -> None:
    triples = [triple(n, answer) for n in range(20) for answer in ("Ada", "Charles")]
    training, held_out = hold_out(triples, share=0.1, seed=1)
    assert (len(training), len(held_out)) == (36, 4)
    questions = {t.pair.question for t in held_out}
    assert len(questions) == 2
    assert [t for t in triples if t.pair.question not in questions] == training
    assert hold_out(triples, share=0.1, seed=1) == (training, held_out)
    assert hold_out(triples, share=0.1, seed=2) != (training, held_out)


def test_of_one_question_nothing_can_be_held_out() -> None:
    with pytest.raises(ValueError, match="one question is too few"):
        hold_out([triple(1), triple(1, "Charles")], share=0.1, seed=0)
