"""manage.py train_cfmatch FILE --out FILE [--test FILE] [--folds N] [--seed N] [--l2 X]"""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from inference.matchers.cfmatch_training import TrainingOptions, train_from_file
from inference.matchers.labelled_pairs import LabelledPairsError
from inference.matchers.weights_file import WeightsError
from tasks.importers.records import InputError
from tasks.management.command import TomahtoCommand
from tasks.management.evaluation.options import finite_number, natural_number

_DEFAULTS = TrainingOptions()


class Command(TomahtoCommand):
    help = "Train the matcher CFMatch on labelled answers, and say how well it does."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            help='JSON lines of {"question", "reference" | "references", "candidate", "label"}',
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
            help=f"penalty on the weights; default {_DEFAULTS.l2}",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        print(f"training on {options['file']} …", file=sys.stderr, flush=True)
        try:
            report = train_from_file(
                options["file"],
                options["out"],
                test=options["test"],
                options=TrainingOptions(l2=options["l2"]),
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
