"""manage.py train_statements FILE --model ID_OR_PATH --out DIR [--dev FILE] …"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tasks.management.command import TomahtoCommand
from tasks.management.evaluation.options import positive_number
from tasks.management.training import add_training_options, print_line
from tomahto.statements.training import StatementTrainingOptions, train_statements

_DEFAULTS = StatementTrainingOptions()


class Command(TomahtoCommand):
    help = "Train CAP's statement generator, and say how well it writes. Needs torch."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help='JSON lines of {"question", "answer", "statement"}'
        )
        add_training_options(parser, _DEFAULTS, base="google/mt5-base")
        parser.add_argument(
            "--patience",
            type=positive_number,
            default=_DEFAULTS.patience,
            metavar="N",
            help=f"stop after N epochs without a better BLEU; default {_DEFAULTS.patience}",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        print_line(f"training on {options['file']} …")
        report = train_statements(
            options["file"],
            options["out"],
            base=options["model"],
            dev=options["dev"],
            options=StatementTrainingOptions(
                epochs=options["epochs"],
                batch_size=options["batch_size"],
                learning_rate=options["learning_rate"],
                patience=options["patience"],
                seed=options["seed"],
            ),
            progress=print_line,
        )
        return {**asdict(report), "path": str(options["out"])}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        yield "{examples} examples, {dev_examples} held out".format(**result)
        for epoch in result["epochs"]:
            yield "epoch {epoch}: loss {loss}, BLEU {bleu}".format(**epoch)
        yield "{path}: epoch {best_epoch}, BLEU {bleu}, exact {exact}".format(**result)
