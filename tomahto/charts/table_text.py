"""A table as text: Markdown, LaTeX for the package booktabs, and CSV."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from tomahto.charts.table import Cell, PaperTable, plain
from tomahto.estimates.estimate import Estimate
from tomahto.text.spreadsheet import safe_text

_MARKDOWN = re.compile(r"[\\`*_\[\]<>|#~&$!]")
_MARKS = re.compile(r"`*")
_BLANK_LINES = re.compile(r"\n\s*\n")
_STARTS = re.compile(r"^(\d{0,9})([-+=.)])")


def escaped(text: str) -> str:
    """The text in one line, with nothing that Markdown or HTML would take for its own."""
    return _MARKDOWN.sub(r"\\\g<0>", plain(text))


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
        _markdown_line(escaped(column.heading) for column in table.columns),
        _markdown_line(("---" if column.is_text else "---:") for column in table.columns),
        *(_markdown_line(map(escaped, row)) for row in table.shown_rows()),
    ]
    remarks = "\n\n".join(map(escaped, table.remarks))
    return f"**{escaped(table.title)}**\n\n" + "\n".join(lines) + f"\n\n{remarks}\n"


def _markdown_line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


_COMMANDS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\symbol{34}",  # an active character under babel's German
    "[": "{[}",  # an argument of the line break before it
    "]": "{]}",
    "*": "{*}",
    "–": r"\textendash{}",
    "−": "$-$",
    "±": r"$\pm$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "Δ": r"$\Delta$",
    "α": r"$\alpha$",
    "ε": r"$\varepsilon$",
    "κ": r"$\kappa$",
    "λ": r"$\lambda$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "χ": r"$\chi$",
}
_LATEX = re.compile("|".join(map(re.escape, _COMMANDS)))
_TWO_HYPHENS = re.compile("-(?=-)")  # would become a dash


def latex_escaped(text: str) -> str:
    """The text in one line, as LaTeX prints it. Letters beyond ASCII stay: LaTeX reads UTF-8."""
    commands = _LATEX.sub(lambda found: _COMMANDS[found[0]], _TWO_HYPHENS.sub("-\0", plain(text)))
    return commands.replace("\0", "{}")


def latex_table(table: PaperTable, label: str) -> str:
    r"""A `table` with caption and `\label{tab:LABEL}`. Numbers are on the right."""
    alignment = "".join("l" if column.is_text else "r" for column in table.columns)
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{latex_escaped(table.title)}}}",
        rf"  \label{{tab:{label}}}",
        rf"  \begin{{tabular}}{{{alignment}}}",
        r"    \toprule",
        _latex_line(column.heading for column in table.columns),
        r"    \midrule",
        *(_latex_line(row) for row in table.shown_rows()),
        r"    \bottomrule",
        r"  \end{tabular}",
        "",
        r"  \smallskip",
        rf"  {{\footnotesize {' '.join(map(latex_escaped, table.remarks))}\par}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _latex_line(cells: Iterable[str]) -> str:
    return rf"    {' & '.join(map(latex_escaped, cells))} \\"


_PARTS = ("", "_low", "_high", "_n")  # of a column with estimates


def csv_table(table: PaperTable) -> str:
    """A header with the columns' keys, then the rows. Shares are from 0 to 1; what is undefined is
    empty; no cell can be taken for a formula.

    A column that holds an estimate becomes four: KEY, KEY_low and KEY_high, the ends of its
    interval, and KEY_n. Raises ValueError if another column has one of these keys.
    """
    parts = [_parts(table.column(column.key)[1]) for column in table.columns]
    header = [
        f"{column.key}{part}"
        for column, those in zip(table.columns, parts, strict=True)
        for part in those
    ]
    if len(set(header)) < len(header):
        raise ValueError(f"{table.key}: two columns of the CSV file have the same key")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(map(safe_text, header))
    writer.writerows(_row(row, parts) for row in table.rows)
    return text.getvalue()


def _parts(cells: Iterable[Cell]) -> Sequence[str]:
    return _PARTS if any(isinstance(cell, Estimate) for cell in cells) else ("",)


def _row(row: Iterable[Cell], parts: Iterable[Sequence[str]]) -> Iterator[Cell]:
    return chain.from_iterable(map(_cells, row, map(len, parts)))


def _cells(cell: Cell, width: int) -> Iterator[Cell]:
    """The texts in the one or four columns of a cell."""
    if isinstance(cell, Estimate):
        yield from (cell.value, cell.low, cell.high, cell.n)
        return
    yield safe_text(plain(cell)) if isinstance(cell, str) else cell
    yield from (None,) * (width - 1)
