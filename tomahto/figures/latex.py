"""A table in LaTeX, for the package booktabs."""

import re
from collections.abc import Iterable

from tomahto.figures.table import PaperTable
from tomahto.figures.words import plain

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
_MEANT = re.compile("|".join(map(re.escape, _COMMANDS)))
_TWO_HYPHENS = re.compile("-(?=-)")  # would become a dash


def escaped(text: str) -> str:
    """The text in one line, as LaTeX prints it. Letters beyond ASCII stay: LaTeX reads UTF-8."""
    commands = _MEANT.sub(lambda found: _COMMANDS[found[0]], _TWO_HYPHENS.sub("-\0", plain(text)))
    return commands.replace("\0", "{}")


def latex_table(table: PaperTable, label: str) -> str:
    r"""A `table` with caption and `\label{tab:LABEL}`. Numbers are on the right."""
    alignment = "".join("l" if column.is_text else "r" for column in table.columns)
    lines = [
        r"% needs \usepackage{booktabs}",
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escaped(table.title)}}}",
        rf"  \label{{tab:{label}}}",
        rf"  \begin{{tabular}}{{{alignment}}}",
        r"    \toprule",
        _line(column.heading for column in table.columns),
        r"    \midrule",
        *(_line(row) for row in table.shown_rows()),
        r"    \bottomrule",
        r"  \end{tabular}",
        "",
        r"  \smallskip",
        rf"  {{\footnotesize {' '.join(map(escaped, table.remarks))}\par}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Iterable[str]) -> str:
    return rf"    {' & '.join(map(escaped, cells))} \\"
