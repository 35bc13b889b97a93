"""A table as papers print it: what it says, before anybody decides how it looks."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias

from exporters.paper.words import plain
from measures.estimate import Estimate

Cell: TypeAlias = str | int | float | Estimate | None
"""A name, a count, a number or share, one with its interval, or nothing where it is undefined."""

ColumnKind = Literal["text", "count", "number", "percent"]
DECIMALS = {"count": 0, "number": 3, "percent": 1}
UNDEFINED = "–"
MINUS = "−"


@dataclass(frozen=True, slots=True)
class Column:
    """`key` names it for programs, `title` for readers. Cells of `percent` are shares from 0 to 1;
    readers see them in per cent."""

    key: str
    title: str
    kind: ColumnKind = "count"

    @property
    def is_text(self) -> bool:
        return self.kind == "text"

    @property
    def heading(self) -> str:
        """The title with the unit."""
        return f"{self.title} (%)" if self.kind == "percent" else self.title

    def shown(self, cell: Cell) -> str:
        """The cell as readers see it: counts with their thousands apart, numbers rounded."""
        if isinstance(cell, Estimate):
            return self._shown_estimate(cell)
        if cell is None:
            return UNDEFINED
        if isinstance(cell, str):
            return plain(cell)
        value = 100 * cell if self.kind == "percent" else cell
        text = f"{value:,.{DECIMALS[self.kind]}f}"
        return text.removeprefix("-") if not text.strip("-0.,") else text.replace("-", MINUS)

    def _shown_estimate(self, estimate: Estimate) -> str:
        """The value with its interval in brackets, where it has one."""
        if estimate.low is None:
            return self.shown(estimate.value)
        bounds = f"{self.shown(estimate.low)}, {self.shown(estimate.high)}"
        return f"{self.shown(estimate.value)} [{bounds}]"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperTable:
    """`notes` say what n is and how things are defined, `source` where the numbers are from, and
    `reasons` why cells are undefined.

    Raises ValueError if a row does not fit the columns, or if a cell is undefined for no reason.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    source: str
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.key}: {len(row)} cells in {len(self.columns)} columns")
            for column, cell in zip(self.columns, row, strict=True):
                if column.is_text != isinstance(cell, str):
                    raise ValueError(f"{self.key}, column {column.key}: {cell!r} is out of place")
                if cell is None and not self.reasons:
                    raise ValueError(f"{self.key}, column {column.key}: undefined for no reason")

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands below the table: the notes, why cells are undefined, and the source."""
        reasons = "; ".join(self._all_reasons())
        why = (f"{UNDEFINED} is undefined: {reasons}.",) if reasons else ()
        return (*self.notes, *why, f"Source: {self.source}.")

    def _all_reasons(self) -> Iterable[str]:
        """Every reason once: those of the table, then those of its estimates."""
        cells = chain.from_iterable(self.rows)
        undefined = (each for each in cells if isinstance(each, Estimate) and each.value is None)
        return dict.fromkeys((*self.reasons, *(each.reason or "" for each in undefined)))

    def shown_rows(self) -> tuple[tuple[str, ...], ...]:
        """The rows as readers see them."""
        return tuple(
            tuple(column.shown(cell) for column, cell in zip(self.columns, row, strict=True))
            for row in self.rows
        )
