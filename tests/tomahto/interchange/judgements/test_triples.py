import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.format_samples import CAP, STATEMENT
from tests.tomahto.statements.triples import triple, write_triples
from tomahto.interchange.judgements.pairs import read_to_state, read_triples
from tomahto.interchange.reading.records import InputError
from tomahto.releases.records.records import RatingRecord, SplitSpec


def test_triples_are_read_in_order(tmp_path: Path) -> None:
    triples = [triple(1), triple(2, "Bérénice")]
    assert read_triples(write_triples(tmp_path / "t.jsonl", triples)).rows == tuple(triples)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", ": holds no examples"),
        ("{}", ", line 1, field question: is missing"),
        ('\n{"question": "q", "answer": " "}', ", line 2, field answer: is empty"),
        (
            '{"question": "q", "answer": "a", "statement": "s", "label": ["wrong"]}',
            ", line 1, field label: must be text, not an array",
        ),
        ("{", ", line 1: is not JSON"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, error: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_triples(path)
    assert str(caught.value).startswith(f"{path}{error}")


def test_what_people_found_faulty_is_left_out_unless_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    labels = ("correct", "syntactic", None, "wrong", "semantic")
    lines = [
        {"question": f"q{n}", "answer": "a", "statement": "s", **({"label": x} if x else {})}
        for n, x in enumerate(labels)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    found = read_triples(path)
    assert [row.pair.question for row in found.rows] == ["q0", "q2"]
    assert found.source["left_out_as_faulty"] == "3"
    everything = read_triples(path, with_faulty=True)
    assert (len(everything.rows), "left_out_as_faulty" in everything.source) == (5, False)


def test_questions_to_state_keep_what_is_known_of_them(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    lines = [
        {"question": "q", "answer": "a", "statement": "old", "question_type": "short", "id": "x"},
        {"question": "r", "references": ["b", "c"], "document": "d"},
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    assert list(read_to_state(path)) == [
        (("q", "a"), {"question_type": "short"}),
        (("r", "b"), {"document": "d"}),
    ]


def test_nothing_is_learned_from_a_label_that_was_drawn(tmp_path: Path) -> None:
    tie = RatingRecord("b1", "r2", "correct", {"label": "correct"})
    spec = SplitSpec("document", {"train": 100.0})
    content = replace(STATEMENT, ratings=[*STATEMENT.ratings, tie], spec=spec)
    write_release(content, tmp_path / "made")
    found = read_triples(tmp_path / "made", with_faulty=True)
    assert [row.statement for row in found.rows] == ["in Paris, France"]
    lines = tmp_path / "made/cap_statements/train.jsonl"
    assert read_triples(lines, with_faulty=True).rows == found.rows


def test_a_release_of_another_protocol_holds_no_statements(tmp_path: Path) -> None:
    write_release(CAP, tmp_path / "cap")
    with pytest.raises(InputError, match="is of the protocol cap, not of statement"):
        read_triples(tmp_path / "cap", split="test")
    assert next(read_to_state(Path(f"{tmp_path / 'cap'}:test")))
