"""How far a release is."""

from collections.abc import Callable

Report = Callable[[int, int], None]  # done, total


class ReleaseProgress:
    """Reports rows: each is done once when it is read and labelled, and those that the splits have
    once more when they are written.

    Nothing is reported while rows are read: that is one transaction, on whose other side nobody
    would see it.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._read = self._chosen = self._written = 0

    def read(self, rows: int) -> None:
        self._read = self._chosen = rows
        self._report(rows, self._total)

    def labelled(self, chosen: int) -> None:
        """`chosen` of the rows are in a split: the others are not written."""
        self._chosen = chosen
        self._report(2 * self._read, self._total)

    def wrote(self, rows: int) -> None:
        """A row that is in several splits is written several times, and done once."""
        self._written = min(self._written + rows, self._chosen)
        self._report(2 * self._read + self._written, self._total)

    def finished(self) -> None:
        """Also where nothing had to be written, because the release was there already."""
        self._report(self._total, self._total)

    @property
    def _total(self) -> int:
        return 2 * self._read + self._chosen
