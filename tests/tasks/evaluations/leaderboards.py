"""A release with a leaderboard to try things on, made by the product's own workflow: once for each
process that asks for it, and copied from then on, which takes a third of the time."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from exporters.planned_release import ReleasePlan
from tasks.evaluations.queries.leaderboard import shown_leaderboard
from tasks.evaluations.workflow.submissions import submit_predictions
from tasks.intake.workflow.ratings import import_ratings
from tasks.jobs.work import run_job
from tasks.models import Campaign, Job, JobKind, JobState, Release, Submission
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign
from tests.stored_at_once import store_items
from tests.tasks.conftest import item_row, rating_row

QUESTIONS = 12
EVERYTHING = "*"


_KEPT = TemporaryDirectory()
_MADE: dict[tuple[str, str], dict[str, Any]] = {}
"""By slug and split: what the row of the release says, whose folder is kept."""


def make_release(folder: Path, slug: str = "lakes", *, split: str = "document:test=100") -> Release:
    """Questions 1 to 12 with "reference N"; people accept "candidate N" of the odd ones."""
    campaign = make_campaign(slug, title="Lakes", overlap=1)
    rate(campaign, range(1, QUESTIONS + 1))
    out, kept = folder / slug, Path(_KEPT.name, f"{len(_MADE)}")
    if known := _MADE.get((slug, split)):
        shutil.copytree(known["path"], out)
        return Release.objects.create(campaign=campaign, **{**known, "path": str(out)})
    plan = ReleasePlan(version="1.0.0", split=split, seed=1)
    release = publish_release(campaign=campaign, plan=plan, out=out)
    shutil.copytree(out, kept)
    fields = [field.attname for field in Release._meta.concrete_fields]
    said = {name: getattr(release, name) for name in fields if name not in ("id", "campaign_id")}
    _MADE[slug, split] = {**said, "path": str(kept)}
    return release


def rate(campaign: Campaign, numbers: range) -> None:
    store_items(campaign, [item_row(number) for number in numbers])
    labels = {number: "equivalent" if number % 2 else "not-equivalent" for number in numbers}
    import_ratings(
        campaign=campaign, rows=[rating_row(n, "ann", label) for n, label in labels.items()]
    )


def answers(right: int, of: int = QUESTIONS, wrong: str = "nobody knows") -> dict[str, str]:
    """The first so many equal their reference, the others do not."""
    return {
        f"question-{number}": f"reference {number}" if number <= right else wrong
        for number in range(1, of + 1)
    }


def as_file(predictions: Mapping[str, Any]) -> bytes:
    return json.dumps(predictions).encode()


def submit(release: Release, name: str, predictions: Mapping[str, Any], **more: Any) -> Submission:
    wanted = {"split": "test", "file_name": "predictions.json", **more}
    return submit_predictions(release=release, name=name, content=as_file(predictions), **wanted)


def work() -> list[Job]:
    """Score what is submitted, as a worker would."""
    done = []
    queued = Job.objects.filter(state=JobState.QUEUED, kind=JobKind.SUBMISSION)
    for job in queued.order_by("pk"):
        run_job(job.pk)
        job.refresh_from_db()
        assert job.state == JobState.DONE, job.error
        done.append(job)
    return done


def content(release: Release, split: str = "test") -> dict[str, Any]:
    found = shown_leaderboard(release, split).content
    assert found is not None
    return dict(found)
