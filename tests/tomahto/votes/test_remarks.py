"""Remarks beside the answers of a rating."""

from dataclasses import dataclass

import pytest

from tomahto.votes.remarks import PRIVATE, PUBLIC, TYPED, Remark, Remarks

CERTAINTY = Remark("certainty", "", 10, pattern="sure|unsure", example="sure")


@pytest.mark.parametrize("text", ["", "sure", "unsure"])
def test_nothing_and_what_matches_is_no_mismatch(text: str) -> None:
    assert CERTAINTY.mismatch(text) == ""


@pytest.mark.parametrize("text", ["maybe", "sure\n", " sure", "surely", "SURE", "\ud800"])
def test_any_other_text_is_a_mismatch(text: str) -> None:
    assert CERTAINTY.mismatch(text) == f"{text!r} is not a certainty such as `sure`"
    assert Remark("reasoning", "", 2000).mismatch(text) == ""


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
