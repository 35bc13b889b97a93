import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from django.core.management.base import CommandError

from tasks.management.command import TomahtoCommand, output_file
from tasks.management.evaluation.options import matcher_argument
from tasks.storing.database import batches
from tomahto.classes.thresholds import ClassThresholds
from tomahto.interchange.judgements.pairs import PairRow, read_pairs
from tomahto.interchange.reading.records import InputError
from tomahto.matching.interface import ExplainingMatcher, Matcher, Pair
from tomahto.matching.registry import load_matcher

_BATCH = 2000
_MORE = {"explain": "explanation", "classes": "predicted_class"}
"""The field that an option adds."""
_Score: TypeAlias = Callable[[list[Pair]], list[tuple[float, dict[str, Any]]]]
"""Scores pairs, each with what else its line is to say."""


class Command(TomahtoCommand):
    help = (
        'Score answers with a matcher: writes the lines of FILE in order, with a "score" from 0 '
        'to 1 and "accepted", true if the score reaches the matcher\'s threshold.'
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            help='JSON lines of {"question", "references", "candidate"[, "context"]}; all fields '
            "are kept, people's label too; of a list of names as candidate the best counts; "
            "or RELEASE:SPLIT",
        )
        parser.add_argument("--matcher", required=True, type=matcher_argument, metavar="NAME")
        parser.add_argument("--out", type=Path, metavar="FILE", help="instead of stdout")
        parser.add_argument(
            "--classes",
            type=Path,
            metavar="FILE",
            help='add the "predicted_class" of each score; FILE is the output of `evaluate '
            "class_thresholds --json`",
        )
        parser.add_argument(
            "--explain",
            action="store_true",
            help='add the "explanation" of each score; only cap has one',
        )

    def work(self, **options: Any) -> dict[str, Any]:
        out: Path | None = options["out"]
        if out is None and options["json"]:
            raise CommandError("--json needs --out: without it the lines go to stdout")
        classes = _read_classes(options["classes"]) if options["classes"] else None
        matcher = load_matcher(options["matcher"])
        score = _scorer(matcher, explain=options["explain"])
        more = (field for option, field in _MORE.items() if options[option])
        rows = self.counted(read_pairs(options["file"], ("score", "accepted", *more)), "pairs")
        lines = _scored_lines(score, matcher.threshold, classes, rows)
        if out is None:
            pairs, accepted = _write(lines, lambda text: self.stdout.write(text, ending=""))
        else:
            with output_file(out) as file:
                pairs, accepted = _write(lines, file.write)
        return {
            "pairs": pairs,
            "accepted": accepted,
            "matcher": matcher.name,
            "version": matcher.version,
            "threshold": matcher.threshold,
            "path": None if out is None else str(out),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        summary = "{matcher}: {accepted} of {pairs} pairs accepted at {threshold}".format(**result)
        if result["path"] is None:
            print(summary, file=sys.stderr)
            return ()
        return (f"{summary}; written to {result['path']}",)


def _read_classes(path: Path) -> ClassThresholds:
    try:
        return ClassThresholds.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise InputError(str(error), file=str(path)) from error


def _scorer(matcher: Matcher, *, explain: bool) -> _Score:
    if not explain:
        return lambda pairs: [(score, {}) for score in matcher.score(pairs)]
    if not isinstance(matcher, ExplainingMatcher):
        raise CommandError(f"--explain: the matcher {matcher.name} has no explanations, cap has")
    return lambda pairs: [
        (explained.score, {"explanation": asdict(explained)})
        for explained in matcher.explain(pairs)
    ]


def _scored_lines(
    score: _Score, threshold: float, classes: ClassThresholds | None, rows: Iterable[PairRow]
) -> Iterator[tuple[str, bool]]:
    """Each line as text, with whether it is accepted, by the best of its candidate's names; one
    batch of them is in memory."""
    for batch in batches(rows, _BATCH):
        scored = iter(score([pair for row in batch for pair in row.pairs]))
        for row in batch:
            value, more = max((next(scored) for _ in row.pairs), key=itemgetter(0))
            accepted = value >= threshold
            fields = {**row.fields, "score": value, "accepted": accepted, **more}
            if classes:
                fields["predicted_class"] = classes.class_of(value)
            yield json.dumps(fields, ensure_ascii=False) + "\n", accepted


def _write(lines: Iterable[tuple[str, bool]], write: Callable[[str], Any]) -> tuple[int, int]:
    pairs = accepted = 0
    for text, is_accepted in lines:
        write(text)
        pairs += 1
        accepted += is_accepted
    return pairs, accepted
