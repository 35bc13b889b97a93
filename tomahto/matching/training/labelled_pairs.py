"""Pairs that people have labelled."""

from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.matching.interface import Pair


class LabelledPairsError(ValueError):
    """There is nothing to learn from the labels."""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair and the human judgement of its candidate."""

    pair: Pair
    correct: bool


def require_both_labels(examples: Sequence[LabelledPair], place: str = "") -> None:
    """Raises LabelledPairsError, naming the place, if all labels are alike."""
    if len({example.correct for example in examples}) < 2:
        which = "correct" if examples and examples[0].correct else "incorrect"
        fault = f"all {len(examples):,} examples are {which}: there is nothing to learn"
        raise LabelledPairsError(f"{place}: {fault}" if place else fault)
