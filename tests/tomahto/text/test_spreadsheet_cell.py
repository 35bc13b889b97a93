"""Texts in spreadsheets: no cell runs, and every text is read back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.text.spreadsheet import plain_text, safe_text

STARTS = "=+-@\t\r\n\0＝＋－＠"
TEXTS = st.text() | st.text(alphabet=f"{STARTS}'’a1 ")


@given(TEXTS)
def test_plain_text_is_the_inverse_of_safe_text(text: str) -> None:
    assert plain_text(safe_text(text)) == text


@given(TEXTS)
def test_safe_text_never_starts_as_a_formula_does(text: str) -> None:
    assert not safe_text(text).startswith(tuple(STARTS))


@pytest.mark.parametrize("start", STARTS)
def test_safe_text_keeps_texts_apart_that_differ_by_apostrophes(start: str) -> None:
    texts = [f"{marks}{start}1" for marks in ("", "'", "''")]
    assert [safe_text(text) for text in texts] == [f"'{text}" for text in texts]


@pytest.mark.parametrize("cell", ["", "'", "''", "'a'", "'tis 1+1", "’=1", "=1"])
def test_plain_text_leaves_the_cells_of_others_as_they_are(cell: str) -> None:
    assert plain_text(cell) == cell
