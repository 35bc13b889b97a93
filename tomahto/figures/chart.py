"""The histogram of a release, before it is drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedBars:
    """Counts by bin, a bar for each, in layers from the bottom. There are len(edges) - 1 bins.

    Raises ValueError if a layer has another number of bins.
    """

    title: str
    across: str
    up: str
    edges: Sequence[float]
    layers: Mapping[str, Sequence[int]]
    description: str = ""  # what n is, and where the numbers are from

    def __post_init__(self) -> None:
        if any(len(layer) != len(self.edges) - 1 for layer in self.layers.values()):
            raise ValueError("every layer needs a count for every bin")

    @property
    def highest(self) -> int:
        return max(map(sum, zip(*self.layers.values(), strict=True)), default=0)
