"""How far a release is."""

from collections.abc import Callable

Report = Callable[[int, int], None]  # done, total
_STAGES = 3  # rows are read, then labelled, then written


class ReleaseProgress:
    """Reports rows: each is done once when it is read, labelled, and written.

    Nothing is reported while rows are read: that is one transaction, on whose other side nobody
    would see it.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._rows = self._written = 0

    def read(self, rows: int) -> None:
        self._rows = rows
        self._report(rows, self._total)

    def labelled(self) -> None:
        self._report(2 * self._rows, self._total)

    def wrote(self, rows: int) -> None:
        """A row that is in several splits is written several times, and done once."""
        self._written = min(self._written + rows, self._rows)
        self._report(2 * self._rows + self._written, self._total)

    @property
    def _total(self) -> int:
        return _STAGES * self._rows
