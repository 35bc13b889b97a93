"""A table in Markdown, as GitHub and the Hugging Face hub show it."""

import re
from collections.abc import Iterable

from tomahto.figures.table import PaperTable
from tomahto.figures.words import plain

_MEANT = re.compile(r"[\\`*_\[\]<>|#~&$!]")


def escaped(text: str) -> str:
    """The text in one line, with nothing that Markdown or HTML would take for its own."""
    return _MEANT.sub(r"\\\g<0>", plain(text))


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
