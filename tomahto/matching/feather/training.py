"""Training feather on labelled pairs, and on cases nobody needs to be asked about.

Labelled answers hardly ever are empty, and labels have slips; the plain cases pin down what every
reader expects: the reference itself is right; no answer, a refusal, and the reference with
another number are wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tomahto.learning.boosted_trees import BoostingOptions, fit_trees
from tomahto.learning.files import Examples, question_of
from tomahto.learning.token_rows import Row
from tomahto.matching.accuracy import Comparison, CrossValidation, compare, cross_validate
from tomahto.matching.feather.matcher import Feather, FeatherWeights, FeatureReader, write_weights
from tomahto.matching.human_labels import LabelledPair, require_both_labels
from tomahto.matching.interface import closest_reference, require_references
from tomahto.matching.rows import training_row

_EVERY = 16  # of so many examples one gives its plain cases
_REFUSALS = (
    "I don't know.",
    "I'm sorry, but I do not have enough information to answer this question.",
    "The answer is not mentioned in the passage.",
    "It is unclear.",
    "I am not sure.",
    "There is no information available about this.",
    "Unknown",
    "I cannot determine that from what is given.",
)
_NUMBER = re.compile(r"\d+")


def plain_cases(examples: Sequence[LabelledPair]) -> Iterator[tuple[Row, bool]]:
    """Rows made of every sixteenth example's question and closest reference, and their labels."""
    for place, example in enumerate(examples[::_EVERY]):
        pair = example.pair
        reference = closest_reference(pair)
        yield Row(reference, reference, pair.question), True
        yield Row("", reference, pair.question), False
        yield Row(_REFUSALS[place % len(_REFUSALS)], reference, pair.question), False
        changed = _with_another_number(reference, 1 + place % 9)
        if changed != reference:
            yield Row(changed, reference, pair.question), False


def _with_another_number(text: str, difference: int) -> str:
    numbers = list(_NUMBER.finditer(text))
    if not numbers or len(numbers[-1][0]) > 9:
        return text
    last = numbers[-1]
    return f"{text[: last.start()]}{int(last[0]) + difference}{text[last.end() :]}"


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
