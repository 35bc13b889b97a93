"""The jobs of the lab and of leaderboards."""

from functools import partial
from typing import Any

from tasks.evaluations.workflow.evaluation import EvaluationRefused, run_evaluation
from tasks.evaluations.workflow.leaderboard import bring_up_to_date
from tasks.jobs.registry import does
from tasks.jobs.workflow.jobs import report_rows
from tasks.models import Job, JobKind
from tomahto.lab.leaderboard import SAME_AS_METRICS
from tomahto.matching.registry import CANNOT_BE_USED, load_matcher, suggesting_matchers
from tomahto.releases.records.fields import ReleaseError


@does(JobKind.EVALUATE, final=(EvaluationRefused, ReleaseError, *CANNOT_BE_USED))
def evaluation(job: Job) -> dict[str, Any]:
    made = run_evaluation(job=job)
    return {"evaluation": made.pk, "digest": made.digest}


@does(JobKind.SUBMISSION, final=(ReleaseError, *CANNOT_BE_USED))
def submission(job: Job) -> dict[str, Any]:
    names = [name for name in suggesting_matchers() if name not in SAME_AS_METRICS]
    matchers = [load_matcher(name) for name in names]
    return bring_up_to_date(job=job, matchers=matchers, report=partial(report_rows, job))
