"""How often each vote pattern occurs in the replicates of a bootstrap over questions.

Questions whose items have the same patterns are alike, so a replicate is one multinomial draw of
these kinds of question. Where nothing is known of questions, every item is drawn by itself.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import numpy as np

from tomahto.estimates.bootstrap import Bootstrap, blocks_of, drawn_units
from tomahto.types import Floats, Integers
from tomahto.votes.patterns import VotePatterns


def drawn_patterns(
    patterns: VotePatterns, bootstrap: Bootstrap, width: int = 0
) -> Iterator[Integers]:
    """How many items have each pattern (r, P), in the order of `patterns.counts`, for a few
    replicates at a time. `width` is as for `drawn_weights`."""
    if not patterns.questions:
        units = np.array(list(patterns.counts.values()), dtype=np.int64)
        yield from drawn_units(units, width, bootstrap)
        return
    kinds, starts, items = _items_of_kinds(patterns)
    times = np.array(list(patterns.questions.values()), dtype=np.int64)
    for drawn in drawn_units(times, max(width, len(kinds)), bootstrap):
        yield np.add.reduceat(drawn[:, kinds] * items, starts, axis=1)


def without_each(patterns: VotePatterns, value_of: Callable[[Integers], Floats]) -> Floats:
    """The value without each question in turn (Q,), or item where nothing is known of questions.

    `value_of` gives the values (r,) of rows that say how many items have each pattern (r, P).
    """
    units = np.array(list(patterns.counts.values()), dtype=np.int64)
    kinds = patterns.questions or {(pattern,): items for pattern, items in patterns.counts.items()}
    place_of = {pattern: place for place, pattern in enumerate(patterns.counts)}
    combinations, values, start = list(kinds), [], 0
    for size in blocks_of(len(kinds), len(units)):
        rows = np.repeat(units[np.newaxis], size, axis=0)
        for row, combination in zip(rows, combinations[start : start + size], strict=True):
            for pattern in combination:
                row[place_of[pattern]] -= 1
        values.append(value_of(rows))
        start += size
    return np.repeat(np.concatenate(values), list(kinds.values()))


def _items_of_kinds(patterns: VotePatterns) -> tuple[Integers, Integers, Integers]:
    """Of every pattern in turn the kinds of question that have it, and on how many items: kinds and
    items (E,) side by side, and where each pattern begins (P,)."""
    place_of = {pattern: place for place, pattern in enumerate(patterns.counts)}
    entries = sorted(
        (place_of[pattern], kind, items)
        for kind, combination in enumerate(patterns.questions)
        for pattern, items in Counter(combination).items()
    )
    places, kinds, items = np.array(entries, dtype=np.int64).T
    return kinds, np.flatnonzero(np.diff(places, prepend=-1)), items
