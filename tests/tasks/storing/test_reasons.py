"""Reasons: bounded, readable, and storable everywhere."""

from hypothesis import given
from hypothesis import strategies as st

from tasks.storing.refusals import as_reason
from tomahto.interchange.reading.row import is_text


def test_as_reason_shows_what_cannot_be_stored() -> None:
    assert as_reason(" a\0b\ud800c ", 10) == "a\u2400b?c"


def test_as_reason_says_when_there_is_none() -> None:
    assert as_reason(" \n", 100) == "no reason given"


def test_as_reason_cuts_what_is_too_long() -> None:
    assert as_reason("one two three", 9) == "one two…"
    assert as_reason("one two", 7) == "one two"


@given(st.text(st.characters(exclude_categories=[])), st.integers(1, 50))
def test_as_reason_can_always_be_stored(text: str, limit: int) -> None:
    reason = as_reason(text, limit)
    assert is_text(reason, limit)
    assert reason
