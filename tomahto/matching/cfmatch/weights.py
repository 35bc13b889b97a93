"""The numbers CFMatch is made of, and the readable file they are kept in.

The file is JSON with one word per line: `"word": [document frequency, weight]`.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tomahto.learning.weights_file import (
    WeightsError,
    WeightsFile,
    finite_number,
    whole_number,
)
from tomahto.matching.cfmatch.features import (
    FEATURES_SIGNATURES,
    OVERLAP_FEATURES,
    OverlapWords,
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
parse_weights = WEIGHTS_FILE.parse
