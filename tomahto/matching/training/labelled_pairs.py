"""Pairs that people have labelled."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tomahto.matching.interface import Pair


class LabelledPairsError(ValueError):
    """There is nothing to learn from the labels."""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair and the human judgement of its candidate; what a model was asked to write, if that is
    a generated text, such as `RULE/LABEL`."""

    pair: Pair
    correct: bool
    intended: str = ""


def count_intended(examples: Iterable[LabelledPair]) -> dict[str, int]:
    """How many examples were generated to be what, by name, those that were not under ""."""
    return dict(sorted(Counter(example.intended for example in examples).items()))


def require_both_labels(examples: Sequence[LabelledPair], place: str = "") -> None:
    """Raises LabelledPairsError, naming the place, if all labels are alike."""
    if len({example.correct for example in examples}) < 2:
        which = "correct" if examples and examples[0].correct else "incorrect"
        fault = f"all {len(examples):,} examples are {which}: there is nothing to learn"
        raise LabelledPairsError(f"{place}: {fault}" if place else fault)
