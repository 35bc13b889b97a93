"""CFMatch, a logistic regression over TF-IDF and token overlap (CFMatch paper, §3.3).

The words of a row are those of `[CLS] candidate [SEP] reference [SEP] question [SEP]`, split by
SQuAD normalisation. The markers keep their brackets, so no word of a text can be one, and they
are words like any other: being the same in every row, they carry the row's length.

The overlap is that of the words as they are, as in the paper, or that of their stems, as the
authors' own package counts it (it lemmatises): `fox` and `foxes`, `six` and `6` are then one.

Weights are kept as readable JSON with one word per line: `"word": [document frequency, weight]`.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias

import numpy as np

from tomahto.learning.files import WeightsError, WeightsFile, finite_number, whole_number
from tomahto.learning.logistic_regression import probabilities
from tomahto.learning.token_rows import (
    SparseMatrix,
    TokenRows,
    WordPlaces,
    count_places,
    overlaps,
    renamed_words,
    sums,
    tokenise,
)
from tomahto.matching.feather.words import canonical_form, stem
from tomahto.matching.interface import Pair, require_references
from tomahto.matching.rows import rows_of
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


MAX_BYTES = 1_000_000  # the paper's promise (§3.3 and Tab. 3): under 1 MB


@dataclass(frozen=True)
class CFMatchWeights:
    """A trained CFMatch: parallel tuples over the vocabulary, and the dense part.

    `documents` is the number of rows that the document frequencies were counted in;
    `overlap_weights` belong to F1, precision and recall of `overlap_words`.

    Raises ValueError, naming the field, if the parts do not fit together.
    """

    documents: int
    words: tuple[str, ...]
    document_frequencies: tuple[int, ...]
    word_weights: tuple[float, ...]
    overlap_weights: tuple[float, ...]
    intercept: float
    overlap_words: OverlapWords = "tokens"

    def __post_init__(self) -> None:
        sizes = (len(self.words), len(self.document_frequencies), len(self.word_weights))
        if len(set(sizes)) != 1:
            raise ValueError("words: {} words, {} frequencies, {} weights".format(*sizes))
        if len(set(self.words)) != len(self.words):
            raise ValueError("words: a word is listed twice")
        if len(self.overlap_weights) != len(OVERLAP_FEATURES):
            raise ValueError(f"overlap: {len(self.overlap_weights)} weights instead of 3")
        for word, frequency in zip(self.words, self.document_frequencies, strict=True):
            if not 1 <= frequency <= self.documents:
                raise ValueError(
                    f"words: {word!r} occurs in {frequency} of {self.documents} documents"
                )
        for weight in (*self.word_weights, *self.overlap_weights, self.intercept):
            if not math.isfinite(weight):
                raise ValueError(f"a weight is {weight}, not a finite number")

    @property
    def digest(self) -> str:
        """The first 12 hexadecimal digits of the content's SHA-256."""
        return WEIGHTS_FILE.digest(self)

    def rounded(self, digits: int) -> "CFMatchWeights":
        """The same weights to so many significant digits."""
        return replace(
            self,
            word_weights=tuple(_round(weight, digits) for weight in self.word_weights),
            overlap_weights=tuple(_round(weight, digits) for weight in self.overlap_weights),
            intercept=_round(self.intercept, digits),
        )


def weights_text(weights: CFMatchWeights) -> str:
    """The content of a weights file."""
    rows = zip(weights.words, weights.document_frequencies, weights.word_weights, strict=True)
    words = ",\n".join(
        f"  {json.dumps(word, ensure_ascii=False)}: [{frequency}, {weight!r}]"
        for word, frequency, weight in rows
    )
    overlap = dict(zip(OVERLAP_FEATURES, weights.overlap_weights, strict=True))
    return (
        f'{{\n "features": {json.dumps(FEATURES_SIGNATURES[weights.overlap_words])},\n'
        f' "documents": {weights.documents},\n'
        f' "intercept": {weights.intercept!r},\n'
        f' "overlap": {json.dumps(overlap)},\n'
        f' "words": {{\n{words}\n }}\n}}\n'
    )


def _from_fields(fields: Mapping[str, Any]) -> CFMatchWeights:
    overlap_words = _overlap_words(fields.get("features"))
    words, overlap = _object(fields, "words"), _object(fields, "overlap")
    entries = [_word_entry(word, entry) for word, entry in words.items()]
    return CFMatchWeights(
        documents=whole_number(fields.get("documents"), "documents"),
        words=tuple(words),
        document_frequencies=tuple(frequency for frequency, _ in entries),
        word_weights=tuple(weight for _, weight in entries),
        overlap_weights=tuple(
            finite_number(overlap.get(name), f"overlap.{name}") for name in OVERLAP_FEATURES
        ),
        intercept=finite_number(fields.get("intercept"), "intercept"),
        overlap_words=overlap_words,
    )


def _overlap_words(features: object) -> OverlapWords:
    for overlap_words, signature in FEATURES_SIGNATURES.items():
        if features == signature:
            return overlap_words
    known = " or ".join(map(repr, FEATURES_SIGNATURES.values()))
    raise WeightsError(f"features: {features!r}, this version reads {known}")


def _object(fields: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = fields.get(name)
    if not isinstance(value, dict):
        raise WeightsError(f"{name}: not a JSON object")
    return value


def _word_entry(word: str, entry: object) -> tuple[int, float]:
    if not isinstance(entry, list) or len(entry) != 2:
        raise WeightsError(f"words.{word}: not a pair of document frequency and weight")
    return whole_number(entry[0], f"words.{word}"), finite_number(entry[1], f"words.{word}")


def _round(weight: float, digits: int) -> float:
    return float(f"{weight:.{digits}g}")


WEIGHTS_FILE = WeightsFile(
    MAX_BYTES,
    weights_text,
    _from_fields,
    smaller=lambda weights: f"train with a smaller vocabulary than {len(weights.words)} words",
)


write_weights, read_weights = WEIGHTS_FILE.write, WEIGHTS_FILE.read


_BATCH = 2000  # pairs whose arrays still fit the processor's cache


class CFMatch:
    """Scores the probability that people would call the candidate correct.

    A pair's score is the highest over its references and does not depend on the other pairs.
    There is no length limit. The context is not read (§3.3).
    """

    name = "cfmatch"
    threshold = 0.5

    def __init__(self, weights: CFMatchWeights) -> None:
        self._weights = weights
        self._vocabulary = make_vocabulary(
            weights.words, weights.document_frequencies, weights.documents
        )
        self._coefficients: Floats = np.array(
            [*weights.word_weights, *weights.overlap_weights], dtype=np.float64
        )

    @cached_property
    def version(self) -> str:
        """The features, and a digest of the weights' content."""
        features = FEATURES_SIGNATURES[self._weights.overlap_words]
        return f"cfmatch|{features}|agg:max-ref|weights:{self._weights.digest}|v1"

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One probability per pair. Raises MissingReferenceError."""
        require_references(pairs)
        starts = range(0, len(pairs), _BATCH)
        batches = (pairs[start : start + _BATCH] for start in starts)
        return [score for batch in batches for score in self._score_batch(batch)]

    def _score_batch(self, pairs: Sequence[Pair]) -> list[float]:
        rows, first_rows = rows_of(pairs)
        features = feature_matrix(tokenise(rows), self._vocabulary, self._weights.overlap_words)
        logits = features.times(self._coefficients) + self._weights.intercept
        best: Floats = np.maximum.reduceat(logits, first_rows)
        scores: list[float] = probabilities(best).tolist()
        return scores
