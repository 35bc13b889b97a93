from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.management.command import TomahtoCommand, add_json_option
from tasks.management.evaluation.conformal import CONFORMAL
from tasks.management.evaluation.cost import COST
from tasks.management.evaluation.labels import AGREEMENT, CLASS_THRESHOLDS, METRIC_VS_HUMAN
from tasks.management.evaluation.options import Measure, Result, SectionResult
from tasks.management.evaluation.order import CAP_SWEEP, MONOTONICITY
from tasks.management.evaluation.report import CAMPAIGN, LAB_REPORT
from tasks.management.evaluation.reproduce import REPRODUCE
from tasks.management.evaluation.squad import SQUAD_V1, SQUAD_V2
from tomahto.charts.table_text import markdown_table
from tomahto.lab.report_files import check_free, section_files, write_files

_MEASURES: Mapping[str, Measure] = {
    "agreement": AGREEMENT,
    "reproduce": REPRODUCE,
    "squad_v1": SQUAD_V1,
    "squad_v2": SQUAD_V2,
    "monotonicity": MONOTONICITY,
    "cap_sweep": CAP_SWEEP,
    "class_thresholds": CLASS_THRESHOLDS,
    "conformal": CONFORMAL,
    "cost": COST,
    "metric_vs_human": METRIC_VS_HUMAN,
    "report": LAB_REPORT,
    "campaign": CAMPAIGN,
}


class Command(TomahtoCommand):
    help = "Measure files of ratings, predictions and scores, without a database, or a campaign."
    measure: Measure

    def arguments(self, parser: ArgumentParser) -> None:
        subparsers = parser.add_subparsers(dest="measure", required=True, metavar="MEASURE")
        for name, measure in _MEASURES.items():
            subparser = subparsers.add_parser(name, help=measure.help, description=measure.help)
            measure.arguments(subparser)
            add_json_option(subparser, is_of_subcommand=True)

    def work(self, **options: Any) -> Result:
        self.measure = _MEASURES[options["measure"]]
        if out := options.get("out"):
            check_free(out)
        result = self.measure.work(options)
        if out and isinstance(result, SectionResult):
            write_files(section_files(result.section), out)
        return result

    def describe(self, result: Result) -> Iterable[str]:
        if isinstance(result, SectionResult):
            return map(markdown_table, result.section.tables)
        return (self.measure.describe or super().describe)(result)
