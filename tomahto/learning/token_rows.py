"""Texts to compare as arrays of word numbers, so that whole batches are counted at once, and sparse
matrices whose products have the same digits on every machine."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np

from tomahto.text.normalisation import tokens
from tomahto.types import Floats, Integers


def sums(group: Integers, value: Floats | Integers, n_groups: int) -> Floats:
    """For each group the sum of its values, added in listed order."""
    return np.bincount(group, value, n_groups).astype(np.float64, copy=False)


@dataclass(frozen=True, slots=True, eq=False)
class SparseMatrix:
    """Cells as coordinates: `value[k]` stands at (`row[k]`, `column[k]`); all others are 0.

    A cell that is listed several times counts as their sum. Products add up in listed order and
    round after every step, so a row's product depends neither on the other rows nor on whether the
    processor multiplies and adds at once, as it may in SciPy's.
    """

    n_rows: int
    n_columns: int
    row: Integers
    column: Integers
    value: Floats

    def times(self, vector: Floats) -> Floats:
        """X·v: n_columns numbers in, n_rows out."""
        return sums(self.row, self.value * vector[self.column], self.n_rows)


class Row(NamedTuple):
    """One candidate beside one reference, and the question both answer."""

    candidate: str
    reference: str
    question: str


class WordPlaces(NamedTuple):
    """Occurrences of words: word number `word[k]` occurs in row `row[k]`."""

    row: Integers
    word: Integers


@dataclass(frozen=True, slots=True, eq=False)
class TokenRows:
    """Tokenised rows. `words[number]` is the word; numbers hold for these rows only."""

    n_rows: int
    words: tuple[str, ...]
    candidate: WordPlaces
    reference: WordPlaces
    question: WordPlaces


def tokenise(rows: Sequence[Row]) -> TokenRows:
    """The rows' texts as `tomahto.text.normalisation.tokens` splits them, each distinct text split
    once."""
    texts = _Texts.of(dict.fromkeys(chain.from_iterable(rows)))
    candidate, reference, question = (texts.places([row[f] for row in rows]) for f in range(3))
    return TokenRows(len(rows), texts.words, candidate, reference, question)


def renamed_words(rows: TokenRows, name: Callable[[str], str]) -> TokenRows:
    """The same rows with `name(word)` for every word; words of one name become one."""
    number_of: dict[str, int] = {}
    numbers: Integers = np.array(
        [number_of.setdefault(name(word), len(number_of)) for word in rows.words], dtype=np.int64
    )
    fields = (rows.candidate, rows.reference, rows.question)
    renamed = (WordPlaces(field.row, numbers[field.word]) for field in fields)
    return TokenRows(rows.n_rows, tuple(number_of), *renamed)


def overlaps(rows: TokenRows) -> tuple[Floats, Floats, Floats]:
    """F1, precision and recall of every row, the values of
    `tomahto.text.normalisation.token_overlap`."""
    shared = _shared_tokens(rows)
    candidate_size = np.bincount(rows.candidate.row, minlength=rows.n_rows)
    reference_size = np.bincount(rows.reference.row, minlength=rows.n_rows)
    both_empty = (candidate_size == 0) & (reference_size == 0)
    # Sizes of 0 divide nothing: their rows share no token, so 0 / 1 is the wanted 0.
    precision = shared / np.maximum(candidate_size, 1)
    recall = shared / np.maximum(reference_size, 1)
    f1 = (2 * precision * recall) / np.where(shared > 0, precision + recall, 1.0)
    for values in (f1, precision, recall):
        values[both_empty] = 1.0
    return f1, precision, recall


def count_places(places: WordPlaces, n_words: int) -> tuple[WordPlaces, Integers]:
    """Distinct (row, word) in ascending order, and how often each occurs."""
    keys, counts = np.unique(places.row * n_words + places.word, return_counts=True)
    row, word = np.divmod(keys, n_words)
    return WordPlaces(row, word), counts


class _Texts(NamedTuple):
    """Distinct texts: text t is the word numbers `word[start[t] : start[t] + length[t]]`."""

    words: tuple[str, ...]
    number_of: Mapping[str, int]
    word: Integers
    start: Integers
    length: Integers

    @classmethod
    def of(cls, texts: Iterable[str]) -> "_Texts":
        number_of = {text: number for number, text in enumerate(texts)}
        lists = [tokens(text) for text in number_of]
        numbers: defaultdict[str, int] = defaultdict()
        numbers.default_factory = numbers.__len__  # a new word gets the next free number
        word = np.fromiter(map(numbers.__getitem__, chain.from_iterable(lists)), dtype=np.int64)
        length = np.fromiter(map(len, lists), dtype=np.int64, count=len(lists))
        return cls(tuple(numbers), number_of, word, np.cumsum(length) - length, length)

    def places(self, texts: Sequence[str]) -> WordPlaces:
        """The words of one text per row."""
        text = np.array([self.number_of[text] for text in texts], dtype=np.int64)
        length = self.length[text]
        row = np.repeat(np.arange(len(texts)), length)
        place_in_row = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length)
        return WordPlaces(row, self.word[self.start[text][row] + place_in_row])


def _shared_tokens(rows: TokenRows) -> Floats:
    """Size of the intersection of the candidate's and the reference's bags of tokens."""
    n_words = max(len(rows.words), 1)
    candidate = rows.candidate.row * n_words + rows.candidate.word
    reference = rows.reference.row * n_words + rows.reference.word
    candidate_keys, in_candidate = np.unique(candidate, return_counts=True)
    reference_keys, in_reference = np.unique(reference, return_counts=True)
    both, at_candidate, at_reference = np.intersect1d(
        candidate_keys, reference_keys, assume_unique=True, return_indices=True
    )
    times = np.minimum(in_candidate[at_candidate], in_reference[at_reference])
    return sums(both // n_words, times, rows.n_rows)
