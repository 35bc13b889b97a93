"""Candidate, reference and question of every row: what of one stands in another, and which word of
the candidate each word of the reference stands for, and how surely."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tomahto.learning.token_rows import Row
from tomahto.matching.feather.texts import MAX_WORDS, Lexicon, Places, Texts
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
    """The similarity of word `left[k]` of the references and word `right[k]` of the candidates."""
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
    sides = [(places, places.facts["first_letter"]) for places in (reference, candidate)]
    initials = [np.where(places.facts["initial"], letter, 0) for places, letter in sides]
    names = [np.where(places.facts["capital"], letter, -1) for places, letter in sides]
    if not (initials[0].any() or initials[1].any()):
        return
    fits = initials[0][left] == names[1][right]
    fits |= initials[1][right] == names[0][left]
    similarity[fits] = INITIAL


def smallest(row: Integers, value: Floats | Integers, n_rows: int, none: float) -> Floats:
    """For each row the smallest of its values, or `none` if it has no smaller one."""
    result = np.full(n_rows, none, dtype=np.float64)
    np.minimum.at(result, row, value)
    return result


Mask: TypeAlias = NDArray[np.bool_]
Features: TypeAlias = Mapping[str, Mask | Floats | Integers]


@dataclass(frozen=True, eq=False)
class Compared:
    """Rows of candidate, reference and question, with what stands in which of the others.

    `texts` are the distinct texts, `numbers` (rows × 3) which of them each row holds.
    """

    texts: Texts
    numbers: Integers
    candidate: Places
    reference: Places
    question: Places
    occurs: "Occurrences"
    alignment: Alignment

    @property
    def n_rows(self) -> int:
        return len(self.numbers)

    @cached_property
    def number_lists(self) -> list[list[int]]:
        """`numbers` as lists, which Python goes through faster."""
        lists: list[list[int]] = self.numbers.tolist()
        return lists

    @cached_property
    def novel(self) -> Mask:
        """The reference's words that say something the question does not."""
        content: Mask = ~self.reference.facts["stop"]
        return content & ~self.occurs.reference_in_question

    @cached_property
    def added(self) -> Mask:
        """The candidate's words that neither reference nor question explain."""
        content: Mask = ~self.candidate.facts["stop"]
        return content & ~self.occurs.candidate_explained

    @cached_property
    def phrases(self) -> list[list[str]]:
        """The canonical words of every text."""
        return self.texts.phrases()

    @cached_property
    def span(self) -> "Span":
        return _span(self)


class Occurrences(NamedTuple):
    """Whether each word of one field occurs, up to its ending, in another field of its row."""

    candidate_in_reference: Mask
    candidate_in_question: Mask
    reference_in_question: Mask
    question_in_candidate: Mask
    question_in_reference: Mask

    @property
    def candidate_explained(self) -> Mask:
        return self.candidate_in_reference | self.candidate_in_question


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """From the first to the last place in the candidate where the reference was found."""

    found: Mask
    n_hits: Integers
    first: Integers
    last: Integers


def compare_rows(rows: Sequence[Row], lexicon: Lexicon) -> Compared:
    """Reads the rows' texts, each distinct one once, and aligns them."""
    distinct: dict[str, int] = {}
    numbers: Integers = np.array(
        [[distinct.setdefault(text, len(distinct)) for text in row] for row in rows],
        dtype=np.int64,
    ).reshape(len(rows), 3)
    texts = lexicon.read(list(distinct))
    distinct_stems, stem = np.unique(texts.columns["stem"][texts.word], return_inverse=True)
    candidate, reference, question = (texts.places(numbers[:, field], stem) for field in range(3))
    occurs = _occurrences(candidate, reference, question, n_stems=len(distinct_stems))
    alignment = align(reference, candidate)
    return Compared(texts, numbers, candidate, reference, question, occurs, alignment)


def share(part: Integers, whole: Integers) -> Floats:
    """part / whole, 0 where the whole is empty."""
    result: Floats = part / np.maximum(whole, 1)
    return result


def mean(
    places: Places,
    similarity: Integers,
    which: Mask,
    *,
    weight: Integers | None = None,
    otherwise: Floats | float = -1.0,
) -> Floats:
    """For each row the mean similarity (0 to 1) of the words meant, `otherwise` without any."""
    weight = np.ones(len(similarity), dtype=np.int64) if weight is None else weight
    n_rows = len(places.size)
    row = places.row[which]
    total = np.bincount(row, (similarity * weight)[which], n_rows)
    weights = np.bincount(row, weight[which], n_rows)
    return np.where(weights > 0, total / np.maximum(weights, 1) / SAME, otherwise)


def _occurrences(
    candidate: Places, reference: Places, question: Places, *, n_stems: int
) -> Occurrences:
    table = np.zeros(len(question.size) * n_stems, dtype=np.uint8)  # which fields hold a stem
    fields = (candidate, reference, question)
    cells = [places.row * n_stems + places.stem for places in fields]
    for bit, cell in enumerate(cells):
        table[cell] |= 1 << bit
    found = [table[cell] for cell in cells]
    return Occurrences(
        candidate_in_reference=found[0] & 2 > 0,
        candidate_in_question=found[0] & 4 > 0,
        reference_in_question=found[1] & 4 > 0,
        question_in_candidate=found[2] & 1 > 0,
        question_in_reference=found[2] & 2 > 0,
    )


def _span(compared: Compared) -> Span:
    """The positions at which the reference's novel words were found."""
    hit = compared.alignment.hit & compared.novel
    row, position = compared.reference.row[hit], compared.alignment.position[hit]
    n_hits = compared.reference.count(hit)
    first = np.full(compared.n_rows, -1)
    first[row] = np.iinfo(np.int64).max
    np.minimum.at(first, row, position)
    last = np.full(compared.n_rows, -1)
    np.maximum.at(last, row, position)
    return Span(n_hits > 0, n_hits, first, last)
