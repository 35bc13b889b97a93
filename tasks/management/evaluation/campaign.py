"""manage.py evaluate campaign SLUG [--release VERSION] [--metric NAME …] [--section KEY …]"""

from argparse import ArgumentParser
from collections.abc import Iterable

from tasks.evaluations.queries.metric_scores import available_metrics, usual_metrics
from tasks.evaluations.workflow.evaluation import REPLICATES, EvaluationPlan, evaluate
from tasks.management.command import campaign_named
from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.options import add_unit, natural_number, positive_number
from tasks.models import Campaign
from tomahto.lab.report_files import REPORT, report_file
from tomahto.lab.report_json import report_as_json, report_from_json


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("slug", help="short name of the campaign")
    parser.add_argument(
        "--release", metavar="VERSION", help="a release of the campaign; default: its current state"
    )
    parser.add_argument(
        "--metric",
        action="append",
        metavar="NAME",
        help="may be repeated; default: all that can score all items now, without baselines",
    )
    parser.add_argument(
        "--section", action="append", metavar="KEY", help="may be repeated; default: all"
    )
    parser.add_argument(
        "--tune-on", metavar="SPLIT", help="tune thresholds on this split, judge on the others"
    )
    add_unit(parser)
    parser.add_argument("--seed", type=natural_number, help="of intervals; default: the campaign's")
    parser.add_argument(
        "--replicates",
        type=positive_number,
        default=REPLICATES,
        help=f"of the bootstrap; default {REPLICATES}",
    )


def _work(options: Options) -> Result:
    campaign = campaign_named(options["slug"])
    return report_as_json(evaluate(campaign=campaign, plan=_plan(campaign, options)))


def _plan(campaign: Campaign, options: Options) -> EvaluationPlan:
    metrics = options["metric"] or usual_metrics(campaign, available_metrics(campaign))
    seed, sections = options["seed"], options["section"]
    return EvaluationPlan(
        metrics=tuple(metrics),
        seed=campaign.seed if seed is None else seed,
        release=options["release"],
        sections=tuple(sections) if sections else None,
        tune_on=options["tune_on"],
        replicates=options["replicates"],
        unit=options["unit"],
    )


def _describe(result: Result) -> Iterable[str]:
    yield report_file(report_from_json(result), REPORT).content.decode().rstrip()


CAMPAIGN = Measure(
    "Compare metrics and systems with the labels of a campaign in the database or of its release.",
    _arguments,
    _work,
    _describe,
)
