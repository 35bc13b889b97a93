"""Which word of the candidate each word of the reference stands for, and how surely."""

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tomahto.matching.feather.texts import MAX_WORDS, Places
from tomahto.types import Floats, Integers

# How alike two words are, in 1/255; whole numbers, so that sums are exact.
SAME, SAME_STEM, SPELLED_ALIKE, INITIAL, UNRELATED = 255, 240, 230, 130, 0
HIT = 150  # from here on a word counts as found
_LEAST_ALIKE = 105
_POSITIONS = 1 << MAX_WORDS.bit_length()


class NumberPairs(NamedTuple):
    """A number of the reference beside a number of the candidate, one entry per such pair.

    `row` is the row both stand in, `reference` and `candidate` the entries among its places.
    """

    row: Integers
    reference: Integers
    candidate: Integers


@dataclass(frozen=True, eq=False)
class Alignment:
    """For each word of the references the most similar word of the row's candidate.

    `similarity` (0 to 255) is 0 and `position` meaningless where nothing is alike; of equally
    similar words the first counts.
    """

    similarity: Integers
    position: Integers
    numbers: NumberPairs

    @cached_property
    def hit(self) -> NDArray[np.bool_]:
        return self.similarity >= HIT


def align(reference: Places, candidate: Places) -> Alignment:
    """Compares every word of a row's reference with every word of its candidate."""
    n_partners = candidate.size[reference.row]
    left = np.repeat(np.arange(len(reference.row)), n_partners)
    begin = np.cumsum(n_partners) - n_partners
    position = np.arange(len(left)) - begin[left]
    right = candidate.start[reference.row][left] + position
    ranked = _similarity(reference, candidate, left, right) * _POSITIONS
    ranked += _POSITIONS - 1 - position  # of equal ones the first
    best = np.zeros(len(reference.row), dtype=np.int64)
    compared = n_partners > 0
    if compared.any():
        best[compared] = np.maximum.reduceat(ranked, begin[compared])
    similarity, from_end = np.divmod(best, _POSITIONS)
    numbers = reference.facts["number"][left] & candidate.facts["number"][right]
    return Alignment(
        similarity,
        _POSITIONS - 1 - from_end,
        NumberPairs(reference.row[left[numbers]], left[numbers], right[numbers]),
    )


def _similarity(reference: Places, candidate: Places, left: Integers, right: Integers) -> Integers:
    """How alike word `left[k]` of the references and word `right[k]` of the candidates are."""
    similarity = _spelled_alike(reference, candidate, left, right)
    _match_initials(similarity, reference, candidate, left, right)
    similarity[reference.stem[left] == candidate.stem[right]] = SAME_STEM
    same = reference.facts["canonical"][left] == candidate.facts["canonical"][right]
    similarity[same] = SAME
    return similarity


def _spelled_alike(
    reference: Places, candidate: Places, left: Integers, right: Integers
) -> Integers:
    """Dice's coefficient of the words' letter pairs; numbers have none."""
    shared = np.zeros(len(left), dtype=np.int64)
    for half in ("pairs_low", "pairs_high"):
        shared += np.bitwise_count(reference.facts[half][left] & candidate.facts[half][right])
    together = reference.facts["n_pairs"][left] + candidate.facts["n_pairs"][right]
    similarity: Integers = shared * (2 * SPELLED_ALIKE) // np.maximum(together, 1)
    similarity[similarity < _LEAST_ALIKE] = UNRELATED
    return similarity


def _match_initials(
    similarity: Integers, reference: Places, candidate: Places, left: Integers, right: Integers
) -> None:
    """`J.` may stand for `John`, on either side."""
    initials, names = zip(*(_initials_and_names(p) for p in (reference, candidate)), strict=True)
    if not (initials[0].any() or initials[1].any()):
        return
    fits = initials[0][left] == names[1][right]
    fits |= initials[1][right] == names[0][left]
    similarity[fits] = INITIAL


def _initials_and_names(places: Places) -> tuple[Integers, Integers]:
    """The letter of every initial (else 0), and the first letter of every name (else -1)."""
    letter = places.facts["first_letter"]
    return (
        np.where(places.facts["initial"], letter, 0),
        np.where(places.facts["capital"], letter, -1),
    )


def smallest(row: Integers, value: Floats | Integers, n_rows: int, none: float) -> Floats:
    """For each row the smallest of its values, or `none` if it has no smaller one."""
    result = np.full(n_rows, none, dtype=np.float64)
    np.minimum.at(result, row, value)
    return result
