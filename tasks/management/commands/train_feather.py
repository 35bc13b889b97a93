from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.management.training import (
    add_judging_options,
    add_places,
    comparison,
    learned_from,
    told_left_out,
    transfer_lines,
    weights_report,
)
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.matching.feather.training import train_and_report


class Command(TomahtoCommand):
    help = "Train the matcher feather on labelled answers and report its quality."

    def arguments(self, parser: ArgumentParser) -> None:
        add_places(
            parser,
            "files",
            'JSON lines of {"question", "reference" | "references", "candidate", "label"}; '
            "those of the first place count more",
            nargs="+",
        )
        add_judging_options(parser, drawn="trees, folds and intervals")

    def work(self, **options: Any) -> dict[str, Any]:
        sets = [read_labelled_pairs(path, split=options["split"]) for path in options["files"]]
        result = weights_report(options, sets, partial(train_and_report, sets))
        named = zip(sets, result["files"], strict=True)
        return {**result, "files": [{"path": examples.name, **file} for examples, file in named]}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for file in result["files"]:
            yield f"{file['path']}: {learned_from(file)}"
            yield from comparison("unseen folds", "feather", file["cross_validation"]["pooled"])
        yield from told_left_out(result)
        yield from transfer_lines(result, "feather")
        yield "{path}: {bytes} bytes, {version}".format(**result)
