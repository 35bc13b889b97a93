"""The accuracies of a campaign's systems, as each place says them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from exporters.planned_release import ReleasePlan
from tasks.agreement.figures.more_figures import more_figures
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.evaluations.workflow.evaluation import EvaluationPlan, evaluate
from tasks.models import Campaign, Release, Suggestion
from tasks.releases.workflow.release import publish_release
from tests.tasks.management.conftest import Manage
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.lab.report import LabReport, report_from_json

SPLIT = "document:dev=40,test=60"
Figures = Mapping[str, dict[str, Any]]  # estimates by system


def published(campaign: Campaign, out: Path, **changes: Any) -> Release:
    plan = ReleasePlan(version="1.0.0", split=SPLIT, seed=campaign.seed, **changes)
    return publish_release(campaign=campaign, plan=plan, out=out)


def on_the_page(campaign: Campaign) -> Figures:
    rows = systems_figures(campaign)["systems"]
    return accuracies(rows)


def accuracies(rows: Iterable[Mapping[str, Any]]) -> Figures:
    return {row["system"]: row["accuracy"]["with_exact_matches"] for row in rows}


def in_how_many_more(campaign: Campaign) -> Figures:
    """By labels alone."""
    campaign.suggestion_matcher = "f1"
    Suggestion.objects.bulk_create(
        Suggestion(item=item, matcher="f1", version="1", score=0.5, is_correct=True)
        for item in campaign.items.all()
    )
    rows = more_figures(campaign)["prediction_powered"]["systems"]
    return {row["system"]: row["with_exact"]["classical"] for row in rows}


def in_the_release(release: Release) -> Figures:
    rows = json.loads((release.folder / "statistics.json").read_bytes())["systems"]
    return accuracies(rows)


def in_the_report(report: LabReport, column: str = "people") -> Figures:
    (section,) = (each for each in report.sections if each.key == "systems")
    table = section.tables[0]
    place = [each.key for each in table.columns].index(column)
    found = {}
    for row in table.rows:
        cell = row[place]
        assert isinstance(cell, Estimate)
        assert column != "people" or row[1] == cell.n
        found[str(row[0])] = estimate_as_json(cell)
    return found


def evaluation(
    campaign: Campaign,
    release: str | None = None,
    sections: tuple[str, ...] = ("systems", "more_references"),
) -> LabReport:
    """As *Lab* makes it."""
    plan = EvaluationPlan(
        metrics=("em", "f1"), seed=campaign.seed, release=release, sections=sections
    )
    return evaluate(campaign=campaign, plan=plan)


def printed(manage: Manage, folder: Path, seed: int) -> LabReport:
    arguments = ("evaluate", "report", folder, "--section", "systems", "--matcher", "f1")
    return report_from_json(manage.json(*arguments, "--seed", seed))


def everywhere(campaign: Campaign, release: Release, manage: Manage) -> dict[str, Figures]:
    """By place; the page *Systems* is not among them."""
    return {
        "more": in_how_many_more(campaign),
        "release": in_the_release(release),
        "evaluation": in_the_report(evaluation(campaign)),
        "evaluation of the release": in_the_report(evaluation(campaign, release.version)),
        "report on the folder": in_the_report(printed(manage, release.folder, campaign.seed)),
    }
