"""Training CFMatch on labelled pairs (CFMatch paper, §3.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tomahto.learning.files import Examples
from tomahto.learning.logistic_regression import fit_logistic_regression
from tomahto.learning.token_rows import tokenise
from tomahto.matching.accuracy import Comparison, CrossValidation, compare, cross_validate
from tomahto.matching.cfmatch.matcher import (
    OVERLAP_FEATURES,
    CFMatch,
    CFMatchWeights,
    OverlapWords,
    document_frequencies,
    feature_matrix,
    make_vocabulary,
    write_weights,
)
from tomahto.matching.human_labels import LabelledPair, count_intended, require_both_labels
from tomahto.matching.interface import require_references
from tomahto.matching.rows import training_row

SIGNIFICANT_DIGITS = 5


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """The options that decide the weights, given the examples.

    `l2` is the penalty on the summed loss (scikit-learn's 1 / C). F1, precision and recall are
    multiplied by `overlap_scale` before they are learned from, so that the penalty, which is to
    keep single words from being learned by heart, leaves them alone. A word is known if it
    occurs in at least `min_document_frequency` examples and is among the `max_vocabulary` most
    frequent (of equally frequent ones the alphabetically first).
    """

    l2: float = 10.0
    overlap_scale: float = 10.0
    overlap_words: OverlapWords = "stems"
    max_vocabulary: int = 20_000
    min_document_frequency: int = 2


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """A training: its result, its data, and its quality on held-out questions.

    `intended` counts the examples by what a model was asked to write, as `aliasing/correct`; those
    that were not generated have "".
    """

    source: Mapping[str, str]
    examples: int
    intended: Mapping[str, int]
    questions: int
    correct: int
    options: TrainingOptions
    seed: int
    words: int
    bytes: int
    version: str
    cross_validation: CrossValidation
    transfer: Comparison | None


def train_cfmatch(
    examples: Sequence[LabelledPair], options: TrainingOptions | None = None
) -> CFMatchWeights:
    """Weights learned from the examples; the same examples give the same weights.

    Of several references the one with the highest F1 is learned from: the label says that the
    candidate is right, not that it is right by each of them. Raises MissingReferenceError, and
    ValueError if all examples have the same label.
    """
    options = options or TrainingOptions()
    require_references([example.pair for example in examples])
    rows = tokenise([training_row(example.pair) for example in examples])
    frequencies = document_frequencies(rows)
    words = _known_words(frequencies, options)
    vocabulary = make_vocabulary(words, [frequencies[w] for w in words], len(examples))
    labels = np.array([example.correct for example in examples], dtype=np.float64)
    features = feature_matrix(rows, vocabulary, options.overlap_words)
    scale = np.ones(features.n_columns)
    scale[-len(OVERLAP_FEATURES) :] = options.overlap_scale
    scaled = replace(features, value=features.value * scale[features.column])
    fit = fit_logistic_regression(scaled, labels, l2=options.l2)
    weights = (fit.weights * scale).tolist()
    return CFMatchWeights(
        documents=len(examples),
        words=words,
        document_frequencies=tuple(frequencies[word] for word in words),
        word_weights=tuple(weights[: len(words)]),
        overlap_weights=tuple(weights[len(words) :]),
        intercept=fit.intercept,
        overlap_words=options.overlap_words,
    )


def learn(
    examples: Sequence[LabelledPair],
    options: TrainingOptions | None = None,
    *,
    seed: int = 0,  # noqa: ARG001 - nothing is drawn
) -> CFMatchWeights:
    """The weights as they are kept: `train_cfmatch`, rounded."""
    return train_cfmatch(examples, options).rounded(SIGNIFICANT_DIGITS)


def train_and_report(
    train: Examples[LabelledPair],
    out: Path,
    *,
    test: Examples[LabelledPair] | None = None,
    options: TrainingOptions | None = None,
    folds: int = 5,
    seed: int = 0,
) -> TrainingReport:
    """Trains on the examples, writes the weights to `out`, and reports.

    The seed decides the folds and the bootstrap, not the weights. With `test` the report says how
    the weights do there. Nothing is written if anything fails. Raises LabelledPairsError for labels
    that are all alike, WeightsError, OSError, and ValueError as `train_cfmatch` and
    `cross_validate` do.
    """
    options = options or TrainingOptions()
    examples = train.rows
    require_both_labels(examples, train.name)

    def matcher(part: Sequence[LabelledPair]) -> CFMatch:
        return CFMatch(learn(part, options))

    validation = cross_validate(examples, train=matcher, folds=folds, seed=seed)
    transfer = compare(examples, test.rows, train=matcher, seed=seed) if test else None
    weights = learn(examples, options)
    return TrainingReport(
        source=train.source,
        examples=len(examples),
        intended=count_intended(examples),
        questions=validation.pooled.matcher.questions,
        correct=sum(example.correct for example in examples),
        options=options,
        seed=seed,
        words=len(weights.words),
        bytes=write_weights(weights, out),
        version=CFMatch(weights).version,
        cross_validation=validation,
        transfer=transfer,
    )


def _known_words(frequencies: Mapping[str, int], options: TrainingOptions) -> tuple[str, ...]:
    frequent = [
        word for word, count in frequencies.items() if count >= options.min_document_frequency
    ]
    frequent.sort(key=lambda word: (-frequencies[word], word))
    return tuple(sorted(frequent[: options.max_vocabulary]))
