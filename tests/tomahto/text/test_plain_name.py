import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.text.normalisation import plain_name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ann ", "ann"),
        ("\u00a0ann\u2003", "ann"),
        ("ann\u200b", "ann"),
        ("\ufeffann", "ann"),
        ("\u202aann\u202c", "ann"),
        ("\u2800ann\u3164", "ann"),
        ("Zoe\u200b\u0308", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("ann\u00a0lee", "ann lee"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("Ann", "Ann"),
        ("a\x01nn\x7f\ufff9", "ann"),
        ("\u200b \u00a0", ""),
    ],
)
def test_one_spelling_of_a_name(name: str, expected: str) -> None:
    assert plain_name(name) == expected


@given(st.text(max_size=20))
def test_plain_name_of_any_form_of_a_name_is_the_same(name: str) -> None:
    plain = plain_name(name)
    assert plain_name(plain) == plain
    assert plain_name(f" {unicodedata.normalize('NFD', name)}\u00a0") == plain
