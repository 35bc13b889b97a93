"""manage.py evaluate MEASURE FILE …"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.management.command import TomahtoCommand, add_json_option
from tasks.management.evaluation import (
    agreement,
    campaign,
    cap_sweep,
    class_thresholds,
    conformal,
    cost,
    metric_vs_human,
    monotonicity,
    report,
    reproduce,
    squad_v1,
    squad_v2,
)
from tasks.management.evaluation.measure import Measure, Result
from tasks.management.evaluation.section_result import SectionResult
from tomahto.figures.markdown import markdown_table
from tomahto.lab.report_files import check_free, section_files, write_files

_MEASURES: Mapping[str, Measure] = {
    module.__name__.rpartition(".")[2]: module.MEASURE
    for module in (
        *(agreement, reproduce, squad_v1, squad_v2, monotonicity, cap_sweep),
        *(class_thresholds, conformal, cost, metric_vs_human, report, campaign),
    )
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
