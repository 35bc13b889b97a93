"""manage.py evaluate class_thresholds FILE [--objective accuracy|quadratic-kappa]"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.protocols import cap
from tomahto.classes.thresholds import OBJECTIVES, calibrate_classes
from tomahto.interchange.judgements.evaluation import read_class_scores
from tomahto.interchange.reading.records import InputError


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help='JSON lines of {"class" or "label", "score"}')
    parser.add_argument(
        "--objective", choices=OBJECTIVES, default=OBJECTIVES[0], help="what is to be highest"
    )


def _work(options: Options) -> Result:
    rows = list(read_class_scores(options["file"], cap.PROTOCOL.scheme.labels))
    try:
        return calibrate_classes(
            [row.score for row in rows],
            [row.label for row in rows],
            cap.PROTOCOL.scheme,
            options["objective"],
        ).as_json()
    except ValueError as error:
        raise InputError(str(error), file=str(options["file"])) from error


def _describe(result: Result) -> Iterable[str]:
    yield f"{result['objective']} {result['value']} (n = {result['n']})"
    for row in result["classes"]:
        yield f"{row['class']}: from {row['from']}"


CLASS_THRESHOLDS = Measure(
    "Choose the scores at which a metric's classes begin, to fit people's labels best.",
    _arguments,
    _work,
    _describe,
)
