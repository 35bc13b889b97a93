"""Tables of who is confused with whom: every cell says its number, and how deep its shade is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

_SHADES = 5  # .heat-0 to .heat-5 of static/css/dash.css


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A number and its share of the row, None in a row of nothing. `address` leads to more."""

    number: float
    share: float | None
    is_same: bool
    address: str = ""

    @property
    def shade(self) -> int:
        return math.ceil(_SHADES * (self.share or 0) - 1e-9)


@dataclass(frozen=True, slots=True)
class HeatRow:
    """The cells of one label; `total` is what they add up to."""

    title: str
    total: float
    cells: tuple[HeatCell, ...]


def heat_rows(
    titles: Sequence[str],
    table: Sequence[Sequence[float]],
    addresses: Sequence[Sequence[str]] = (),
) -> list[HeatRow]:
    """The rows of a square table of numbers, rows and columns in the order of the titles."""
    rows = []
    for place, (title, numbers) in enumerate(zip(titles, table, strict=True)):
        total = sum(numbers)
        cells = tuple(
            HeatCell(
                number=number,
                share=number / total if total else None,
                is_same=place == column,
                address=addresses[place][column] if addresses and number else "",
            )
            for column, number in enumerate(numbers)
        )
        rows.append(HeatRow(title, total, cells))
    return rows
