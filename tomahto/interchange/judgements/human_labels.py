"""The label that people gave an answer, in the rows of a file."""

import sys
from collections.abc import Callable, Iterable, Iterator

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.row import Row
from tomahto.matching.human_labels import (
    PERHAPS_A_MATCHERS,
    HumanLabelError,
    MatcherVerdicts,
    is_right,
    was_drawn,
)
from tomahto.releases.documents.fact_sentences import counted

LABEL = "label"
_NAMES = (LABEL, "correctness_label")  # the second in lines laid out as CAP-Correctness


def labelled_rows(
    rows: Iterable[Row], needless: Callable[[Row], bool] = lambda _row: False
) -> Iterator[Row]:
    """The rows without those of a release whose label was drawn by lot in a tie, but with those
    that are of use without it, for which it is `needless`.

    How many labels these are is said on stderr once all rows are read.
    """
    drawn = kept = 0
    for row in rows:
        is_drawn = was_drawn(row.values)
        is_kept = is_drawn and needless(row)
        drawn, kept = drawn + is_drawn - is_kept, kept + is_kept
        if is_kept or not is_drawn:
            yield row
    if drawn:
        print(f"{counted(drawn, 'line')} left out: label drawn in a tie", file=sys.stderr)
    if kept:
        print(f"{counted(kept, 'label')} left out: drawn in a tie", file=sys.stderr)


class HumanLabels:
    """Reads the labels of one file; `check` once all rows are read.

    Both raise InputError with file, line and field.
    """

    def __init__(self, file: InputFile) -> None:
        self._file, self._verdicts = file, MatcherVerdicts()

    def is_right(self, row: Row) -> bool:
        """Whether the row's label calls its answer right."""
        self._verdicts.add(row.source.line, row.values)
        name = label_name(row)
        return label_of(row, name, row.values.get(name))

    def check(self) -> None:
        """Refuses a file whose labels may be those of a matcher."""
        if self._verdicts.line is not None:
            raise self._file.source(self._verdicts.line).error(PERHAPS_A_MATCHERS, LABEL)


def label_name(row: Row) -> str:
    """The field of the row that has its label."""
    return row.name_of(*_NAMES) or LABEL


def label_of(row: Row, field: str, value: object) -> bool:
    """Whether the value of a field, a label, calls an answer right. Raises InputError."""
    try:
        return is_right(value)
    except HumanLabelError as error:
        raise row.error(str(error), field) from error
