"""Questions that are the same, give or take a word: token Jaccard of at least 0.9 (CAP App. B.5.1).

All pairs are found without looking at all pairs, and none is missed: prefix filtering (Chaudhuri
et al. 2006; Bayardo et al. 2007). Two sets that are near share so many tokens that they share one
among the few rarest of each; only sets that do are compared.
"""

import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import Final

from tomahto.text.components import connected_components
from tomahto.text.same_question import question_tokens

THRESHOLD: Final = 0.9
_ROUNDING: Final = 1e-9  # a bound that rounding moves may let in more, never less


def are_near(one: Set[str], other: Set[str], threshold: float = THRESHOLD) -> bool:
    """Whether the Jaccard similarity |A ∩ B| / |A ∪ B| is at least the threshold; two empty sets
    are alike."""
    shared = len(one & other)
    union = len(one) + len(other) - shared
    return shared >= threshold * union


def near_duplicate_groups(
    texts: Sequence[str],
    *,
    threshold: float = THRESHOLD,
    tokens_of: Callable[[str], Iterable[str]] = question_tokens,
) -> list[list[int]]:
    """Places of texts that are near-duplicates of each other, directly or by way of others.

    Texts are compared as sets of tokens. Each group has two members or more and is sorted, and so
    are the groups by their first members. `threshold` is above 0, at most 1.
    """
    places: dict[frozenset[str], list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(frozenset(tokens_of(text)), []).append(place)
    sets = list(places)
    members = [places[found] for found in sets]
    components = connected_components(len(sets), near_pairs(sets, threshold=threshold))
    groups = (sorted(p for number in numbers for p in members[number]) for numbers in components)
    return sorted(group for group in groups if len(group) > 1)


def near_pairs(
    sets: Sequence[Set[str]], *, threshold: float = THRESHOLD
) -> Iterator[tuple[int, int]]:
    """Every pair of places whose sets are near, each once, in no promised order."""
    frequency = Counter(token for found in sets for token in found)
    by_size = sorted(range(len(sets)), key=lambda place: len(sets[place]))
    seen: defaultdict[str, deque[int]] = defaultdict(deque)
    empty: list[int] = []
    for place in by_size:
        found = sets[place]
        prefix = _rarest(found, frequency, threshold)
        smallest = threshold * len(found) - _ROUNDING
        for others in (seen[token] for token in prefix):
            while others and len(sets[others[0]]) < smallest:  # as for all that come later
                others.popleft()
        known = {other for token in prefix for other in seen[token]} if found else set(empty)
        for other in known:
            if are_near(found, sets[other], threshold):
                yield other, place
        for token in prefix:
            seen[token].append(place)
        if not found:
            empty.append(place)


def _rarest(found: Iterable[str], frequency: Counter[str], threshold: float) -> list[str]:
    """The tokens of which at least one is shared with every set that is near.

    A near set of any size shares at least `threshold` of these tokens, so at most the rest can be
    missing; one more than the rest cannot all be missing.
    """
    ordered = sorted(found, key=lambda token: (frequency[token], token))
    shared = math.ceil(threshold * len(ordered) - _ROUNDING)
    return ordered[: len(ordered) - shared + 1]
