import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.interchange.reading.json_values import VALUES
from tomahto.interchange.reading.records import MAX_DEPTH, MAX_NUMBER_LENGTH
from tomahto.interchange.reading.strict_json import Extent, JsonError, decode_line

# Pieces that sound and broken JSON is made of.
PIECES = st.lists(
    st.sampled_from([*'[]{},:"\\', "\\u00", "1", "-", "0", ".5", "e9", "null", "tru", " ", "a"])
)


@settings(deadline=None)  # a machine under load takes its time
@given(VALUES, st.booleans())
def test_decode_line_reads_what_json_writes(value: object, ascii_only: bool) -> None:
    assert decode_line(json.dumps(value, ensure_ascii=ascii_only) + "\r\n") == value


@settings(deadline=None)  # a machine under load takes its time
@given(PIECES)
def test_decode_line_agrees_with_the_standard_library_or_refuses(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        value = decode_line(text)
    except JsonError:
        return
    assert value == json.loads(text)


@settings(deadline=None)  # a machine under load takes its time
@given(PIECES)
def test_decode_line_refuses_what_the_standard_library_refuses(pieces: list[str]) -> None:
    text = "".join(pieces)
    try:
        json.loads(text)
    except ValueError:
        with pytest.raises(JsonError):
            decode_line(text)


@settings(deadline=None)  # a machine under load takes its time
@given(VALUES.filter(lambda value: isinstance(value, str | list | dict)), st.data())
def test_extent_ends_where_the_value_ends_however_the_text_grows(
    value: object, data: st.DataObject
) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text)))
    extent = Extent()
    assert extent.grow(text[:cut], 0) == (cut == len(text))
    assert cut == len(text) or extent.grow(text + ', "more"', 0)


def test_decode_line_reads_down_to_the_greatest_depth() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    value: object = decode_line(deepest)
    for _ in range(MAX_DEPTH - 1):
        assert isinstance(value, list)
        [value] = value
    assert value == []
    with pytest.raises(JsonError, match="is nested more than 64 deep"):
        decode_line(f"[{deepest}]")


def test_decode_line_reads_numbers_up_to_the_greatest_length() -> None:
    longest = "9" * MAX_NUMBER_LENGTH
    assert decode_line(longest) == int(longest)
    with pytest.raises(JsonError, match="a number of 101 characters is too long"):
        decode_line(longest + "9")
