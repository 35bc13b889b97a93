"""A table in Markdown, as GitHub and the Hugging Face hub show it."""

import re
from collections.abc import Iterable

from tomahto.figures.table import PaperTable
from tomahto.figures.words import plain

_MEANT = re.compile(r"[\\`*_\[\]<>|#~&$!]")
_MARKS = re.compile(r"`*")
_BLANK_LINES = re.compile(r"\n\s*\n")
_STARTS = re.compile(r"^(\d{0,9})([-+=.)])")


def escaped(text: str) -> str:
    """The text in one line, with nothing that Markdown or HTML would take for its own."""
    return _MEANT.sub(r"\\\g<0>", plain(text))


def typed(text: str) -> str:
    """The same of a text with lines and paragraphs, which stay: as somebody typed it."""
    paragraphs = _BLANK_LINES.split(text)
    return "\n\n".join("\\\n".join(map(_typed_line, each.split("\n"))) for each in paragraphs)


def _typed_line(line: str) -> str:
    """One line, at whose start nothing makes a list or a heading."""
    return _STARTS.sub(r"\g<1>\\\g<2>", escaped(line))


def code(text: str) -> str:
    """The text as code in one line, between more marks than it has in a row itself."""
    longest = max(map(len, _MARKS.findall(text)))
    fence, blank = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{blank}{plain(text)}{blank}{fence}"


def markdown_table(table: PaperTable) -> str:
    """Title, table and notes. Numbers are on the right."""
    lines = [
        _line(escaped(column.heading) for column in table.columns),
        _line(("---" if column.is_text else "---:") for column in table.columns),
        *(_line(map(escaped, row)) for row in table.shown_rows()),
    ]
    remarks = "\n\n".join(map(escaped, table.remarks))
    return f"**{escaped(table.title)}**\n\n" + "\n".join(lines) + f"\n\n{remarks}\n"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
