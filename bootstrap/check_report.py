"""The closing summary of `./test`: how long everything took, and what failed."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bootstrap.check_runs import Outcome

NONE_COLLECTED = 5  # pytest's exit status
FILES_NAMED = 15


def failures(outcomes: Sequence[Outcome], *, lenient: bool) -> list[Outcome]:
    """The checks that failed.

    `lenient` for chosen tests: a database on which none of them run is no failure, as long as
    some run on the other one.
    """
    empty = [outcome for outcome in outcomes if outcome.status == NONE_COLLECTED]
    tolerated = empty if lenient and len(empty) < len(outcomes) else []
    return [outcome for outcome in outcomes if outcome.status and outcome not in tolerated]


def report(
    outcomes: Sequence[Outcome], failed: Sequence[Outcome], file_times: Path, *, seconds: float
) -> str:
    """The closing summary: durations, slow files, what failed and why, pytest's own last lines.

    `file_times` has lines as tests/file_times.py writes them. `seconds` is how long all took,
    starting the services and stopping them included.
    """
    lines = ["", "── Summary"]
    for outcome in outcomes:
        verdict = "FAILED" if outcome in failed else "ok"
        lines.append(f"{outcome.check.name:<22} {outcome.seconds:6.1f} s  {verdict}")
    lines += slowest_files(file_times)
    for outcome in failed:
        lines += ["", f"{outcome.check.name} failed (status {outcome.status}):"]
        lines += [f"  {line}" for line in outcome.explanation()]
    for outcome in outcomes:
        if outcome.summary:
            lines += ["", f"{outcome.check.name}:", outcome.summary]
    names = ", ".join(outcome.check.name for outcome in failed)
    verdict = f"Failed: {names}" if failed else "Everything passed"
    return "\n".join([*lines, "", f"{verdict}, in {seconds:.0f} s."])


def slowest_files(file_times: Path) -> list[str]:
    """The files whose tests took longest, over all runs of pytest."""
    if not file_times.exists():
        return []
    spent = defaultdict[str, float](float)
    for line in file_times.read_text().splitlines():
        seconds, file = line.split(maxsplit=1)
        spent[file] += float(seconds)
    slowest = sorted(spent.items(), key=lambda each: -each[1])[:FILES_NAMED]
    rows = [f"{seconds:8.1f} s  {file}" for file, seconds in slowest]
    return ["", "Slowest files:", *rows]
