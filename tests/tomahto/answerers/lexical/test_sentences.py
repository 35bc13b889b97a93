import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.answerers.lexical import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "It rained. Nobody came!  Why? 42 did.",
            ["It rained.", "Nobody came!", "Why?", "42 did."],
        ),
        (
            "He met J. Smith and Dr. Jones. They spoke.",
            ["He met J. Smith and Dr. Jones.", "They spoke."],
        ),
        ("It rose by 3.5 points, i.e. little.", ["It rose by 3.5 points, i.e. little."]),
        ("First line\n\nSecond line", ["First line", "Second line"]),
        ("\n \n", []),
        ("", []),
    ],
)
def test_split_ends_sentences_where_they_end(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


def test_split_keeps_a_closing_quote_out_of_the_next_sentence() -> None:
    assert [s.lstrip() for s in split_sentences("“It rained.” “Nobody came.”")][-1] == (
        "“Nobody came.”"
    )


@given(st.text(alphabet='aB .!?\n")1', max_size=40))
def test_split_makes_pieces_of_the_text_in_order(text: str) -> None:
    place = 0
    for sentence in split_sentences(text):
        place = text.index(sentence, place) + len(sentence)
    assert place <= len(text)
