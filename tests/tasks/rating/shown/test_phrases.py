"""Phrases in a text, by one walk through it."""

from collections.abc import Iterator, Sequence

from hypothesis import given
from hypothesis import strategies as st

from tasks.rating.shown.words import Phrases

WORDS = st.lists(st.sampled_from("ab"), max_size=12)


def test_spans_in_finds_the_longest_phrase_that_ends_at_each_word() -> None:
    phrases = Phrases([["the", "left", "bank"], ["left"], ["left", "bank"], []])
    words = ["on", "the", "left", "bank", "of", "the", "left", "arm"]
    assert list(phrases.spans_in(words)) == [(2, 3), (1, 4), (6, 7)]


@given(st.lists(WORDS, max_size=6), st.lists(st.sampled_from("abc"), max_size=40))
def test_spans_in_finds_what_comparing_every_phrase_with_every_place_finds(
    phrases: list[list[str]], words: list[str]
) -> None:
    longest = [
        max(
            (len(p) for p in phrases if p and len(p) <= end and words[end - len(p) : end] == p),
            default=0,
        )
        for end in range(1, len(words) + 1)
    ]
    expected = [(end - size, end) for end, size in enumerate(longest, start=1) if size]
    assert list(Phrases(phrases).spans_in(words)) == expected


class Counted(str):
    """A word that counts how often it is looked up or compared."""

    looked_at = 0
    __slots__ = ()

    def __hash__(self) -> int:
        Counted.looked_at += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        Counted.looked_at += 1
        return super().__eq__(other)


def work(phrases: Sequence[Sequence[str]], words: Sequence[str]) -> int:
    """The number of times that words are looked at to find the phrases."""

    def counted(texts: Sequence[str]) -> Iterator[str]:
        return map(Counted, texts)

    Counted.looked_at = 0
    found = Phrases(list(counted(phrase)) for phrase in phrases)
    assert list(found.spans_in(counted(words)))
    return Counted.looked_at


def test_work_grows_with_the_texts_and_not_with_their_product() -> None:
    def hard(size: int) -> int:
        phrases = [["a"] * size + [str(end)] for end in range(4)] + [["a"]]
        return work(phrases, ["a"] * (10 * size))

    assert hard(2_000) < 2.2 * hard(1_000)
