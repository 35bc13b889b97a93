"""manage.py train_bem FILE --model ID_OR_PATH --out DIR [--dev FILE] [--variant V] …"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.management.training import add_training_options, print_line
from tomahto.matching.bem.fitting import BemTrainingOptions
from tomahto.matching.bem.options import BEM_VARIANTS
from tomahto.matching.bem.training import train_bem

_DEFAULTS = BemTrainingOptions()


class Command(TomahtoCommand):
    help = "Train the matcher BEM on labelled answers, and say how well it does. Needs torch."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file",
            type=Path,
            help='JSON lines of {"question", "reference" | "references", "candidate", "label"'
            '[, "context"]}',
        )
        add_training_options(parser, _DEFAULTS, base="google-bert/bert-base-uncased")
        parser.add_argument(
            "--variant",
            choices=BEM_VARIANTS,
            default=_DEFAULTS.variant,
            help="what is read: the answers only, with the question (default), or with the "
            "question and the context",
        )
        parser.add_argument(
            "--symmetrised", action="store_true", help="score the mean of both directions"
        )

    def work(self, **options: Any) -> dict[str, Any]:
        print_line(f"training on {options['file']} …")
        report = train_bem(
            options["file"],
            options["out"],
            base=options["model"],
            dev=options["dev"],
            options=BemTrainingOptions(
                variant=options["variant"],
                symmetrised=options["symmetrised"],
                epochs=options["epochs"],
                batch_size=options["batch_size"],
                learning_rate=options["learning_rate"],
                seed=options["seed"],
            ),
            progress=print_line,
        )
        return {**asdict(report), "path": str(options["out"])}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield "{examples} examples, {dev_examples} held out".format(**result)
        for epoch in result["fit"]["epochs"]:
            dev = epoch["dev"]
            yield f"epoch {epoch['epoch']}: loss {epoch['loss']}" + (
                f", dev accuracy {dev['accuracy']}, dev log loss {dev['log_loss']}" if dev else ""
            )
        for name, limit in (("accuracy", 0.5), ("accuracy_tuned", result["threshold"])):
            yield f"accuracy on {result['tuned_on']} at {limit}: " + (
                "{value} [{low}, {high}] (n = {n}, {questions} questions)".format(**result[name])
            )
        yield "{path}: epoch {best}, {version}".format(best=result["fit"]["best_epoch"], **result)
