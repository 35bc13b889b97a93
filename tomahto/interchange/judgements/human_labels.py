"""The label that people gave an answer, in the rows of a file."""

import sys
from collections.abc import Iterable, Iterator

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.row import Row
from tomahto.matching.human_labels import (
    PERHAPS_A_MATCHERS,
    HumanLabelError,
    MatcherVerdicts,
    is_right,
    was_drawn,
)

LABEL = "label"


def labelled_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows without those of a release whose label was drawn by lot in a tie.

    How many these are is said on stderr once all rows are read.
    """
    drawn = 0
    for row in rows:
        if was_drawn(row.values):
            drawn += 1
        else:
            yield row
    if drawn:
        print(f"{drawn:,} lines left out: their label was drawn in a tie", file=sys.stderr)


class HumanLabels:
    """Reads the labels of one file; `check` once all rows are read.

    Both raise InputError with file, line and field.
    """

    def __init__(self, file: InputFile) -> None:
        self._file, self._verdicts = file, MatcherVerdicts()

    def is_right(self, row: Row) -> bool:
        """Whether the row's label calls its answer right."""
        self._verdicts.add(row.source.line, row.values)
        return label_of(row, LABEL, row.values.get(LABEL))

    def check(self) -> None:
        """Refuses a file whose labels may be those of a matcher."""
        if self._verdicts.line is not None:
            raise self._file.source(self._verdicts.line).error(PERHAPS_A_MATCHERS, LABEL)


def label_of(row: Row, field: str, value: object) -> bool:
    """Whether the value of a field, a label, calls an answer right. Raises InputError."""
    try:
        return is_right(value)
    except HumanLabelError as error:
        raise row.error(str(error), field) from error
