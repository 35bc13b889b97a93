from tomahto.learning.token_rows import Row
from tomahto.matching.feather.alignment import HIT, INITIAL, SAME, SAME_STEM
from tomahto.matching.feather.comparison import compare_rows
from tomahto.matching.feather.texts import Lexicon


def align(candidate: str, reference: str) -> tuple[list[int], list[int]]:
    alignment = compare_rows([Row(candidate, reference, "")], Lexicon()).alignment
    return alignment.similarity.tolist(), alignment.position.tolist()


def test_alignment_prefers_the_same_word_then_its_stem() -> None:
    assert align("Two cats chased a cat", "cat chasing") == ([SAME, SAME_STEM], [3, 2])


def test_alignment_takes_the_first_of_equal_words() -> None:
    assert align("red dog, red fox", "red") == ([SAME], [0])


def test_alignment_measures_spelling_by_letter_pairs() -> None:
    # ^color$ has 6 pairs, ^colour$ 7; ^c co ol lo r$ are shared: 5 * 460 // 13 = 176.
    (similarity,), (position,) = align("the colour", "color")

    assert (similarity, position) == (176, 0)
    assert similarity >= HIT


def test_alignment_lets_an_initial_stand_for_a_name() -> None:
    assert align("J. Smith", "John Smith") == ([INITIAL, SAME], [0, 1])
    assert align("John Smith", "J. Smith") == ([INITIAL, SAME], [0, 1])


def test_alignment_never_takes_one_number_for_another() -> None:
    assert align("1914", "1912")[0] == [0]


def test_alignment_of_empty_texts_finds_nothing() -> None:
    assert align("", "red fox")[0] == [0, 0]
    assert align("red fox", "") == ([], [])
    assert align("", "") == ([], [])
