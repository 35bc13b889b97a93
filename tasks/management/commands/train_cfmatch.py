"""manage.py train_cfmatch FILE --out FILE [--test FILE] [--folds N] [--seed N] …"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from tasks.management.command import TomahtoCommand
from tasks.management.evaluation.options import line_range
from tasks.management.training import (
    add_judging_options,
    comparison,
    naming_its_file,
    positive_real,
)
from tomahto.matching.cfmatch.features import OverlapWords
from tomahto.matching.cfmatch.training import TrainingOptions, train_from_file

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
        add_judging_options(parser, drawn="folds and intervals")
        parser.add_argument(
            "--l2",
            type=positive_real,
            default=_DEFAULTS.l2,
            metavar="X",
            help=f"penalty on the weights; default {_DEFAULTS.l2} (the paper's: 1)",
        )
        parser.add_argument(
            "--overlap-scale",
            type=positive_real,
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
        with naming_its_file(str(options["file"])):
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
        return {**asdict(report), "path": str(options["out"])}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield "{examples} examples of {questions} questions, {correct} correct".format(**result)
        yield from comparison("unseen folds", "CFMatch", result["cross_validation"]["pooled"])
        if result["transfer"] is not None:
            yield from comparison("test file", "CFMatch", result["transfer"])
        yield "{path}: {words} words, {bytes} bytes, {version}".format(**result)
