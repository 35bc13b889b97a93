"""The words of a text in any script, what makes two of them the same, and phrases of them.

Words are those of Unicode Standard Annex 29 (Text Segmentation): marks stay with their letters,
`1,000.5` is one word, and so is an emoji of several signs. In a script without spaces, which
only a dictionary could divide, every sign is a word: a grapheme cluster. Three departures:

- No word ends inside a grapheme cluster; by the annex alone, the vowel of Thai `น้ำ` would be one.
- Apostrophes, full stops and colons part letters. By the annex `Paris's`, `l'eau` and `end.Next`
  are a single word each, and the answers `Paris`, `eau` and `end` would not be found there.
- The narrow no-break space, which French has before `?`, is a space.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from unicodedata import normalize

import regex

Part = tuple[str, int, int]
"""A word or what stands between two: its key, and where it begins and ends in the text.

The key of two words is equal if they differ in case, in compatibility forms (`Ａ` and `A`, composed
or not) and in invisible signs (soft hyphens, joiners, marks of direction) at most: Unicode's
NFKC_Casefold. That of white space is empty.
"""

_VOWELS: Final = r"\u0e33\u0eb3"  # of Thai and Lao: letters that no cluster begins with
_ATTACHED: Final = rf"[\p{{WB=Extend}}\p{{WB=Format}}\p{{WB=ZWJ}}{_VOWELS}]*+"
_PART: Final = regex.compile(
    rf"(?:[\p{{Latin}}0-9]++|\x20|\p{{Han}})\b(?![{_VOWELS}])"  # the same as below, only faster
    # In a row of flags or of invisible signs, \b goes back to the first from every one.
    rf"|\R|\p{{Regional_Indicator}}{{1,2}}{_ATTACHED}"
    rf"|(?:\X{_ATTACHED})+?"
    r"(?:\b|(?=['’.:][\p{M}\p{Cf}]*\p{L})|(?<=['’.:][\p{M}\p{Cf}]*)(?=\p{L})"
    r"|(?=\u202f)|(?<=\u202f))",
    regex.DOTALL | regex.WORD,
)
# Not the signs of tags: they alone tell the flag of Scotland from that of Wales.
_INVISIBLE: Final = regex.compile(
    r"[\p{Default_Ignorable_Code_Point}--[\U000e0020-\U000e007f]]", regex.VERSION1
)


def parts(text: str) -> list[Part]:
    """All of the text, in words, single signs and white space."""
    pieces: list[str] = _PART.findall(text)
    keys = {piece: _key(piece) for piece in set(pieces)}
    placed, start = [], 0
    for piece in pieces:
        end = start + len(piece)
        placed.append((keys[piece], start, end))
        start = end
    return placed


def words(text: str) -> list[Part]:
    """The same without white space."""
    return [part for part in parts(text) if part[0]]


def _key(piece: str) -> str:
    if not piece.isascii():
        visible = _INVISIBLE.sub("", normalize("NFKC", piece))
        piece = normalize("NFKC", visible.casefold())
    return "" if piece.isspace() else piece.lower()


class Phrases:
    """A set of phrases, each a sequence of words; empty ones are found nowhere.

    They are found in time that grows with the sum of their lengths, not with the product, by the
    automaton of Aho and Corasick (1975), "Efficient string matching".
    """

    def __init__(self, phrases: Iterable[Sequence[str]]) -> None:
        self._next: list[dict[str, int]] = [{}]
        self._length = [0]  # words of the longest phrase that ends in a state
        self._shorter = [0]  # the state of the longest proper suffix
        for phrase in phrases:
            self._add(phrase)
        self._link()

    def spans_in(self, words: Iterable[str]) -> Iterator[tuple[int, int]]:
        """For each word that ends a phrase: the first word of the longest, and the one after."""
        state = 0
        for place, word in enumerate(words, start=1):
            state = self._after(state, word)
            if length := self._length[state]:
                yield place - length, place

    def _add(self, phrase: Sequence[str]) -> None:
        state = 0
        for word in phrase:
            if (following := self._next[state].get(word)) is None:
                following = self._next[state][word] = len(self._next)
                self._next.append({})
                self._length.append(0)
                self._shorter.append(0)
            state = following
        self._length[state] = len(phrase)

    def _link(self) -> None:
        waiting = deque(self._next[0].values())
        while waiting:
            state = waiting.popleft()
            for word, following in self._next[state].items():
                shorter = self._shorter[following] = self._after(self._shorter[state], word)
                self._length[following] = self._length[following] or self._length[shorter]
                waiting.append(following)

    def _after(self, state: int, word: str) -> int:
        while state and word not in self._next[state]:
            state = self._shorter[state]
        return self._next[state].get(word, 0)
