"""manage.py train_cfmatch FILE --out FILE [--test FILE] [--folds N] [--seed N] …"""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from tasks.management.command import TomahtoCommand
from tasks.management.evaluation.options import finite_number, line_range, natural_number
from tomahto.interchange.reading.records import InputError
from tomahto.learning.weights_file import WeightsError
from tomahto.matching.cfmatch.features import OverlapWords
from tomahto.matching.cfmatch.training import TrainingOptions, train_from_file
from tomahto.matching.training.labelled_pairs import LabelledPairsError

_DEFAULTS = TrainingOptions()


class Command(TomahtoCommand):
    help = "Train the matcher CFMatch on labelled answers, and say how well it does."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            help='JSON lines of {"question", "reference" | "references", "candidate", "label"}',
        )
        parser.add_argument(
            "--lines",
            type=line_range,
            metavar="FROM-TO",
            help="learn from these lines of FILE only, the first being 1",
        )
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the weights")
        parser.add_argument(
            "--test", type=Path, metavar="FILE", help="judge the weights on these answers too"
        )
        parser.add_argument(
            "--folds", type=natural_number, default=5, help="of the cross-validation; default 5"
        )
        parser.add_argument(
            "--seed", type=natural_number, default=0, help="of folds and intervals; default 0"
        )
        parser.add_argument(
            "--l2",
            type=_penalty,
            default=_DEFAULTS.l2,
            metavar="X",
            help=f"penalty on the weights; default {_DEFAULTS.l2} (the paper's: 1)",
        )
        parser.add_argument(
            "--overlap-scale",
            type=_penalty,
            default=_DEFAULTS.overlap_scale,
            metavar="X",
            help="what F1, precision and recall are multiplied by, so that the penalty leaves "
            f"them alone; default {_DEFAULTS.overlap_scale} (the paper's: 1)",
        )
        parser.add_argument(
            "--overlap-words",
            choices=get_args(OverlapWords),
            default=_DEFAULTS.overlap_words,
            help="what F1, precision and recall count: words as they are, as in the paper, or "
            f"their stems; default {_DEFAULTS.overlap_words}",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        print(f"training on {options['file']} …", file=sys.stderr, flush=True)
        try:
            report = train_from_file(
                options["file"],
                options["out"],
                lines=options["lines"],
                test=options["test"],
                options=TrainingOptions(
                    l2=options["l2"],
                    overlap_scale=options["overlap_scale"],
                    overlap_words=options["overlap_words"],
                ),
                folds=options["folds"],
                seed=options["seed"],
            )
        except (LabelledPairsError, WeightsError):
            raise  # they name their file
        except ValueError as error:
            raise InputError(str(error), file=str(options["file"])) from error
        return {**asdict(report), "path": str(options["out"])}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield "{examples} examples of {questions} questions, {correct} correct".format(**result)
        yield from _comparison("unseen folds", result["cross_validation"]["pooled"])
        if result["transfer"] is not None:
            yield from _comparison("test file", result["transfer"])
        yield "{path}: {words} words, {bytes} bytes, {version}".format(**result)


def _comparison(place: str, comparison: Mapping[str, Any]) -> Iterable[str]:
    for name, title in (("matcher", "CFMatch"), ("token_f1", "token F1, tuned")):
        yield (
            "{place}: accuracy of {title} {value} [{low}, {high}] "
            "(n = {n}, {questions} questions)".format(place=place, title=title, **comparison[name])
        )


def _penalty(text: str) -> float:
    value = finite_number(text)
    if value <= 0:
        raise ArgumentTypeError(f"{text!r} is not above 0")
    return value
