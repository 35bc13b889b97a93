"""Pairs to score: the texts, and every field of the line."""

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.judgements.pairs import PairRow, read_pairs
from tomahto.interchange.reading.records import InputError
from tomahto.matching.interface import Pair

LINE: dict[str, object] = {"id": 4, "question": "Who?", "references": ["a", "b"], "candidate": ""}


def test_read_pairs_keeps_every_field_in_order(write: Write) -> None:
    one = {"candidate": "c", "reference": "r", "question": "Why?", "context": "Text.", "x": [1]}
    rows = list(read_pairs(write("p.jsonl", [LINE, one])))
    assert rows == [
        PairRow(Pair("Who?", "", ("a", "b"), ""), LINE),
        PairRow(Pair("Why?", "Text.", ("r",), "c"), one),
    ]
    assert [*rows[1].fields] == ["candidate", "reference", "question", "context", "x"]


def test_a_candidate_may_be_a_list_of_names(write: Write) -> None:
    (row,) = read_pairs(write("p.jsonl", [{**LINE, "candidate": ["c", ""]}]))
    assert row.pairs == [Pair("Who?", "", ("a", "b"), name) for name in ("c", "")]
    with pytest.raises(InputError, match=r"p\.jsonl, line 1, field candidate: is empty"):
        list(read_pairs(write("p.jsonl", [{**LINE, "candidate": []}])))


def test_read_pairs_reads_on_only_as_far_as_asked(write: Write) -> None:
    rows = read_pairs(write("p.jsonl", [LINE, {"question": "?"}]))
    assert next(rows).fields == LINE
    with pytest.raises(InputError, match=r"p\.jsonl, line 2, field references: is missing"):
        next(rows)
