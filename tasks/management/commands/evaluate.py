"""manage.py evaluate MEASURE FILE …"""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from tasks.management.command import TomahtoCommand, add_json_option
from tasks.management.evaluation import (
    agreement,
    class_thresholds,
    conformal,
    metric_vs_human,
    monotonicity,
    reproduce,
    squad_v1,
    squad_v2,
)
from tasks.management.evaluation.measure import Measure, Result

_MEASURES = {
    "agreement": agreement.MEASURE,
    "reproduce": reproduce.MEASURE,
    "squad_v1": squad_v1.MEASURE,
    "squad_v2": squad_v2.MEASURE,
    "monotonicity": monotonicity.MEASURE,
    "class_thresholds": class_thresholds.MEASURE,
    "conformal": conformal.MEASURE,
    "metric_vs_human": metric_vs_human.MEASURE,
}


class Command(TomahtoCommand):
    help = "Measure files of ratings, predictions and scores; needs no database."
    measure: Measure

    def arguments(self, parser: ArgumentParser) -> None:
        subparsers = parser.add_subparsers(dest="measure", required=True, metavar="MEASURE")
        for name, measure in _MEASURES.items():
            subparser = subparsers.add_parser(name, help=measure.help, description=measure.help)
            measure.arguments(subparser)
            add_json_option(subparser, is_of_subcommand=True)

    def work(self, **options: Any) -> Result:
        self.measure = _MEASURES[options["measure"]]
        return self.measure.work(options)

    def describe(self, result: Result) -> Iterable[str]:
        return (self.measure.describe or super().describe)(result)
