"""The tables of a page, read from its HTML: what a file of one says is what the page shows.

Numbers are those that charts are drawn from (`tasks.templatetags.charts`): in full, with the ends
of their intervals. Charts and sorting read the same cells in the browser.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

Attributes = Mapping[str, str | None]

_VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}
_HEADINGS = {"h1", "h2", "h3", "h4"}


@dataclass(slots=True)
class ShownCell:
    """A cell's text in one line, and its number, interval and n where it has them."""

    text: str
    value: int | float | None = None
    low: float | None = None
    high: float | None = None
    n: int | None = None

    @classmethod
    def of(cls, text: str, attributes: Attributes) -> "ShownCell":
        n = attributes.get("data-n")
        return cls(
            text,
            _number(attributes.get("data-value")),
            _number(attributes.get("data-low")),
            _number(attributes.get("data-high")),
            int(n) if n else None,
        )


@dataclass(slots=True)
class ShownHead:
    """The title of a column, and the unit of its numbers where it names one."""

    title: str
    unit: str = ""


@dataclass(slots=True)
class ShownTable:
    """A table with its id, and the title that screen readers give it."""

    id: str
    title: str
    heads: list[ShownHead] = field(default_factory=list)
    rows: list[list[ShownCell]] = field(default_factory=list)


@dataclass(slots=True)
class ShownPage:
    """The title of a page, and its tables that have an id, by that."""

    title: str
    tables: Mapping[str, ShownTable]


def shown_page(html: str) -> ShownPage:
    """The tables of a page. A table in a table is part of its cell."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return ShownPage(reader.title, {table.id: table for table in reader.tables if table.id})


def _number(text: str | None) -> int | float | None:
    if not text:
        return None
    return int(text) if text.lstrip("-").isdigit() else float(text)


@dataclass(slots=True)
class _Element:
    tag: str
    attributes: Attributes
    words: list[str] = field(default_factory=list)

    @property
    def is_silent(self) -> bool:
        """Whether its text is no part of what it stands in: explanations, and what is to press."""
        return self.tag == "button" or "popover" in self.attributes

    @property
    def text(self) -> str:
        return " ".join("".join(self.words).split())


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.tables: list[ShownTable] = []
        self._open: list[_Element] = []
        self._headings: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self.handle_data(" ")
            return
        element = _Element(tag, dict(attrs))
        if tag == "table" and not self._inside("table"):
            self.tables.append(ShownTable(str(element.attributes.get("id") or ""), self._label()))
        elif tag == "tr" and self._inside("tbody", "tfoot"):
            self.tables[-1].rows.append([])
        self._open.append(element)

    def handle_data(self, data: str) -> None:
        for element in reversed(self._open):
            element.words.append(data)
            if element.is_silent:
                return

    def handle_endtag(self, tag: str) -> None:
        if tag not in (element.tag for element in self._open):
            return
        while (element := self._open.pop()).tag != tag:
            pass
        self._take(element)

    def _take(self, element: _Element) -> None:
        """What is whole now goes where it belongs."""
        if element.tag == "title" and not self.title:
            self.title = element.text
        elif element.tag in _HEADINGS and (own := element.attributes.get("id")):
            self._headings[own] = element.text
        elif element.tag == "caption":
            self.tables[-1].title = element.text
        elif element.tag == "th" and self._inside("thead"):
            unit = element.attributes.get("data-unit") or ""
            self.tables[-1].heads.append(ShownHead(element.text, unit))
        elif element.tag in ("th", "td") and self._inside("tbody", "tfoot"):
            self.tables[-1].rows[-1].append(ShownCell.of(element.text, element.attributes))

    def _inside(self, *tags: str) -> bool:
        return any(element.tag in tags for element in self._open)

    def _label(self) -> str:
        """That of the innermost region around the table."""
        return next(self._labels(), "")

    def _labels(self) -> Iterator[str]:
        for element in reversed(self._open):
            if label := element.attributes.get("aria-label"):
                yield label
            elif label := element.attributes.get("aria-labelledby"):
                yield self._headings.get(label, "")
