"""The label scheme of a protocol, as far as statistics need to know it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Level = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True)
class LabelScheme:
    """Labels of a protocol in display order, each with its rank.

    Labels of equal rank are different labels at the same place of the order (CAP Tab. 6:
    `equivalent` and `alternative-correct`). A nominal scheme still carries ranks; they are then
    used by weighted statistics only. `level` is the level of measurement at which the
    protocol's agreement is reported.

    Raises ValueError if labels repeat or labels and ranks differ in number.
    """

    labels: tuple[str, ...]
    ranks: tuple[float, ...]
    level: Level = "nominal"

    def __post_init__(self) -> None:
        if len(set(self.labels)) != len(self.labels):
            raise ValueError(f"labels repeat: {self.labels}")
        if len(self.labels) != len(self.ranks):
            raise ValueError(f"{len(self.labels)} labels but {len(self.ranks)} ranks")

    @cached_property
    def rank_of(self) -> Mapping[str, float]:
        return dict(zip(self.labels, self.ranks, strict=True))

    @cached_property
    def index_of(self) -> Mapping[str, int]:
        return {label: index for index, label in enumerate(self.labels)}
