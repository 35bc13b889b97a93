"""Our values beside the published ones, and why a cell has none."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tomahto.charts.rows import Shown, count, mixed, number, table_of, text
from tomahto.charts.table import Cell, PaperTable
from tomahto.estimates.bootstrap import Bootstrap, cluster_mean, numbered
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined
from tomahto.lab.reproduce.published import PublishedFigure, PublishedPaper, PublishedTable
from tomahto.types import Flags


def judged_share(
    questions: Sequence[str],
    values: NDArray[Any],
    bootstrap: Bootstrap,
    among: Flags | None = None,
) -> Estimate:
    """The mean of values (N,), each of a question, and the bootstrap interval over questions; with
    `among` of those alone that it is true of.

    True counts 1. `n` is the number of values.
    """
    places = np.arange(len(values)) if among is None else np.flatnonzero(among)
    if not len(places):
        return undefined("there is nothing to count", n=0, seed=bootstrap.seed)
    clusters = numbered([questions[place] for place in places.tolist()])
    return cluster_mean(values[places].astype(np.float64), clusters, bootstrap)


def counted(value: int, n: int) -> Estimate:
    """A count over `n` lines or items; it has no interval."""
    return Estimate(value=value, n=n)


CellKey = tuple[str, str, str]
"""The keys of a table, its row and its column."""
Cells = Iterator[tuple[CellKey, Callable[[], Estimate]]]
"""The computation of each figure; it raises Needed where it lacks an input."""
OurFigures = Mapping[CellKey, Estimate]
"""Shares from 0 to 1; undefined estimates say which input they need."""


class Needed(Exception):
    """A figure cannot be computed; the message says which input it needs."""


def computed(cells: Iterable[tuple[CellKey, Callable[[], Estimate]]]) -> OurFigures:
    """Every figure, or which input it needs."""
    return {place: or_needed(compute) for place, compute in cells}


def or_needed(compute: Callable[[], Estimate]) -> Estimate:
    """The result, undefined where an input is needed for it."""
    try:
        return compute()
    except Needed as error:
        return undefined(str(error), n=0)


def size(n: int, needed: str) -> Estimate:
    """The number `n`. Raises Needed if it is 0."""
    if not n:
        raise Needed(needed)
    return counted(n, n)


_SCALES = {"count": 1, "percent": 100, "value": 1}
_ROUNDING = 1e-9  # half of the last digit is a decimal, which a float only comes close to
_WHY = ("the last column says why",)
_DIFFERENCE = "Difference: ours less the published value, in its unit"


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """A published figure and ours in the same unit, which is undefined for a reason."""

    table: PublishedTable
    published: PublishedFigure
    ours: Estimate

    @property
    def difference(self) -> float | None:
        """Ours less the published value, in its unit."""
        return None if self.ours.value is None else self.ours.value - self.published.value

    @property
    def is_as_printed(self) -> bool | None:
        """Whether ours is within the published bound, or else rounds to what is printed."""
        if self.ours.value is None:
            return None
        published = self.published
        match published.bound:
            case ">":
                return self.ours.value > published.value
            case "<":
                return self.ours.value < published.value
        reach = 0.5 * 10.0**-published.digits
        return abs(self.ours.value - published.value) <= reach * (1 + _ROUNDING)

    def as_json(self) -> dict[str, Any]:
        published = self.published
        return {
            "table": self.table.place,
            "row": published.row,
            "column": published.column,
            "unit": published.unit,
            "published": published.value,
            "published_as": published.text,
            "published_margin": published.margin,
            "ours": estimate_as_json(self.ours),
            "difference": self.difference,
            "as_printed": self.is_as_printed,
        }


def compare(paper: PublishedPaper, ours: OurFigures) -> tuple[ComparedFigure, ...]:
    """Every published figure with ours: of tables that are reproduced each is in `ours`, as a
    value or why there is none; of others it is said what makes them.

    Raises ValueError if `ours` has a figure that is not published, or the other way round.
    """
    reproduced = [table for table in paper.tables if table.is_reproduced]
    published = {_cell_key(figure) for table in reproduced for figure in table.figures}
    if strangers := ours.keys() - published:
        raise ValueError(f"{paper.name} has no figure at {sorted(strangers)[0]}")
    if missing := published - ours.keys():
        raise ValueError(f"nothing is said of the figure at {sorted(missing)[0]}")
    return tuple(
        ComparedFigure(
            table,
            figure,
            scaled(ours[_cell_key(figure)], _SCALES[figure.unit])
            if table.is_reproduced
            else undefined(
                f"made by {table.command}: {table.input}" if table.command else table.input, n=0
            ),
        )
        for table in paper.tables
        for figure in table.figures
    )


def scaled(estimate: Estimate, scale: float) -> Estimate:
    """The estimate in a unit that is `scale` times smaller."""
    value, low, high = (
        None if one is None else one * scale
        for one in (estimate.value, estimate.low, estimate.high)
    )
    return replace(estimate, value=value, low=low, high=high)


def comparison_tables(
    compared: Sequence[ComparedFigure], source: str, notes: tuple[str, ...]
) -> Iterator[PaperTable]:
    """A table for each published one, in the paper's order."""
    for table, figures in groupby(compared, key=lambda one: one.table):
        shown = tuple(figures)
        is_whole = all(one.ours.value is not None for one in shown)
        yield table_of(
            table.key,
            f"{table.place}: {table.title}",
            shown,
            *_PLACE,
            _PUBLISHED,
            mixed("ours", "Ours", lambda one: _cell(one, one.ours.value, one.ours)),
            _N,
            mixed("difference", "Difference", lambda one: _cell(one, one.difference)),
            text(
                "why",
                "Why it is missing",
                lambda one: one.ours.reason or "" if one.ours.value is None else "",
            ),
            notes=(_DIFFERENCE, *notes),
            source=source,
            reasons=() if is_whole else _WHY,
        )


class Counts(NamedTuple):
    """The number of figures that a paper lists, of those that were computed, and of those that come
    out as printed."""

    listed: int
    computed: int
    as_printed: int

    @classmethod
    def of(cls, compared: Sequence[ComparedFigure]) -> "Counts":
        return cls(
            len(compared),
            sum(one.ours.value is not None for one in compared),
            sum(one.is_as_printed is True for one in compared),
        )

    def __str__(self) -> str:
        return (
            f"{self.computed} of {self.listed} published figures computed,"
            f" {self.as_printed} of them as printed"
        )


def joined_table(
    compared: Sequence[ComparedFigure], source: str, notes: tuple[str, ...]
) -> PaperTable:
    """All figures in one table, intervals in columns of their own: for programs."""
    return table_of(
        "reproduction",
        "Published values and ours",
        compared,
        text("table", "Table", lambda one: one.table.place),
        *_PLACE,
        text("unit", "Unit", lambda one: one.published.unit),
        _PUBLISHED,
        number("ours", "Ours", lambda one: one.ours.value),
        number("low", "Low", lambda one: one.ours.low),
        number("high", "High", lambda one: one.ours.high),
        _N,
        number("difference", "Difference", lambda one: one.difference),
        text("why", "Why it is missing", lambda one: one.ours.reason or ""),
        notes=(_DIFFERENCE, *notes),
        source=source,
        reasons=_WHY,
    )


def _cell(one: ComparedFigure, value: float | None, in_full: Estimate | None = None) -> Cell:
    """The value, or the estimate that it is of; a count is a whole number and has no interval."""
    if value is None:
        return None
    return round(value) if one.published.unit == "count" else in_full or value


def _cell_key(figure: PublishedFigure) -> CellKey:
    return figure.table, figure.row, figure.column


_PLACE: tuple[Shown[ComparedFigure], ...] = (
    text("row", "Row", lambda one: one.published.row),
    text("column", "Column", lambda one: one.published.column),
)
_PUBLISHED: Shown[ComparedFigure] = text(
    "published",
    "Published",
    lambda one: one.published.text + (" %" if one.published.unit == "percent" else ""),
)
_N: Shown[ComparedFigure] = count(
    "n", "n", lambda one: None if one.ours.value is None else one.ours.n
)


def overview_table(
    paper: PublishedPaper, compared: Sequence[ComparedFigure], source: str
) -> PaperTable:
    """The number of computed values of each kind, in the paper's order."""
    return table_of(
        "overview",
        f"Tables and figures of {paper.name}",
        [
            (table, Counts.of([one for one in compared if one.table == table]))
            for table in paper.tables
        ],
        text("table", "Table", lambda row: row[0].place),
        text("title", "Title", lambda row: row[0].title),
        count("listed", "Numbers", lambda row: row[1].listed),
        count("computed", "Computed", lambda row: row[1].computed),
        count("as_printed", "As printed", lambda row: row[1].as_printed),
        text("command", "Command", lambda row: row[0].command or "none"),
        text("input", "Input", lambda row: row[0].input),
        notes="A command that is not evaluate reproduce makes its table by itself",
        source=source,
    )
