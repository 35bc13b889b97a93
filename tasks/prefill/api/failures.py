"""What jobs failed at: look at it, try it again, or leave it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_of
from tasks.jobs.queries.jobs import failed_jobs, failed_subjects_of, failures_of, jobs_of
from tasks.jobs.workflow.failures import acknowledge_failure, acknowledge_job
from tasks.jobs.workflow.jobs import restart
from tasks.jobs.workflow.starting import send_waiting_jobs
from tasks.models import Job, JobFailure, Role
from tasks.prefill.api.jobs import JobSerializer, found_job, job_body
from tasks.web.addresses import call_at
from tasks.web.api_errors import Conflict, ErrorSerializer
from tasks.web.bodies import Body, IdField, read_body
from tasks.web.lists import ListParameters, asked_of, page_of, page_serializer

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}


class FailureParameters(ListParameters):
    left = serializers.BooleanField(
        required=False, default=False, help_text="Those that were left as they are."
    )


class FailureSerializer(serializers.Serializer[Any]):
    """An item or a question that a job could not deal with; the other of the two is null."""

    id = serializers.IntegerField()
    job = serializers.IntegerField()
    item = serializers.CharField(allow_null=True, help_text="The item's id.")
    question = serializers.CharField(allow_null=True, help_text="The question's id.")
    reason = serializers.CharField()
    attempts = serializers.IntegerField()
    is_due = serializers.BooleanField(help_text="It is to be tried once more.")
    failed_at = serializers.DateTimeField()
    acknowledged_at = serializers.DateTimeField(allow_null=True)


class Chosen(Body):
    """Without a `failure` all that the job failed at is meant."""

    failure = IdField(required=False, allow_null=True, default=None)


@call_at("v1/campaigns/<slug:slug>/jobs/failed", name="api-failed-jobs")
@extend_schema(
    operation_id="failed_jobs",
    parameters=[FailureParameters],
    responses={200: page_serializer(JobSerializer), 400: ErrorSerializer, **_REFUSALS},
)
@api_view(["GET"])
def jobs(request: Request, slug: str) -> Response:
    """Jobs that have failed, unless the same was started anew since. For admins."""
    campaign = member_of(request, slug, Role.ADMIN).campaign
    left = asked_of(request, FailureParameters)["left"]
    failed = failed_jobs(campaign, acknowledged=left).order_by()
    return page_of(request, jobs_of(campaign).filter(pk__in=failed.values("pk")), job_body)


@call_at("v1/campaigns/<slug:slug>/jobs/failures", name="api-failures")
@extend_schema(
    operation_id="failures",
    parameters=[FailureParameters],
    responses={200: page_serializer(FailureSerializer), 400: ErrorSerializer, **_REFUSALS},
)
@api_view(["GET"])
def failures(request: Request, slug: str) -> Response:
    """Items and questions that jobs of the campaign failed at. For admins."""
    campaign = member_of(request, slug, Role.ADMIN).campaign
    left = asked_of(request, FailureParameters)["left"]
    return page_of(request, failed_subjects_of(campaign, acknowledged=left), _failure)


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>/failures", name="api-job-failures")
@extend_schema(
    operation_id="job_failures",
    parameters=[ListParameters],
    responses={200: page_serializer(FailureSerializer), 400: ErrorSerializer, **_REFUSALS},
)
@api_view(["GET"])
def of_job(request: Request, slug: str, job_id: int) -> Response:
    """What a job failed at, in order; what was left as well. For researchers and admins."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    asked_of(request, ListParameters)
    found = failures_of(found_job(campaign, job_id)).select_related("job")
    return page_of(request, found, _failure, order=("id",))


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>/retry", name="api-job-retry")
@extend_schema(
    operation_id="retry_job",
    request=Chosen,
    responses={200: JobSerializer, 400: ErrorSerializer, **_REFUSALS, 409: ErrorSerializer},
)
@api_view(["POST"])
def retry(request: Request, slug: str, job_id: int) -> Response:
    """Queue a job again for what it failed at, or for one `failure` alone. For admins.

    409 if there is nothing to try again, or the same job is unfinished under another number.
    """
    campaign = member_of(request, slug, Role.ADMIN).campaign
    job = found_job(campaign, job_id)
    if not restart(job=job, failure=_chosen(request, job)):
        raise Conflict("there is nothing to try again")
    send_waiting_jobs()
    return Response(job_body(found_job(campaign, job_id)))


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>/leave", name="api-job-leave")
@extend_schema(
    operation_id="leave_job",
    request=Chosen,
    responses={200: JobSerializer, 400: ErrorSerializer, **_REFUSALS, 409: ErrorSerializer},
)
@api_view(["POST"])
def leave(request: Request, slug: str, job_id: int) -> Response:
    """Leave a failed job and all it failed at as it is, or one `failure` alone. For admins.

    409 if there is nothing to leave.
    """
    member = member_of(request, slug, Role.ADMIN)
    job = found_job(member.campaign, job_id)
    failure = _chosen(request, job)
    if failure is None:
        is_left = acknowledge_job(job=job, by=member)
    else:
        is_left = acknowledge_failure(failure=failure, by=member)
    if not is_left:
        raise Conflict("there was nothing to leave")
    return Response(job_body(found_job(member.campaign, job_id)))


def _chosen(request: Request, job: Job) -> JobFailure | None:
    number = read_body(request, Chosen)["failure"]
    if number is None:
        return None
    failure = JobFailure.objects.filter(job=job, pk=number).first()
    if failure is None:
        raise NotFound("the job has no such failure")
    return failure


def _failure(failure: JobFailure) -> dict[str, Any]:
    """As FailureSerializer describes it."""
    return {
        "id": failure.pk,
        "job": failure.job_id,
        "item": failure.item.key if failure.item else None,
        "question": failure.question.key if failure.question else None,
        "reason": failure.reason,
        "attempts": failure.attempts,
        "is_due": failure.is_due,
        "failed_at": failure.failed_at,
        "acknowledged_at": failure.acknowledged_at,
    }
