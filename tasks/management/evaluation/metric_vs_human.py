"""manage.py evaluate metric_vs_human FILE"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from measures.metric_vs_human import metric_vs_human
from tasks.importers.evaluation import read_judged_rows
from tasks.importers.records import InputError
from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.options import add_bootstrap, bootstrap_of


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help='JSON lines of {"score", "label"[, "question", "system", "split"]}',
    )
    parser.add_argument(
        "--tune-on", metavar="SPLIT", help="tune the threshold on this split, measure on the others"
    )
    add_bootstrap(parser)


def _work(options: Options) -> Result:
    rows = list(read_judged_rows(options["file"]))
    try:
        report = metric_vs_human(rows, bootstrap=bootstrap_of(options), tune_on=options["tune_on"])
    except ValueError as error:
        raise InputError(str(error), file=str(options["file"])) from error
    return report.as_json()


def _describe(result: Result) -> Iterable[str]:
    for name, quality in {"all": result, **result["by_system"]}.items():
        counts = f"{quality['n']} items of {quality['questions']} questions"
        yield f"{name}: {counts}, {quality['right']} judged right"
        tuned = quality["tuned_accuracy"]
        yield f"  accuracy at {quality['accuracy']['threshold']}: {_interval(quality['accuracy'])}"
        yield f"  accuracy at {tuned['threshold']}, tuned {tuned['tuned_on']}: {_interval(tuned)}"
        yield f"  Spearman: {_interval(quality['spearman'])}"
        yield f"  AUC: {_interval(quality['auc'])}"


def _interval(estimate: Result) -> str:
    if estimate["low"] is None:
        return f"{estimate['value']} ({estimate['reason']})"
    return f"{estimate['value']} [{estimate['low']}, {estimate['high']}]"


MEASURE = Measure("A metric's scores against human labels.", _arguments, _work, _describe)
