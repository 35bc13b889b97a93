"""Tables made from rows of one kind: a column says beside its heading what it shows of a row."""

from collections.abc import Callable, Iterable
from typing import TypeAlias, TypeVar

from tomahto.charts.table import Cell, Column, PaperTable

R = TypeVar("R")
Shown: TypeAlias = tuple[Column, Callable[[R], Cell]]
"""A column and what it shows of a row."""


def text(key: str, title: str, cell: Callable[[R], Cell]) -> Shown[R]:
    return Column(key, title, "text"), cell


def count(key: str, title: str, cell: Callable[[R], Cell]) -> Shown[R]:
    return Column(key, title, "count"), cell


def number(key: str, title: str, cell: Callable[[R], Cell]) -> Shown[R]:
    return Column(key, title, "number"), cell


def mixed(key: str, title: str, cell: Callable[[R], Cell]) -> Shown[R]:
    return Column(key, title, "mixed"), cell


def percent(key: str, title: str, cell: Callable[[R], Cell]) -> Shown[R]:
    return Column(key, title, "percent"), cell


def as_texts(notes: str | Iterable[str]) -> tuple[str, ...]:
    """One note or several."""
    return (notes,) if isinstance(notes, str) else tuple(notes)


def table_of(
    key: str,
    title: str,
    rows: Iterable[R],
    *columns: Shown[R],
    notes: str | Iterable[str],
    source: str,
    reasons: Iterable[str] = (),
) -> PaperTable:
    """The table of these rows; `notes` are texts, or one text. Raises ValueError as PaperTable."""
    return PaperTable(
        key=key,
        title=title,
        columns=tuple(column for column, _ in columns),
        rows=tuple(tuple(cell(row) for _, cell in columns) for row in rows),
        notes=as_texts(notes),
        source=source,
        reasons=tuple(reasons),
    )
