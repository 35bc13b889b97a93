"""Training feather on labelled pairs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tomahto.learning.boosted_trees import BoostingOptions, fit_trees
from tomahto.learning.examples import Examples, question_of
from tomahto.learning.token_rows import Row
from tomahto.matching.feather.matcher import Feather, FeatureReader
from tomahto.matching.feather.plain_cases import plain_cases
from tomahto.matching.feather.weights import FeatherWeights, write_weights
from tomahto.matching.references import require_references
from tomahto.matching.rows import training_row
from tomahto.matching.training.cross_validation import (
    Comparison,
    CrossValidation,
    compare,
    cross_validate,
)
from tomahto.matching.training.labelled_pairs import (
    LabelledPair,
    require_both_labels,
)


@dataclass(frozen=True, slots=True)
class TrainingOptions:
    """The options that decide the weights, given the examples and the seed.

    An example of the first set counts 1, one of a further set `further_weight`, and a plain
    case `plain_weight`.
    """

    boosting: BoostingOptions = field(default_factory=BoostingOptions)
    further_weight: float = 0.3
    plain_weight: float = 0.4


@dataclass(frozen=True, slots=True)
class FileReport:
    """One set of examples, and how well feather does on its questions when they are held out."""

    source: Mapping[str, str]
    examples: int
    questions: int
    correct: int
    cross_validation: CrossValidation


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """A training: its result, its data, and its quality on held-out questions."""

    files: tuple[FileReport, ...]
    options: TrainingOptions
    seed: int
    bytes: int
    version: str
    transfer: Comparison | None


def train_feather(
    example_sets: Sequence[Sequence[LabelledPair]],
    options: TrainingOptions | None = None,
    *,
    seed: int,
) -> FeatherWeights:
    """Weights learned from the examples; the same examples and seed give the same weights.

    Of several references the one with the highest token F1 is learned from: the label says that
    the candidate is right, not that it is right by each of them. Raises MissingReferenceError.
    """
    options = options or TrainingOptions()
    rows: list[Row] = []
    labels: list[bool] = []
    weights: list[float] = []
    for place, examples in enumerate(example_sets):
        require_references([example.pair for example in examples])
        own_weight = options.further_weight if place else 1.0
        cases = list(plain_cases(examples))
        rows += [training_row(example.pair) for example in examples] + [row for row, _ in cases]
        labels += [example.correct for example in examples] + [label for _, label in cases]
        weights += [own_weight] * len(examples)
        weights += [own_weight * options.plain_weight] * len(cases)
    trees = fit_trees(
        np.concatenate(list(FeatureReader().read(rows))),
        np.array(labels, dtype=np.bool_),
        options=options.boosting,
        seed=seed,
        weights=np.array(weights),
    )
    return FeatherWeights.of(trees)


def learn(examples: Sequence[LabelledPair], *, seed: int) -> FeatherWeights:
    """Weights of one set of examples."""
    return train_feather([examples], seed=seed)


def train_and_report(
    sets: Sequence[Examples[LabelledPair]],
    out: Path,
    *,
    test: Examples[LabelledPair] | None = None,
    options: TrainingOptions | None = None,
    folds: int = 5,
    seed: int = 0,
) -> TrainingReport:
    """Trains on the sets of examples, writes the weights to `out`, and reports.

    The seed decides trees, folds and bootstrap. Each set is cross-validated with the others as
    further training data. With `test`, one more set, the report says how the weights do there.
    Nothing is written if anything fails. Raises LabelledPairsError if the labels of the first set
    are all alike, WeightsError, OSError, and ValueError as `train_feather` and `cross_validate` do.
    """
    options = options or TrainingOptions()
    require_both_labels(sets[0].rows, sets[0].name)

    def train(parts: Sequence[Sequence[LabelledPair]]) -> Feather:
        return Feather(train_feather(parts, options, seed=seed))

    reports = tuple(
        _report(sets, place, train, folds=folds, seed=seed) for place in range(len(sets))
    )
    rows = [examples.rows for examples in sets]
    transfer = None
    if test is not None:
        known = [example for examples in rows for example in examples]
        transfer = compare(known, test.rows, train=lambda _: train(rows), seed=seed)
    weights = train_feather(rows, options, seed=seed)
    return TrainingReport(
        files=reports,
        options=options,
        seed=seed,
        bytes=write_weights(weights, out),
        version=Feather(weights).version,
        transfer=transfer,
    )


def _report(
    sets: Sequence[Examples[LabelledPair]],
    place: int,
    train: Callable[[Sequence[Sequence[LabelledPair]]], Feather],
    *,
    folds: int,
    seed: int,
) -> FileReport:
    examples = sets[place].rows
    questions = {question_of(example) for example in examples}

    def train_without_fold(part: Sequence[LabelledPair]) -> Feather:
        held_out = questions - {question_of(example) for example in part}
        return train(
            [
                part
                if other == place
                else [e for e in others.rows if question_of(e) not in held_out]
                for other, others in enumerate(sets)
            ]
        )

    validation = cross_validate(examples, train=train_without_fold, folds=folds, seed=seed)
    return FileReport(
        source=sets[place].source,
        examples=len(examples),
        questions=len(questions),
        correct=sum(example.correct for example in examples),
        cross_validation=validation,
    )
