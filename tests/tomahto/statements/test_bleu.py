"""BLEU against values of NLTK 3.9 (`corpus_bleu`, the example of its documentation)."""

import pytest

from tomahto.statements.bleu import corpus_bleu

H1 = (
    "It is a guide to action which ensures that the military always obeys the commands of the party"
)
R1A = "It is a guide to action that ensures that the military will forever heed Party commands"
R1B = (
    "It is the guiding principle which guarantees the military forces always being under the "
    "command of the Party"
)
R1C = "It is the practical guide for the army always to heed the directions of the party"
H2 = "he read the book because he was interested in world history"
R2A = "he was interested in world history because he read the book"


def words(*texts: str) -> list[list[str]]:
    return [text.split() for text in texts]


def test_bleu_is_that_of_nltk() -> None:
    assert corpus_bleu(words(H1), [words(R1A, R1B, R1C)]) == pytest.approx(0.5045666840058485)
    assert corpus_bleu(words(H1, H2), [words(R1A, R1B, R1C), words(R2A)]) == pytest.approx(
        0.5920778868801042
    )


def test_bleu_by_hand() -> None:
    # 5 words of 6: p1 = 5/5, p2 = 3/4 (c d is missing), p3 = 1/3 (a b c), p4: none -> 0
    assert corpus_bleu(words("a b c e f"), [words("a b c d e f")]) == 0.0
    # p1..p4 = 1; brevity: exp(1 - 5/4)
    assert corpus_bleu(words("a b c d"), [words("a b c d e")]) == pytest.approx(0.7788007830714049)


def test_a_repeated_word_counts_as_often_as_in_the_reference() -> None:
    # p1 = 2/4 (Papineni et al., Example 2, shortened), p2 = 1/3, p3 = 1/2?, none: 0 without match
    assert corpus_bleu(words("the the the the"), [words("the the cat sat")]) == 0.0


def test_equal_texts_have_bleu_1() -> None:
    assert corpus_bleu(words(R1A, H2), [words(R1A), words(H2)]) == 1.0


def test_of_equally_close_references_the_shorter_counts() -> None:
    # 5 words against 4 and 6: r = 4, no penalty; p1 = 5/5 with the longer reference
    assert corpus_bleu(words("a b c d e"), [words("a b c d e f", "a b c d")]) == 1.0


@pytest.mark.parametrize(("candidates", "references"), [([], []), ([["a"]], [[]])])
def test_bleu_of_nothing_is_undefined(
    candidates: list[list[str]], references: list[list[list[str]]]
) -> None:
    with pytest.raises(ValueError, match=r"undefined|at least one reference"):
        corpus_bleu(candidates, references)
