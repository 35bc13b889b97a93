"""manage.py train_feather FILE [FILE …] --out FILE [--test FILE] [--folds N] [--seed N]"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.management.evaluation.options import natural_number
from tomahto.interchange.reading.records import InputError
from tomahto.learning.weights_file import WeightsError
from tomahto.matching.feather.training import train_from_files
from tomahto.matching.training.labelled_pairs import LabelledPairsError


class Command(TomahtoCommand):
    help = "Train the matcher feather on labelled answers, and say how well it does."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "files",
            type=Path,
            nargs="+",
            metavar="FILE",
            help='JSON lines of {"question", "reference" | "references", "candidate", "label"}; '
            "an answer of the first file counts more than one of the others",
        )
        parser.add_argument("--out", required=True, type=Path, metavar="FILE", help="the weights")
        parser.add_argument(
            "--test", type=Path, metavar="FILE", help="judge the weights on these answers too"
        )
        parser.add_argument(
            "--folds", type=natural_number, default=5, help="of the cross-validation; default 5"
        )
        parser.add_argument(
            "--seed",
            type=natural_number,
            default=0,
            help="of trees, folds and intervals; default 0",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        names = ", ".join(map(str, options["files"]))
        print(f"training on {names} …", file=sys.stderr, flush=True)
        try:
            report = train_from_files(
                options["files"],
                options["out"],
                test=options["test"],
                folds=options["folds"],
                seed=options["seed"],
            )
        except (LabelledPairsError, WeightsError):
            raise  # they name their file
        except ValueError as error:
            raise InputError(str(error), file=names) from error
        return {
            **asdict(report),
            "files": [
                {"path": str(path), **asdict(file)}
                for path, file in zip(options["files"], report.files, strict=True)
            ],
            "path": str(options["out"]),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for file in result["files"]:
            yield "{path}: {examples} examples of {questions} questions, {correct} correct".format(
                **file
            )
            yield from _comparison("unseen folds", file["cross_validation"]["pooled"])
        if result["transfer"] is not None:
            yield from _comparison("test file", result["transfer"])
        yield "{path}: {bytes} bytes, {version}".format(**result)


def _comparison(place: str, comparison: Mapping[str, Any]) -> Iterable[str]:
    for name, title in (("matcher", "feather"), ("token_f1", "token F1, tuned")):
        yield (
            "{place}: accuracy of {title} {value} [{low}, {high}] "
            "(n = {n}, {questions} questions)".format(place=place, title=title, **comparison[name])
        )
