"""Questions that were there before, give or take a word (CAP App. B.5.1)."""

import math
from collections import defaultdict
from collections.abc import Iterable

from tomahto.text.near_duplicates import THRESHOLD, are_near
from tomahto.text.same_question import question_tokens


class NearDuplicates:
    """Remembers questions as sets of tokens (tomahto.text.same_question).

    Two are near-duplicates if their sets' Jaccard similarity |A ∩ B| / |A ∪ B| is at least
    `threshold`. Only sets of similar size can be: that is how few are looked at.
    """

    def __init__(self, texts: Iterable[str] = (), *, threshold: float = THRESHOLD) -> None:
        self._threshold = threshold
        self._by_size: defaultdict[int, list[frozenset[str]]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> bool:
        """Remember the text. False, and nothing is remembered, if it is a near-duplicate."""
        found = question_tokens(text)
        if self._has(found):
            return False
        self._by_size[len(found)].append(found)
        return True

    def _has(self, found: frozenset[str]) -> bool:
        smallest = math.ceil(self._threshold * len(found))
        largest = math.floor(len(found) / self._threshold)
        return any(
            are_near(found, other, self._threshold)
            for size in range(smallest, largest + 1)
            for other in self._by_size.get(size, ())
        )
