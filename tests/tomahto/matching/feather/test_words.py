import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.matching.feather.words import analyse, canonical_form, stem


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("Paris", "paris"),
        ("Newton's", "newton"),
        ("O'Neil", "oneil"),
        ("U.S", "us"),
        ("USA", "us"),
        ("Sept", "september"),
        ("Mt", "mount"),
        ("seven", "7"),
        ("Seventh", "7"),
        ("thirtieth", "30"),
        ("7th", "7"),
        ("007", "7"),
        ("0", "0"),
        ("1,000,000", "1000000"),
        ("1.50", "1.5"),
        ("1990s", "1990"),
        ("6ft", "6"),
        ("VIII", "8"),
        ("viii", "viii"),
        ("I", "i"),
        ("18991", "1899"),
        ("15000", "15000"),
        ("sails12", "sails"),
        ("", ""),
    ],
)
def test_canonical_form_folds_ways_to_write_a_word(written: str, form: str) -> None:
    assert canonical_form(written) == form


@pytest.mark.parametrize(
    ("word", "root"),
    [
        ("cities", "city"),
        ("classes", "class"),
        ("indexes", "index"),
        ("boxes", "boxes"),
        ("running", "run"),
        ("named", "nam"),
        ("name", "name"),
        ("danced", "danc"),
        ("dance", "danc"),
        ("virus", "virus"),
        ("sing", "sing"),
        ("darkness", "dark"),
        ("red", "red"),
    ],
)
def test_stem_cuts_endings_of_words_long_enough(word: str, root: str) -> None:
    assert stem(word) == root


def test_analyse_tells_what_kind_a_word_is() -> None:
    kinds = {
        word: {name for name, value in analyse(word)._asdict().items() if value is True}
        for word in ("The", "1912.", "1990s", "19th", "J.", "not", "unclear", "mentioned", "maybe")
    }

    assert kinds == {
        "The": {"article", "stop", "capital"},
        "1912.": {"number", "year", "sentence_end"},
        "1990s": {"number", "year", "decade"},
        "19th": {"number", "ordinal"},
        "J.": {"initial", "capital"},
        "not": {"negation"},
        "unclear": {"unknowing"},
        "mentioned": {"knowing"},
        "maybe": set(),
    }


def test_analyse_counts_letter_pairs() -> None:
    # ^a, ab, ba, a$ and again ab, ba: 4 distinct pairs of ^aba$.
    word, number = analyse("aba"), analyse("1912")

    assert (word.n_pairs, word.length, word.first_letter) == (4, 3, ord("a"))
    assert (word.pairs_low.bit_count() + word.pairs_high.bit_count()) == 4
    assert (number.n_pairs, number.value) == (0, 1912.0)


@given(st.text())
def test_analyse_takes_every_word(raw: str) -> None:
    word = analyse(raw)

    assert 0 <= word.pairs_low < 2**63
    assert 0 <= word.pairs_high < 2**63
    assert word.stop or word.canonical
