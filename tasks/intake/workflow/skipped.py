"""Records of a file that an import leaves out, and why."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from tomahto.interchange.reading.records import Source

EXAMPLES: Final = 20
"""How many skipped records are shown for each reason: a file may hold thousands."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A record that was left out; `id` is the one its file gives it."""

    line: int
    id: str | None
    reason: str


@dataclass
class SkippedRecords:
    """The first EXAMPLES records of each reason, and how many there are of each."""

    examples: list[Skipped] = field(default_factory=list)
    by_reason: Counter[str] = field(default_factory=Counter)

    def add(self, source: Source, id: str | None, reason: str) -> None:  # noqa: A002 - as shown
        self.by_reason[reason] += 1
        if self.by_reason[reason] <= EXAMPLES:
            self.examples.append(Skipped(source.line, id, reason))


def counts_of(brought: Mapping[str, Any]) -> dict[str, int]:
    """The outcome of a file in numbers alone; skipped records are counted together."""
    counts = {name: count for name, count in brought.items() if not name.startswith("skipped")}
    if "skipped_by_reason" in brought:
        counts["skipped"] = sum(brought["skipped_by_reason"].values())
    return counts
