"""manage.py score_pairs FILE --matcher NAME [--out FILE]"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from inference.matchers.interface import Matcher
from inference.matchers.registry import load_matcher, matcher_names
from tasks.importers.pairs import PairRow, read_pairs
from tasks.management.command import TomahtoCommand
from tasks.management.output_file import output_file
from tasks.workflow.batches import batches

_BATCH = 2000


class Command(TomahtoCommand):
    help = (
        "Score answers with a matcher: the lines of FILE come out again, in order, with a "
        '"score" from 0 to 1 and a "label", true where the score reaches the matcher\'s threshold.'
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            help='JSON lines of {"question", "references", "candidate"[, "context"]}; further '
            "fields are kept, but for score and label",
        )
        parser.add_argument("--matcher", required=True, choices=matcher_names())
        parser.add_argument("--out", type=Path, metavar="FILE", help="instead of stdout")

    def work(self, **options: Any) -> dict[str, Any]:
        out: Path | None = options["out"]
        if out is None and options["json"]:
            raise CommandError("--json needs --out: without it the lines go to stdout")
        matcher = load_matcher(options["matcher"])
        rows = self.counted(read_pairs(options["file"]), "pairs")
        lines = _scored_lines(matcher, rows)
        if out is None:
            pairs, correct = _write(lines, lambda text: self.stdout.write(text, ending=""))
        else:
            with output_file(out) as file:
                pairs, correct = _write(lines, file.write)
        return {
            "pairs": pairs,
            "correct": correct,
            "matcher": matcher.name,
            "version": matcher.version,
            "threshold": matcher.threshold,
            "path": None if out is None else str(out),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        summary = "{matcher}: {correct} of {pairs} pairs correct at {threshold}".format(**result)
        if result["path"] is None:
            print(summary, file=sys.stderr)
            return ()
        return (f"{summary}; written to {result['path']}",)


def _scored_lines(matcher: Matcher, rows: Iterable[PairRow]) -> Iterator[tuple[str, bool]]:
    """Each line as text with its label; no more than a batch of them is in memory."""
    for batch in batches(rows, _BATCH):
        scores = matcher.score([row.pair for row in batch])
        yield from _labelled(batch, scores, matcher.threshold)


def _labelled(
    rows: Sequence[PairRow], scores: Sequence[float], threshold: float
) -> Iterator[tuple[str, bool]]:
    for row, score in zip(rows, scores, strict=True):
        label = score >= threshold
        fields = {**row.fields, "score": score, "label": label}
        yield json.dumps(fields, ensure_ascii=False) + "\n", label


def _write(lines: Iterable[tuple[str, bool]], write: Callable[[str], Any]) -> tuple[int, int]:
    """Write the lines; how many there were, and how many of them are labelled true."""
    pairs = correct = 0
    for text, label in lines:
        write(text)
        pairs += 1
        correct += label
    return pairs, correct
