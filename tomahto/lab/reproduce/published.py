"""The papers' published figures with their places: one TOML file per paper, read strictly."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal, get_args

Unit = Literal["count", "percent", "value"]
_UNITS: tuple[Unit, ...] = get_args(Unit)
_FIGURE = re.compile(r"([<>]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:±(\d+\.\d+))?")

REPRODUCE = "evaluate reproduce"
_KEYS = {"key", "place", "title", "command", "input"}
_NUMBERS = {"units", "columns", "rows"}
PAPERS = ("bulian_2022", "cap", "cfmatch", "squad_v2")


class PublishedError(ValueError):
    """A file of published figures that is not as it must be."""


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A figure in its table. `text` is what is printed; `value` is in the unit of its column, with
    `digits` after the point. `bound` is ">" or "<" where the paper gives no more; `margin` is half
    of the interval, where it gives one.
    """

    table: str
    row: str
    column: str
    unit: Unit
    text: str
    value: float
    digits: int
    bound: str
    margin: float | None


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table or figure of a paper, `place` being where the paper has it.

    `command` makes its counterpart of `input`. It is "" where none does, and `input` says why: a
    table of texts, for one. Those without a number that could be compared have no `figures`.
    """

    key: str
    place: str
    title: str
    command: str
    input: str
    figures: tuple[PublishedFigure, ...]

    @property
    def is_reproduced(self) -> bool:
        """Whether `evaluate reproduce` computes its figures."""
        return self.command.startswith(REPRODUCE)


@dataclass(frozen=True, slots=True)
class PublishedPaper:
    """`name` is how we cite it."""

    name: str
    title: str
    tables: tuple[PublishedTable, ...]


def published_paper(key: str) -> PublishedPaper:
    """The figures of a paper, one of `PAPERS`. Raises PublishedError."""
    file = files("tomahto.lab").joinpath("published", f"{key}.toml")
    return read_published(file.read_text(encoding="utf-8"))


def read_published(text: str) -> PublishedPaper:
    """Raises PublishedError, naming table and row."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PublishedError(str(error)) from error
    _check_keys(content, {"paper", "title", "tables"}, "the file")
    tables = tuple(_table(each) for each in content["tables"])
    if len({table.key for table in tables}) != len(tables):
        raise PublishedError("two tables have the same key")
    return PublishedPaper(content["paper"], content["title"], tables)


def _table(content: Mapping[str, Any]) -> PublishedTable:
    name = f"table {content.get('key')!r}"
    has_numbers = bool(_NUMBERS & content.keys())
    _check_keys(content, _KEYS | _NUMBERS if has_numbers else _KEYS, name)
    figures = tuple(_figures(content, name)) if has_numbers else ()
    if has_numbers and not figures:
        raise PublishedError(f"{name}: holds no figure")
    return PublishedTable(**{key: content[key] for key in _KEYS}, figures=figures)


def _figures(content: Mapping[str, Any], name: str) -> Iterator[PublishedFigure]:
    columns, units = content["columns"], content["units"]
    if unknown := [unit for unit in units if unit not in _UNITS]:
        raise PublishedError(f"{name}: {unknown[0]!r} is not one of {', '.join(_UNITS)}")
    if len(units) != len(columns):
        raise PublishedError(f"{name}: not as many units as columns")
    for row, texts in content["rows"].items():
        if len(texts) != len(columns):
            raise PublishedError(f"{name}, row {row!r}: {len(texts)} figures in {len(columns)}")
        for column, unit, text in zip(columns, units, texts, strict=True):
            if text:
                yield _figure(content["key"], row, column, unit, text)


def _figure(table: str, row: str, column: str, unit: Unit, text: str) -> PublishedFigure:
    found = _FIGURE.fullmatch(text) if isinstance(text, str) else None
    if found is None:
        raise PublishedError(f"table {table!r}, row {row!r}, column {column!r}: {text!r}")
    bound, whole, decimals, margin = found.groups(default="")
    return PublishedFigure(
        table=table,
        row=row,
        column=column,
        unit=unit,
        text=text,
        value=float(whole.replace(",", "") + decimals),
        digits=max(0, len(decimals) - 1),
        bound=bound,
        margin=float(margin) if margin else None,
    )


def _check_keys(content: Mapping[str, Any], needed: set[str], name: str) -> None:
    if wrong := needed ^ content.keys():
        raise PublishedError(f"{name}: {', '.join(sorted(wrong))}: missing or unknown")
