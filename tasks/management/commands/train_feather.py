"""manage.py train_feather FILE [FILE …] --out FILE [--test FILE] [--folds N] [--seed N]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.management.training import (
    add_judging_options,
    add_places,
    comparison,
    held_out_of,
    learned_from,
    naming_its_file,
    told_left_out,
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
        held_out = held_out_of(options, ["test"], read_labelled_pairs, sets)
        with naming_its_file(", ".join(examples.name for examples in sets)):
            report = train_and_report(
                sets,
                options["out"],
                test=held_out.sets["test"],
                folds=options["folds"],
                seed=options["seed"],
            )
        return {
            **asdict(report),
            "files": [
                {"path": examples.name, **asdict(file)}
                for examples, file in zip(sets, report.files, strict=True)
            ],
            "left_out": held_out.left_out,
            "path": str(options["out"]),
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for file in result["files"]:
            yield f"{file['path']}: {learned_from(file)}"
            yield from comparison("unseen folds", "feather", file["cross_validation"]["pooled"])
        yield from told_left_out(result)
        if result["transfer"] is not None:
            yield from comparison("test file", "feather", result["transfer"])
        yield "{path}: {bytes} bytes, {version}".format(**result)
