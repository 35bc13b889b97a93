import pytest

from tomahto.learning.token_rows import Row
from tomahto.matching.feather.comparison import HIT, INITIAL, SAME, SAME_STEM, compare_rows
from tomahto.matching.feather.texts import Lexicon


def align(candidate: str, reference: str) -> tuple[list[int], list[int]]:
    alignment = compare_rows([Row(candidate, reference, "")], Lexicon()).alignment
    return alignment.similarity.tolist(), alignment.position.tolist()


@pytest.mark.parametrize(
    ("candidate", "reference", "similarity", "position"),
    [
        ("Two cats chased a cat", "cat chasing", [SAME, SAME_STEM], [3, 2]),
        ("red dog, red fox", "red", [SAME], [0]),  # the first of equal words
        # ^color$ has 6 pairs, ^colour$ 7; ^c co ol lo r$ are shared: 5 * 460 // 13 = 176
        ("the colour", "color", [176], [0]),
        ("J. Smith", "John Smith", [INITIAL, SAME], [0, 1]),
        ("John Smith", "J. Smith", [INITIAL, SAME], [0, 1]),
        ("red fox", "", [], []),
        ("", "", [], []),
    ],
)
def test_alignment_prefers_the_same_word_then_its_stem_then_its_letters(
    candidate: str, reference: str, similarity: list[int], position: list[int]
) -> None:
    assert align(candidate, reference) == (similarity, position)


def test_alignment_ranks_a_stem_above_a_spelling_that_is_a_hit() -> None:
    assert SAME > SAME_STEM > 176 >= HIT


def test_alignment_finds_no_number_for_another_and_nothing_in_an_empty_text() -> None:
    assert align("1914", "1912")[0] == [0]
    assert align("", "red fox")[0] == [0, 0]
