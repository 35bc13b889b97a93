"""What workers have left in a campaign: jobs in every state, generated texts, a trained matcher.

What would take a model or an hour is put into the database as it would have been left.
"""

from datetime import timedelta
from typing import Any

from django.db.models.functions import Now

from tasks.models import (
    Campaign,
    GeneratedText,
    Job,
    JobFailure,
    JobKind,
    TrainedMatcher,
    Worker,
)


def work_in_the_background(campaign: Campaign) -> dict[str, Any]:
    """Ids of jobs that are done, failed and waiting."""
    jobs = Job.objects.filter(campaign=campaign)
    job = jobs.filter(kind=JobKind.SUGGEST, state="done").latest("pk")
    failed = _job(campaign, JobKind.SUGGEST, state="failed", error="TOMAHTO_BEM_MODEL is not set")
    Job.objects.filter(pk=failed.pk).update(finished_at=Now())
    waiting = _job(
        campaign,
        JobKind.ANSWER,
        failures=2,
        error="endpoint down",
        parameters={"name": "lexical"},
        not_before=Now() + timedelta(hours=1),
    )
    for item in campaign.items.all()[:3]:
        reason = "ValueError: " + "cannot read it " * 20
        JobFailure.objects.create(job=job, item=item, reason=reason)
    Worker.objects.create(name="celery@somewhere-on-a-machine-with-a-long-name", host="x", pid=7)
    _generate(campaign)
    _train(campaign, job)
    return {"job": job.pk, "failed": failed.pk, "waiting": waiting.pk}


def _job(campaign: Campaign, kind: JobKind, **fields: Any) -> Job:
    number = Job.objects.count()
    return Job.objects.create(campaign=campaign, kind=kind, input_hash=f"{number}", **fields)


def _generate(campaign: Campaign) -> None:
    GeneratedText.objects.bulk_create(
        GeneratedText(
            campaign=campaign,
            kind="candidates",
            target="partial",
            question="Where does it rise?",
            reference="in the northern hills",
            candidate=f"in hills {number}",
            system="finch-7b",
            provenance={"raw_reply": "in hills " * 200, "prompt": "candidate"},
            fingerprint=number,
        )
        for number in range(30)
    )


def _train(campaign: Campaign, job: Job) -> None:
    undefined = {"value": None, "low": None, "high": None, "n": 64}
    TrainedMatcher.objects.create(
        campaign=campaign,
        kind="feather",
        weights="none",
        digest="0123456789ab",
        labels=64,
        correct=40,
        ties=3,
        documents=12,
        seed=0,
        job=job,
        learning_curve={
            "folds": 5,
            "points": [
                {"labels": 25, "accuracy": {**undefined, "reason": "all labels are correct"}},
                *({"labels": n, "accuracy": _accuracy(0.6 + n / 500)} for n in (50, 100)),
            ],
            "baselines": {"shipped": _accuracy(0.7), "token_f1": _accuracy(0.65)},
        },
    )


def _accuracy(value: float) -> dict[str, Any]:
    ends = {"low": value - 0.1, "high": value + 0.05}
    return {"value": value, **ends, "n": 64, "replicates": 1000, "seed": 0}
