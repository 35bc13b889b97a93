from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.management.evaluation.options import line_range
from tasks.management.training import (
    add_judging_options,
    add_options,
    add_places,
    comparison,
    learned_from,
    options_of,
    told_left_out,
    transfer_lines,
    weights_report,
)
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.matching.cfmatch.training import TrainingOptions, train_and_report


class Command(TomahtoCommand):
    help = "Train the matcher CFMatch on labelled answers and report its quality."

    def arguments(self, parser: ArgumentParser) -> None:
        add_places(
            parser,
            "file",
            'JSON lines of {"question", "reference" | "references", "candidate", "label"}',
        )
        parser.add_argument(
            "--lines",
            type=line_range,
            metavar="FROM-TO",
            help="train on these lines of FILE only, counted from 1",
        )
        add_judging_options(parser, drawn="folds and intervals")
        add_options(
            parser,
            TrainingOptions,
            {
                "l2": "penalty on the weights (the paper's: 1)",
                "overlap_scale": "factor of F1, precision and recall, which shields them from the "
                "penalty (the paper's: 1)",
                "overlap_words": "unit of F1, precision and recall: words, as in the paper, or "
                "their stems",
            },
        )

    def work(self, **options: Any) -> dict[str, Any]:
        train = read_labelled_pairs(options["file"], split=options["split"], lines=options["lines"])
        learn = partial(train_and_report, train, options=options_of(TrainingOptions, options))
        return weights_report(options, [train], learn)

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield learned_from(result)
        yield from comparison("unseen folds", "CFMatch", result["cross_validation"]["pooled"])
        yield from told_left_out(result)
        yield from transfer_lines(result, "CFMatch")
        yield "{path}: {words} words, {bytes} bytes, {version}".format(**result)
