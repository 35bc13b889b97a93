"""Measures of tables of labels.

manage.py evaluate agreement FILE --level nominal|ordinal|interval
manage.py evaluate class_thresholds FILE [--objective accuracy|quadratic-kappa]
manage.py evaluate metric_vs_human FILE
"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from tasks.management.evaluation.options import (
    Measure,
    Options,
    Result,
    add_bootstrap,
    add_unit,
    bootstrap_of,
    naming,
)
from tasks.management.evaluation.order import interval_text
from tasks.protocols import cap
from tomahto.classes.thresholds import OBJECTIVES, calibrate_classes
from tomahto.interchange.judgements.evaluation import (
    read_class_scores,
    read_judged_rows,
    read_unit_ratings,
)
from tomahto.reliability.reliability_data import RowError, agreement_of_units
from tomahto.scoring.metric_vs_human import THRESHOLD, metric_differences, metric_vs_human


def _agreement_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="CSV with the columns unit, rater, value")
    parser.add_argument("--level", required=True, choices=["nominal", "ordinal", "interval"])
    add_bootstrap(parser)


def _agreement(options: Options) -> Result:
    ratings = list(read_unit_ratings(options["file"]))
    rows = ((rating.unit, rating.rater, rating.value) for rating in ratings)
    seed, replicates = options["seed"], options["replicates"]
    try:
        agreement = agreement_of_units(rows, options["level"], seed=seed, replicates=replicates)
    except RowError as error:
        raise ratings[error.row - 1].source.error(error.problem, error.field) from error
    return agreement.as_json()


AGREEMENT = Measure(
    "Compute Krippendorff's alpha of a table of ratings, with its interval.",
    _agreement_arguments,
    _agreement,
)


def _thresholds_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help='JSON lines of {"class" or "label", "score"}')
    parser.add_argument(
        "--objective", choices=OBJECTIVES, default=OBJECTIVES[0], help="what is to be highest"
    )


def _thresholds(options: Options) -> Result:
    rows = list(read_class_scores(options["file"], cap.PROTOCOL.scheme.labels))
    with naming(options["file"], ValueError):
        return calibrate_classes(
            [row.score for row in rows],
            [row.label for row in rows],
            cap.PROTOCOL.scheme,
            options["objective"],
        ).as_json()


def _describe_thresholds(result: Result) -> Iterable[str]:
    yield f"{result['objective']} {result['value']} (n = {result['n']})"
    for row in result["classes"]:
        yield f"{row['class']}: from {row['from']}"


CLASS_THRESHOLDS = Measure(
    "Choose the scores at which a metric's classes begin, to fit people's labels best.",
    _thresholds_arguments,
    _thresholds,
    _describe_thresholds,
)


def _metric_arguments(parser: ArgumentParser) -> None:
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


def _metric_vs_human(options: Options) -> Result:
    bootstrap, unit = bootstrap_of(options), {"unit": options["unit"]}
    by_metric = read_judged_rows(options["file"], options["unit"])
    with naming(options["file"], ValueError):
        reports = {
            metric: metric_vs_human(rows, bootstrap=bootstrap, tune_on=options["tune_on"])
            for metric, rows in by_metric.items()
        }
    if "" in reports:
        return {**unit, **reports[""].as_json()}
    differences = metric_differences(reports, bootstrap)
    return {
        **unit,
        "metrics": {metric: report.as_json() for metric, report in reports.items()},
        "differences": [difference.as_json() for difference in differences],
    }


def _describe_metrics(result: Result) -> Iterable[str]:
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
    "Compare metrics' scores with human labels.",
    _metric_arguments,
    _metric_vs_human,
    _describe_metrics,
)
