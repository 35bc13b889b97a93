"""Phrases found in a text."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence


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
