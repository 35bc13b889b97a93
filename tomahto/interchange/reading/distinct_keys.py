"""Names that may occur once in a file."""

from tomahto.interchange.reading.limits import MAX_KEYS
from tomahto.interchange.reading.records import Source


class DistinctKeys:
    """Remembers where each name stood. `what` and `field` say in an error what is being named."""

    def __init__(self, what: str, field: str | None = None) -> None:
        self._what, self._field = what, field
        self._lines: dict[str, int] = {}

    def add(self, key: str, source: Source) -> None:
        """Raises InputError at `source` if the name was there before, or there are too many."""
        if (first := self._lines.get(key)) is not None:
            raise source.error(f"{self._what} {key!r:.80} is also on line {first}", self._field)
        if len(self._lines) == MAX_KEYS:
            raise source.error(f"{self._what} is one too many: {MAX_KEYS:,} are read", self._field)
        self._lines[key] = source.line
