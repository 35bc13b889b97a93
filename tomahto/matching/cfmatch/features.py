"""The features of CFMatch (CFMatch paper, §3.3): TF-IDF unigrams and the overlap of words.

The words of a row are those of `[CLS] candidate [SEP] reference [SEP] question [SEP]`, split by
SQuAD normalisation. The markers keep their brackets, so no word of a text can be one, and they
are words like any other: being the same in every row, they carry the row's length.

The overlap is that of the words as they are, as in the paper, or that of their stems, as the
authors' own package counts it (it lemmatises): `fox` and `foxes`, `six` and `6` are then one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np

from tomahto.learning.sparse_matrix import SparseMatrix, sums
from tomahto.learning.token_rows import (
    TokenRows,
    WordPlaces,
    count_places,
    overlaps,
    renamed_words,
)
from tomahto.matching.feather.words import canonical_form, stem
from tomahto.types import Floats, Integers

OverlapWords: TypeAlias = Literal["tokens", "stems"]
_PAPER = (
    "text:cls-candidate-sep-reference-sep-question-sep|tok:squad"
    "|tfidf:unigram,smooth,l2|overlap:f1,precision,recall"
)
FEATURES_SIGNATURES: Mapping[OverlapWords, str] = {"tokens": _PAPER, "stems": f"{_PAPER},stems"}
OVERLAP_FEATURES = ("f1", "precision", "recall")
CLS, SEP = "[CLS]", "[SEP]"
_MARKERS = (CLS, SEP, SEP, SEP)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Known words with their column, and the inverse document frequency of each column."""

    columns: Mapping[str, int]
    idf: Floats


def make_vocabulary(
    words: Sequence[str], document_frequencies: Sequence[int], n_documents: int
) -> Vocabulary:
    """The words as columns 0, 1, … with smooth idf = ln((1 + n) / (1 + df)) + 1.

    This is Spärck Jones's weight (1972) with the smoothing of scikit-learn's TfidfTransformer:
    as if one more document held every word.
    """
    frequencies = np.asarray(document_frequencies, dtype=np.float64)
    idf = np.log((1 + n_documents) / (1 + frequencies)) + 1
    return Vocabulary({word: column for column, word in enumerate(words)}, idf)


def document_frequencies(rows: TokenRows) -> dict[str, int]:
    """In how many rows each word occurs, the markers included."""
    words = (*rows.words, CLS, SEP)
    distinct, _ = count_places(_document(rows), len(words))
    counts = np.bincount(distinct.word, minlength=len(words))
    return dict(zip(words, counts.tolist(), strict=True))


def feature_matrix(
    rows: TokenRows, vocabulary: Vocabulary, overlap_words: OverlapWords
) -> SparseMatrix:
    """One line per row: the TF-IDF of every known word, then F1, precision and recall.

    Shape (rows, words + 3). The TF-IDF part of a line has length 1 (0 if no word is known).
    """
    compared = renamed_words(rows, word_stem) if overlap_words == "stems" else rows
    n_words = len(vocabulary.columns)
    terms = _tf_idf(rows, vocabulary)
    every_row = np.arange(rows.n_rows)
    overlap_columns = np.repeat(np.arange(n_words, n_words + 3), rows.n_rows)
    return SparseMatrix(
        n_rows=rows.n_rows,
        n_columns=n_words + len(OVERLAP_FEATURES),
        row=np.concatenate([terms.row, np.tile(every_row, len(OVERLAP_FEATURES))]),
        column=np.concatenate([terms.column, overlap_columns]),
        value=np.concatenate([terms.value, *overlaps(compared)]),
    )


@lru_cache(maxsize=100_000)
def word_stem(word: str) -> str:
    """The form in which the overlap of stems compares a word, as feather does."""
    canonical = canonical_form(word)
    return canonical if canonical[:1].isdigit() else stem(canonical)


def _tf_idf(rows: TokenRows, vocabulary: Vocabulary) -> SparseMatrix:
    n_columns = max(len(vocabulary.columns), 1)
    cells, counts = count_places(_known(rows, vocabulary), n_columns)
    value = counts * vocabulary.idf[cells.word]
    length = np.sqrt(sums(cells.row, value**2, rows.n_rows))
    value /= length[cells.row]
    return SparseMatrix(rows.n_rows, n_columns, cells.row, cells.word, value)


def _known(rows: TokenRows, vocabulary: Vocabulary) -> WordPlaces:
    """The occurrences of known words, `word` being their column.

    Columns, unlike a batch's word numbers, give each row's words the same order in every batch;
    otherwise the last digits of a score would depend on the pair's neighbours.
    """
    unknown = -1
    column_of: Integers = np.array(
        [vocabulary.columns.get(word, unknown) for word in (*rows.words, CLS, SEP)],
        dtype=np.int64,
    )
    document = _document(rows)
    column = column_of[document.word]
    known = column != unknown
    return WordPlaces(document.row[known], column[known])


def _document(rows: TokenRows) -> WordPlaces:
    """All words of each row with its markers, which are numbered after the words."""
    cls = len(rows.words)
    number_of = {CLS: cls, SEP: cls + 1}
    markers = np.array([number_of[marker] for marker in _MARKERS])
    fields = (rows.candidate, rows.reference, rows.question)
    every_row = np.arange(rows.n_rows)
    return WordPlaces(
        row=np.concatenate([*(f.row for f in fields), np.repeat(every_row, len(_MARKERS))]),
        word=np.concatenate([*(f.word for f in fields), np.tile(markers, rows.n_rows)]),
    )
