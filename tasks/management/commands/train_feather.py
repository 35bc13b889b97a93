"""manage.py train_feather FILE [FILE …] --out FILE [--test FILE] [--folds N] [--seed N]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.management.training import add_judging_options, comparison, naming_its_file
from tomahto.matching.feather.training import train_from_files


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
        add_judging_options(parser, drawn="trees, folds and intervals")

    def work(self, **options: Any) -> dict[str, Any]:
        with naming_its_file(", ".join(map(str, options["files"]))):
            report = train_from_files(
                options["files"],
                options["out"],
                test=options["test"],
                folds=options["folds"],
                seed=options["seed"],
            )
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
            yield from comparison("unseen folds", "feather", file["cross_validation"]["pooled"])
        if result["transfer"] is not None:
            yield from comparison("test file", "feather", result["transfer"])
        yield "{path}: {bytes} bytes, {version}".format(**result)
