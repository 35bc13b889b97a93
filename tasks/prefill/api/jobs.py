"""Work for the workers: start it, watch it, stop it; see what failed, try again, or dismiss it."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.jobs.queries import failed_jobs, failed_subjects_of, failures_of, jobs_of, queue, workers
from tasks.jobs.workflow.failures import acknowledge
from tasks.jobs.workflow.jobs import cancel, restart, send_waiting_jobs, start_job
from tasks.models import Campaign, GeneratedKind, Job, JobFailure, JobKind, JobState, Membership
from tasks.prefill.forms import job_form, job_parameters
from tasks.prefill.queries.matchers import when_trained
from tasks.prefill.workflow.generation import MAX_GENERATED
from tasks.votes.all_votes import AllVotesParameters, require_asked_to_make
from tasks.votes.item_votes import told_jobs
from tasks.web.api_errors import Conflict
from tasks.web.calls import (
    Body,
    IdField,
    ListParameters,
    NoBody,
    Parameters,
    asked_of,
    one_of,
    page_made_at_once,
    page_of,
    read_body,
    require_valid,
)


class JobParameters(ListParameters):
    state = serializers.ChoiceField(required=False, choices=JobState.choices)
    kind = serializers.ChoiceField(required=False, choices=JobKind.choices)


class JobSerializer(serializers.ModelSerializer[Job]):
    """A job. `failed_count` are the single items it could not deal with and nobody has settled."""

    parameters = serializers.DictField()
    result = serializers.DictField(
        source="told_result", allow_null=True, help_text="Without results that reveal votes."
    )
    failed_count = serializers.IntegerField()

    class Meta:
        model = Job
        fields = [
            *("id", "kind", "parameters", "state", "done", "total", "attempts", "error", "result"),
            *("failed_count", "created_at", "finished_at", "acknowledged_at"),
        ]


class NewJob(Body):
    """A job that is started by itself: suggestions of a matcher, candidates of an answerer, or
    texts that an endpoint generates."""

    kind = serializers.ChoiceField(choices=[JobKind.SUGGEST, JobKind.ANSWER, JobKind.GENERATE])
    name = serializers.CharField(
        max_length=255, help_text="Name of the matcher, answerer or endpoint."
    )
    texts = serializers.ChoiceField(
        required=False,
        choices=GeneratedKind.choices,
        help_text="Kind of texts for the endpoint to write.",
    )
    number = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_GENERATED,
        help_text="Number of statements in total; otherwise per class or rule.",
    )


class WorkerSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    is_silent = serializers.BooleanField(help_text="True if silent for longer than a live worker.")
    silent_seconds = serializers.FloatField()


class QueueSerializer(serializers.Serializer[Any]):
    """All unfinished jobs of the site, and its workers."""

    waiting = serializers.IntegerField()
    delayed = serializers.IntegerField(help_text="Jobs waiting for their next try.")
    running = serializers.IntegerField()
    oldest_wait_seconds = serializers.FloatField(allow_null=True)
    workers = WorkerSerializer(many=True)


@call_at("v1/campaigns/<slug:slug>/jobs", name="api-jobs")
@get("jobs", ADMIN, rows=JobSerializer, asks=JobParameters)
@post(
    "start_job",
    ADMIN,
    asks=AllVotesParameters,
    takes=NewJob,
    gives={201: JobSerializer},
    refuses=(409,),
)
def jobs(request: Request, member: Membership) -> Response:
    """The campaign's jobs, newest first; or start one. For admins.

    The same job is not started twice: one that is queued or running already is answered with. 409
    asks who rates in the campaign whether they want to see what a matcher says that learned from
    all votes.
    """
    if request.method == "POST":
        return _start(request, member)
    asked = asked_of(request, JobParameters)
    wanted = {name: asked[name] for name in ("state", "kind") if name in asked}
    return page_of_jobs(request, member, jobs_of(member.campaign).filter(**wanted))


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>", name="api-job")
@get("job", RESULTS, gives=JobSerializer)
def job(_request: Request, member: Membership, job_id: int) -> Response:
    """One job. For researchers and admins."""
    return Response(job_body(member, job_id))


@call_at("v1/campaigns/<slug:slug>/jobs/<int:job_id>/cancel", name="api-job-cancel")
@post("cancel_job", ADMIN, takes=NoBody, gives=JobSerializer, refuses=(409,), while_archived=True)
def cancellation(_request: Request, member: Membership, job_id: int) -> Response:
    """Cancel a job, 409 for one that has ended. Finished work is kept. For admins."""
    if not cancel(job=found_job(member.campaign, job_id)):
        raise Conflict("the job had ended before")
    return Response(job_body(member, job_id))


@call_at("v1/campaigns/<slug:slug>/jobs/queue", name="api-queue")
@get("queue", ADMIN, gives=QueueSerializer, refuses=(400,))
def queue_now(request: Request, _member: Membership) -> Response:
    """How much waits for how many workers, on the whole site. For admins."""
    asked_of(request, Parameters)
    found = queue()
    return Response(
        {
            "waiting": found.waiting,
            "delayed": found.delayed,
            "running": found.running,
            "oldest_wait_seconds": found.oldest_wait and found.oldest_wait.total_seconds(),
            "workers": [
                {
                    "name": worker.name,
                    "is_silent": worker.is_silent,  # type: ignore[attr-defined]  # annotated
                    "silent_seconds": worker.silent_for.total_seconds(),  # type: ignore[attr-defined]  # annotated
                }
                for worker in workers()
            ],
        }
    )


def page_of_jobs(request: Request, member: Membership, jobs: QuerySet[Job]) -> Response:
    def bodies(found: list[Job]) -> Any:
        return JobSerializer(told_jobs(found, member), many=True).data

    return page_made_at_once(request, jobs, bodies)


def job_body(member: Membership, job_id: int) -> Any:
    """As JobSerializer describes it. Raises NotFound."""
    (job,) = told_jobs([found_job(member.campaign, job_id)], member)
    return JobSerializer(job).data


def found_job(campaign: Campaign, job_id: int) -> Job:
    """Raises NotFound."""
    return one_of(jobs_of(campaign).filter(pk=job_id), "there is no such job")


def _start(request: Request, member: Membership) -> Response:
    given = read_body(request, NewJob)
    kind = JobKind(given.pop("kind"))
    form = job_form(kind, given, member.campaign)
    if form is None:
        raise serializers.ValidationError({"kind": "is not startable"})
    require_valid(form)
    if trained_at := when_trained(member.campaign, given["name"]):
        require_asked_to_make(request, member, trained_at)
    started = start_job(
        campaign=member.campaign,
        kind=kind,
        parameters=job_parameters(form.cleaned_data),
        created_by=member.user,
    )
    return Response(job_body(member, started.pk), status=201)


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
def failing_jobs(request: Request, member: Membership) -> Response:
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
    job = found_job(member.campaign, job_id)
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
    if not acknowledge(job=job, failure=_chosen(request, job), by=member):
        raise Conflict("there was nothing to leave")
    return Response(job_body(member, job_id))


def _chosen(request: Request, job: Job) -> JobFailure | None:
    number = read_body(request, Chosen)["failure"]
    if number is None:
        return None
    return one_of(JobFailure.objects.filter(job=job, pk=number), "the job has no such failure")
