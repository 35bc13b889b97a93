"""Failures of jobs: see them, try again, or dismiss them."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN, RESULTS
from tasks.jobs.queries.jobs import failed_jobs, failed_subjects_of, failures_of, jobs_of
from tasks.jobs.workflow.failures import acknowledge_failure, acknowledge_job
from tasks.jobs.workflow.jobs import restart
from tasks.jobs.workflow.starting import send_waiting_jobs
from tasks.models import Job, JobFailure, Membership
from tasks.prefill.api.jobs import JobSerializer, found_job, job_body, page_of_jobs
from tasks.web.api_errors import Conflict
from tasks.web.bodies import Body, IdField, read_body
from tasks.web.lists import ListParameters, asked_of, one_of, page_of


class FailureParameters(ListParameters):
    left = serializers.BooleanField(
        required=False, default=False, help_text="Dismissed failures only."
    )


class FailureSerializer(serializers.Serializer[Any]):
    """An item or a question that a job could not deal with; the other of the two is null."""

    id = serializers.IntegerField()
    job = serializers.IntegerField(source="job_id")
    item = serializers.CharField(source="item.key", allow_null=True, help_text="The item's id.")
    question = serializers.CharField(
        source="question.key", allow_null=True, help_text="The question's id."
    )
    reason = serializers.CharField()
    attempts = serializers.IntegerField()
    is_due = serializers.BooleanField(help_text="True if another try is due.")
    failed_at = serializers.DateTimeField()
    acknowledged_at = serializers.DateTimeField(allow_null=True)


class Chosen(Body):
    """Without a `failure` all that the job failed at is meant."""

    failure = IdField(required=False, allow_null=True, default=None)


@call_at("v1/campaigns/<slug:slug>/jobs/failed", name="api-failed-jobs")
@get("failed_jobs", ADMIN, rows=JobSerializer, asks=FailureParameters)
def jobs(request: Request, member: Membership) -> Response:
    """Failed jobs, unless the same job was restarted since. For admins."""
    campaign = member.campaign
    left = asked_of(request, FailureParameters)["left"]
    failed = failed_jobs(campaign, acknowledged=left).order_by()
    return page_of_jobs(request, member, jobs_of(campaign).filter(pk__in=failed.values("pk")))


@call_at("v1/campaigns/<slug:slug>/jobs/failures", name="api-failures")
@get("failures", ADMIN, rows=FailureSerializer, asks=FailureParameters)
def failures(request: Request, member: Membership) -> Response:
    """Items and questions that jobs of the campaign failed at. For admins."""
    left = asked_of(request, FailureParameters)["left"]
    return page_of(
        request, failed_subjects_of(member.campaign, acknowledged=left), FailureSerializer
    )


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>/failures", name="api-job-failures")
@get("job_failures", RESULTS, rows=FailureSerializer)
def of_job(request: Request, member: Membership, job_id: int) -> Response:
    """Failures of a job, in order, dismissed ones included. For researchers and admins."""
    found = failures_of(found_job(member.campaign, job_id)).select_related("job")
    return page_of(request, found, FailureSerializer, order=("id",))


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>/retry", name="api-job-retry")
@post("retry_job", ADMIN, takes=Chosen, gives=JobSerializer, refuses=(409,))
def retry(request: Request, member: Membership, job_id: int) -> Response:
    """Queue a job again for what it failed at, or for one `failure` alone. For admins.

    409 if there is nothing to try again, or the same job is unfinished under another number.
    """
    campaign = member.campaign
    job = found_job(campaign, job_id)
    if not restart(job=job, failure=_chosen(request, job)):
        raise Conflict("nothing to try again")
    send_waiting_jobs()
    return Response(job_body(member, job_id))


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>/leave", name="api-job-leave")
@post("leave_job", ADMIN, takes=Chosen, gives=JobSerializer, refuses=(409,))
def leave(request: Request, member: Membership, job_id: int) -> Response:
    """Leave a failed job and all it failed at as it is, or one `failure` alone. For admins.

    409 if there is nothing to leave.
    """
    job = found_job(member.campaign, job_id)
    failure = _chosen(request, job)
    if failure is None:
        is_left = acknowledge_job(job=job, by=member)
    else:
        is_left = acknowledge_failure(failure=failure, by=member)
    if not is_left:
        raise Conflict("there was nothing to leave")
    return Response(job_body(member, job_id))


def _chosen(request: Request, job: Job) -> JobFailure | None:
    number = read_body(request, Chosen)["failure"]
    if number is None:
        return None
    return one_of(JobFailure.objects.filter(job=job, pk=number), "the job has no such failure")
