"""manage.py evaluate metric_vs_human FILE"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.monotonicity_text import interval_text
from tasks.management.evaluation.options import add_bootstrap, add_unit, bootstrap_of
from tomahto.interchange.judgements.evaluation import read_judged_rows
from tomahto.interchange.reading.records import InputError
from tomahto.scoring.metric_differences import metric_differences
from tomahto.scoring.metric_vs_human import THRESHOLD, metric_vs_human


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help=(
            'JSON lines of {"score", "label"[, "ratings", "question", "system" | "systems", '
            '"split"]}; for several metrics, compared in pairs: {"scores": {METRIC: SCORE, ...}, '
            '"label", ...}'
        ),
    )
    parser.add_argument(
        "--tune-on", metavar="SPLIT", help="tune the threshold on this split, measure on the others"
    )
    add_unit(parser)
    add_bootstrap(parser)


def _work(options: Options) -> Result:
    bootstrap, unit = bootstrap_of(options), {"unit": options["unit"]}
    by_metric = read_judged_rows(options["file"], options["unit"])
    try:
        reports = {
            metric: metric_vs_human(rows, bootstrap=bootstrap, tune_on=options["tune_on"])
            for metric, rows in by_metric.items()
        }
    except ValueError as error:
        raise InputError(str(error), file=str(options["file"])) from error
    if "" in reports:
        return {**unit, **reports[""].as_json()}
    differences = metric_differences(reports, bootstrap)
    return {
        **unit,
        "metrics": {metric: report.as_json() for metric, report in reports.items()},
        "differences": [difference.as_json() for difference in differences],
    }


def _describe(result: Result) -> Iterable[str]:
    if "metrics" not in result:
        yield from _describe_metric(result, result["unit"], "")
        return
    for metric, values in result["metrics"].items():
        yield from _describe_metric(values, result["unit"], f"{metric}, ")
    for difference in result["differences"]:
        yield f"{difference['first']} less {difference['second']}"
        yield f"  accuracy at {THRESHOLD}: {interval_text(difference['accuracy'])}"
        yield f"  accuracy at tuned thresholds: {interval_text(difference['tuned_accuracy'])}"
        yield from _describe_order(difference)


def _describe_metric(result: Result, unit: str, metric: str) -> Iterable[str]:
    for name, quality in {"all": result, **result["by_system"]}.items():
        counts = f"{quality['n']} {unit} of {quality['questions']} questions"
        yield f"{metric}{name}: {counts}, {quality['right']} judged right"
        plain, tuned = quality["accuracy"], quality["tuned_accuracy"]
        at = f"{tuned['threshold']}, tuned {tuned['tuned_on']}"
        yield f"  accuracy at {plain['threshold']}: {interval_text(plain)}"
        yield f"  accuracy at {at}: {interval_text(tuned)}"
        yield from _describe_order(quality)


def _describe_order(values: Result) -> Iterable[str]:
    yield f"  Spearman: {interval_text(values['spearman'])}"
    yield f"  AUC: {interval_text(values['auc'])}"


METRIC_VS_HUMAN = Measure(
    "Compare metrics' scores with human labels.", _arguments, _work, _describe
)
