"""Single items and questions that a job could not deal with, while the rest went on."""

from collections.abc import Mapping
from typing import Literal

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from tasks.jobs.workflow.jobs import require_held
from tasks.models import MAX_REASON, AuditAction, Job, JobFailure, JobState, Membership
from tasks.storing.acts import record
from tasks.storing.refusals import as_reason

Subject = Literal["item", "question"]


def failed_subjects(job: Job, subject: Subject) -> QuerySet[JobFailure, int | None]:
    """The ids of what this job has failed at and is not to try again."""
    failed = JobFailure.objects.filter(job=job, is_due=False, **{f"{subject}__isnull": False})
    return failed.values_list(f"{subject}_id", flat=True)


def record_failures(*, job: Job, subject: Subject, reasons: Mapping[int, str]) -> None:
    """Keep why the job failed at these items or questions, by their ids. Raises LeaseLost.

    One that failed before has one more attempt.
    """
    if not reasons:
        return
    field = f"{subject}_id"
    with transaction.atomic():
        require_held(job=job)
        known = JobFailure.objects.filter(job=job, **{f"{field}__in": list(reasons)})
        attempts = dict(known.values_list(field, "attempts"))
        JobFailure.objects.bulk_create(
            (
                JobFailure(
                    job=job,
                    reason=as_reason(reason, MAX_REASON),
                    attempts=attempts.get(key, 0) + 1,
                    **{field: key},
                )
                for key, reason in reasons.items()
            ),
            update_conflicts=True,
            unique_fields=["job", subject],
            update_fields=["reason", "attempts", "is_due", "failed_at"],
        )


@transaction.atomic
def acknowledge(*, job: Job, by: Membership, failure: JobFailure | None = None) -> bool:
    """Leave a failed job as it is, and all it failed at, or one failure alone; false if there was
    nothing to leave, as what is to be tried again."""
    left = {"acknowledged_at": Now(), "acknowledged_by": by}
    failures = JobFailure.objects.filter(job=job, acknowledged_at=None, is_due=False)
    jobs = 0
    if failure is not None:
        failures = failures.filter(pk=failure.pk)
    else:
        failed = Job.objects.filter(pk=job.pk, state=JobState.FAILED, acknowledged_at=None)
        jobs = failed.update(**left)
    items = failures.update(**left)
    if items or jobs:
        record(
            AuditAction.FAILURES_LEFT,
            campaign=job.campaign,
            subject=("job", job.pk),
            details={"failures": items},
            by=by,
        )
    return bool(items or jobs)
