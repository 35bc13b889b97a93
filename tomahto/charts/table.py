"""A table as papers print it: what it says, before anybody decides how it looks."""

import math
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import chain
from typing import Any, Literal, Self, TypeAlias, TypeVar, get_args

from tomahto.estimates.bootstrap import CONFIDENCE
from tomahto.estimates.estimate import Estimate, estimate_as_json, estimate_from_json

T = TypeVar("T")

Cell: TypeAlias = str | int | float | Estimate | None
"""A name, a count, a number or share, one with its interval, or nothing where it is undefined."""

ColumnKind = Literal["text", "count", "number", "percent", "mixed"]
_KINDS: tuple[ColumnKind, ...] = get_args(ColumnKind)
DECIMALS = {"count": 0, "number": 3, "percent": 1, "mixed": 3}
UNDEFINED = "–"
MINUS = "−"


@dataclass(frozen=True, slots=True)
class Column:
    """`key` names it for programs, `title` for readers. Cells of `percent` are shares from 0 to 1;
    readers see them in per cent. Of `mixed` ones the integers are counts, the others numbers."""

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
        is_count = self.kind == "mixed" and isinstance(cell, int)
        text = f"{value:,.{0 if is_count else DECIMALS[self.kind]}f}"
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
    `reasons` why cells are undefined; estimates bring their own reasons.

    Raises ValueError if two columns have the same key, if a row does not fit the columns, or if a
    cell is undefined for no reason.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...]
    source: str
    reasons: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len({column.key for column in self.columns}) < len(self.columns):
            raise ValueError(f"{self.key}: two columns have the same key")
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{self.key}: {len(row)} cells in {len(self.columns)} columns")
            for column, cell in zip(self.columns, row, strict=True):
                self._check(column, cell)

    def _check(self, column: Column, cell: Cell) -> None:
        place = f"{self.key}, column {column.key}"
        if column.is_text != isinstance(cell, str):
            raise ValueError(f"{place}: {cell!r} is out of place")
        if cell is None and not self.reasons:
            raise ValueError(f"{place}: undefined for no reason")
        if isinstance(cell, float) and not math.isfinite(cell):
            raise ValueError(f"{place}: {cell} is not finite: use None and a reason")

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks below the table: the notes, why cells are undefined or have no interval, and
        the source."""
        reasons = (*self.reasons, *self._reasons(of_values=True))
        intervals = self._reasons(of_values=False)
        return (
            *self.notes,
            *_remark(f"{UNDEFINED} is undefined", reasons),
            *_remark("A value without its interval", intervals),
            f"Source: {self.source}.",
        )

    def _reasons(self, *, of_values: bool) -> Iterable[str]:
        """Why estimates have no value, or why those with a value have no interval."""
        for cell in chain.from_iterable(self.rows):
            if isinstance(cell, Estimate) and cell.reason and of_values == (cell.value is None):
                yield cell.reason

    def column(self, key: str) -> tuple[Column, tuple[Cell, ...]]:
        """A column with its cells from top to bottom. Raises KeyError if there is none."""
        for place, column in enumerate(self.columns):
            if column.key == key:
                return column, tuple(row[place] for row in self.rows)
        raise KeyError(f"{self.key} has no column {key}")

    def shown_rows(self) -> tuple[tuple[str, ...], ...]:
        """The rows as readers see them."""
        return tuple(
            tuple(column.shown(cell) for column, cell in zip(self.columns, row, strict=True))
            for row in self.rows
        )

    def as_json(self) -> dict[str, Any]:
        """All of it as a JSON object; a cell that is an object is an estimate."""
        return {
            "key": self.key,
            "title": self.title,
            "columns": [asdict(column) for column in self.columns],
            "rows": [list(map(_cell_as_json, row)) for row in self.rows],
            "notes": list(self.notes),
            "source": self.source,
            "reasons": list(self.reasons),
        }

    @classmethod
    def from_json(cls, content: Mapping[str, Any]) -> Self:
        """The table that `as_json` wrote. Raises KeyError if a part is missing, and ValueError if
        the parts contradict each other."""
        return cls(
            key=content["key"],
            title=content["title"],
            columns=tuple(map(_column_from_json, content["columns"])),
            rows=tuple(tuple(map(_cell_from_json, row)) for row in content["rows"]),
            notes=tuple(content["notes"]),
            source=content["source"],
            reasons=tuple(content["reasons"]),
        )


def _remark(what: str, reasons: Iterable[str]) -> tuple[str, ...]:
    """Every reason once, in the order they come in; nothing without a reason."""
    why = "; ".join(dict.fromkeys(reasons))
    return (f"{what}: {why}.",) if why else ()


def _cell_as_json(cell: Cell) -> Any:
    """The level of an interval is there only where it is not 95 %."""
    if not isinstance(cell, Estimate):
        return cell
    level = {} if cell.confidence == CONFIDENCE else {"confidence": cell.confidence}
    return {**estimate_as_json(cell), **level}


def _cell_from_json(cell: Any) -> Cell:
    if isinstance(cell, Mapping):
        return estimate_from_json(cell)
    if cell is None or isinstance(cell, str | int | float):
        return cell
    raise ValueError(f"{cell!r:.80} is not a cell")


def _column_from_json(column: Mapping[str, Any]) -> Column:
    return Column(column["key"], column["title"], one_of(_KINDS, column["kind"]))


def one_of(known: tuple[T, ...], name: object) -> T:
    """The name, if it is a known one. Raises ValueError."""
    for each in known:
        if name == each:
            return each
    raise ValueError(f"{name!r:.80} is not one of {', '.join(map(str, known))}")


def plain(text: str) -> str:
    """The text in one line; control characters and halves of pairs are U+FFFD."""
    words = " ".join(text.split())
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(each) in ("Cc", "Cs") else each
        for each in words
    )
