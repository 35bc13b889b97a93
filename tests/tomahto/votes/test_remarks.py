"""Remarks beside the answers of a rating."""

from dataclasses import dataclass

import pytest

from tomahto.votes.remarks import PRIVATE, PUBLIC, TYPED, Remark, Remarks

CERTAINTY = Remark("certainty", "", 10, pattern="sure|unsure", example="sure")


@pytest.mark.parametrize("text", ["", "sure", "unsure"])
def test_a_remark_permits_nothing_and_what_matches(text: str) -> None:
    assert CERTAINTY.permits(text)


@pytest.mark.parametrize("text", ["maybe", "sure\n", " sure", "surely", "SURE", "\ud800"])
def test_a_remark_permits_nothing_else(text: str) -> None:
    assert not CERTAINTY.permits(text)
    assert Remark("reasoning", "", 2000).permits(text)


def test_remarks_say_by_their_fields_who_writes_and_who_reads_them() -> None:
    assert [remark.name for remark in TYPED] == ["comment"]
    assert [remark.name for remark in PRIVATE] == ["comment"]
    assert [remark.name for remark in PUBLIC] == ["wording"]


def test_remarks_are_taken_from_attributes_where_there_are_any() -> None:
    @dataclass
    class Draft:
        comment: str
        seconds: float

    assert Remarks.of(Draft("so far", 2.5)) == Remarks(comment="so far")
