"""Work for the workers: start it, watch it, stop it."""

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN, RESULTS
from tasks.jobs.queries.jobs import jobs_of, queue, workers
from tasks.jobs.workflow.jobs import cancel
from tasks.jobs.workflow.starting import start_job
from tasks.models import Campaign, GeneratedKind, Job, JobKind, JobState, Membership
from tasks.prefill.forms import job_form, job_parameters
from tasks.prefill.queries.trained_matchers import when_trained
from tasks.prefill.workflow.generation import MAX_GENERATED
from tasks.votes.all_votes_asked import AllVotesParameters, require_asked_to_make
from tasks.votes.told_jobs import told_jobs
from tasks.web.api_errors import Conflict
from tasks.web.bodies import Body, NoBody, read_body
from tasks.web.form_errors import require_valid
from tasks.web.lists import ListParameters, Parameters, asked_of, one_of, page_made_at_once


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
            "id",
            "kind",
            "parameters",
            "state",
            "done",
            "total",
            "attempts",
            "error",
            "result",
            "failed_count",
            "created_at",
            "finished_at",
            "acknowledged_at",
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
def cancellation(request: Request, member: Membership, job_id: int) -> Response:
    """Cancel a job, 409 for one that has ended. Finished work is kept. For admins."""
    campaign = member.campaign
    read_body(request, NoBody)
    if not cancel(job=found_job(campaign, job_id)):
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
