"""Every table and figure of a paper, and what makes its counterpart of what."""

from collections.abc import Sequence

from tomahto.figures.rows import count, table_of, text
from tomahto.figures.table import PaperTable
from tomahto.lab.published.figures import PublishedPaper, PublishedTable
from tomahto.lab.reproduce.comparison import ComparedFigure, Counts

_NONE = "none"


def overview_table(
    paper: PublishedPaper, compared: Sequence[ComparedFigure], source: str
) -> PaperTable:
    """How many numbers of each were computed, in the paper's order."""
    return table_of(
        "overview",
        f"Tables and figures of {paper.name}",
        [(table, _counts(table, compared)) for table in paper.tables],
        text("table", "Table", lambda row: row[0].place),
        text("title", "Title", lambda row: row[0].title),
        count("listed", "Numbers", lambda row: row[1].listed),
        count("computed", "Computed", lambda row: row[1].computed),
        count("as_printed", "As printed", lambda row: row[1].as_printed),
        text("command", "Command", lambda row: row[0].command or _NONE),
        text("input", "Input", lambda row: row[0].input),
        notes="A command that is not evaluate reproduce makes its table by itself",
        source=source,
    )


def _counts(table: PublishedTable, compared: Sequence[ComparedFigure]) -> Counts:
    return Counts.of([one for one in compared if one.table == table])
