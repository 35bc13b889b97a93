"""Golden values: the official SQuAD v2.0 evaluation script (evaluate-v2.0.py)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.text.normalisation import (
    Overlap,
    best_overlap,
    exact_match,
    normalise,
    token_overlap,
    tokens,
)

PIECES = st.sampled_from(
    ["a", "an", "the", "The", "x", "and", "1", " ", "  ", "\t", "\n", "\x00", ".", "-", "_", "'"]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The  a.m. Show!", "am show"),  # punctuation goes before articles: `a.m.` is no `a`
        ("A-Team", "ateam"),
        ("a_the_b", "atheb"),
        ("AN\tapple\na day", "apple day"),
        ("the U.S. – an ally", "us – ally"),
        ("‘The’ Rock", "‘ ’ rock"),  # curly quotes stay, the article between them goes
        ("Beyoncé's", "beyoncés"),
        ("the", ""),
        ("", ""),
    ],
)
def test_normalise_follows_the_official_script(text: str, expected: str) -> None:
    assert normalise(text) == expected


def test_tokens_keep_order_and_repetitions() -> None:
    assert tokens("To be, or not to be?") == ["to", "be", "or", "not", "to", "be"]


@given(TEXTS)
def test_tokens_of_plain_text_do_not_depend_on_other_scripts_nearby(text: str) -> None:
    # A letter beyond ASCII sends the whole text down the slower path.
    assert [*tokens(text), "é"] == tokens(f"{text} é")


@given(st.text())
def test_normalise_leaves_single_spaces_and_no_article(text: str) -> None:
    once = normalise(text)
    assert [token for token in once.split() if token in {"a", "an", "the"}] == []
    assert once == " ".join(once.split())


@pytest.mark.parametrize(
    ("references", "is_exact"),
    [
        (["Carolina Panthers", "denver  broncos"], True),
        (["Broncos"], False),
        (["Denver Broncos team"], False),
        ([], False),
    ],
)
def test_exact_match_needs_one_equal_reference(references: list[str], is_exact: bool) -> None:
    assert exact_match("The Denver Broncos!", references) is is_exact


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        # candidate cat on mats and cat (5), reference cat sat on mat (4), shared cat on:
        # P = 2/5, R = 2/4, F1 = 2 * 0.4 * 0.5 / 0.9
        (
            "a cat on mats and a cat",
            "the cat sat on the mat",
            Overlap(0.4444444444444445, 0.4, 0.5),
        ),
        # repetitions count: min(3, 2) to + min(2, 2) be = 4 of 5 and of 6
        (
            "to be to be to",
            "to be or not to be",
            Overlap(0.7272727272727272, 0.8, 0.6666666666666666),
        ),
        ("in 1066 AD", "1066", Overlap(0.5, 0.3333333333333333, 1.0)),
        ("The Denver, Broncos!", "Denver Broncos", Overlap(1.0, 1.0, 1.0)),
        ("Paris", "London", Overlap(0.0, 0.0, 0.0)),
        ("", "the", Overlap(1.0, 1.0, 1.0)),  # neither has tokens
        ("a cat", "the", Overlap(0.0, 0.0, 0.0)),
        ("", "cat", Overlap(0.0, 0.0, 0.0)),
    ],
)
def test_token_overlap_follows_the_official_script(
    candidate: str, reference: str, expected: Overlap
) -> None:
    assert token_overlap(candidate, reference) == expected


@given(TEXTS, TEXTS)
def test_token_overlap_swaps_precision_and_recall_with_its_arguments(one: str, two: str) -> None:
    there, back = token_overlap(one, two), token_overlap(two, one)
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert there.f1 == pytest.approx(back.f1, abs=1e-15)
    assert (there.f1 == 1) == (sorted(tokens(one)) == sorted(tokens(two)))


def test_best_overlap_takes_the_reference_of_highest_f1() -> None:
    references = ["the year 1066 AD", "1066 AD", "Hastings"]
    assert best_overlap("1066", references) == Overlap(0.6666666666666666, 1.0, 0.5)


def test_best_overlap_refuses_to_answer_without_references() -> None:
    with pytest.raises(ValueError, match="at least one reference"):
        best_overlap("1066", [])
