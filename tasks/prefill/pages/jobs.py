"""Work for the workers: start it, watch it, stop it; what failed, to try again or to leave."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.pages import BOTH, WRITE, is_htmx, member_page
from tasks.jobs.queries import (
    failed_jobs,
    failed_subjects_of,
    failures_of,
    jobs_of,
    open_failures,
    queue,
    workers,
)
from tasks.jobs.workflow.failures import acknowledge
from tasks.jobs.workflow.jobs import MAX_ATTEMPTS, cancel, restart, send_waiting_jobs, start_job
from tasks.models import Job, JobFailure, JobKind, JobState, Membership
from tasks.prefill.forms import AnswerForm, GenerateForm, SuggestForm, job_form, job_parameters
from tasks.prefill.queries.matchers import when_trained
from tasks.votes.all_votes import asks_at
from tasks.votes.item_votes import told_jobs
from tasks.web.addresses import Tab, page_at
from tasks.web.page import row_number, see_other

_SHOWN = 100
FAILURES_SHOWN = 50


@page_at(
    "c/<slug:slug>/jobs/",
    name="jobs",
    calls=("api-jobs", "api-queue"),
    tab=Tab(gettext_lazy("Jobs"), ADMIN, waiting=open_failures, what=gettext_lazy("failures")),
    help="operate.md#jobs-that-do-not-end",
)
@member_page(ADMIN, BOTH)
def jobs(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The newest jobs, who is there to do them, and a form for each kind to be started here."""
    if request.method == "POST":
        return _start(request, membership)
    campaign = membership.campaign
    context = {
        "membership": membership,
        "jobs": told_jobs(list(jobs_of(campaign)[:_SHOWN]), membership),
        "queue": queue(),
        "workers": workers(),
        "failed_jobs": failed_jobs(campaign).count(),
        "failed_subjects": failed_subjects_of(campaign).count(),
        "suggest": SuggestForm(campaign=campaign, auto_id="suggest-%s"),
        "answer": AnswerForm(auto_id="answer-%s"),
        "generate": GenerateForm(campaign=campaign, auto_id="generate-%s"),
    }
    return render(request, "prefill/jobs.html", context)


@page_at("c/<slug:slug>/jobs/<int:job_id>/", name="job", calls=("api-job", "api-job-failures"))
@member_page(RESULTS)
def job(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:
    """One job; htmx asks for its progress every second while it is unfinished.

    With `open` in the address it leads on to what it has made, once it is done.
    """
    template = "prefill/job_progress.html" if is_htmx(request) else "prefill/job.html"
    found = get_object_or_404(jobs_of(membership.campaign), pk=job_id)
    if "open" in request.GET and (made := _made_by(found)):
        return HttpResponseClientRedirect(made) if is_htmx(request) else redirect(made)
    told_jobs([found], membership)
    context = {
        "membership": membership,
        "job": found,
        "max_attempts": MAX_ATTEMPTS,
        "result": _result_parts(found.told_result or {}),
    }
    if found.is_finished:
        failures = Paginator(failures_of(found), FAILURES_SHOWN)
        context["page"] = failures.get_page(request.GET.get("page"))
    return render(request, template, context)


def _made_by(job: Job) -> str:
    """The address of the release or the copy of a campaign that a job has made, or ""."""
    if job.state != JobState.DONE or job.result is None:
        return ""
    if job.kind == JobKind.RELEASE:
        return reverse("release", args=[job.campaign.slug, job.result["version"]])
    return reverse("overview", args=[job.campaign.slug]) if job.kind == JobKind.COPY else ""


def _result_parts(result: Mapping[str, Any]) -> list[tuple[str, Any]]:
    # as pairs: a result may have a key "items", which a template would take for the method;
    # in order of their names: PostgreSQL does not keep the order of an object's keys
    parts = {
        name: "; ".join(f"{key}: {part}" for key, part in sorted(value.items()))
        for name, value in result.items()
        if isinstance(value, dict)
    }
    return sorted({**result, **parts}.items())


@page_at("c/<slug:slug>/jobs/<int:job_id>/cancel/", name="job-cancel", calls=("api-job-cancel",))
@member_page(ADMIN, WRITE, while_archived=True)
def stop(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:
    """Cancel a job that is not finished; what it has done stays."""
    if cancel(job=get_object_or_404(Job, campaign=membership.campaign, pk=job_id)):
        messages.success(request, _("The job has been cancelled. Finished work is kept."))
    else:
        messages.error(request, _("The job had already ended."))
    return redirect("job", membership.campaign.slug, job_id)


def _start(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    kind = request.POST.get("kind", "")
    form = job_form(kind, request.POST, membership.campaign)
    if form is None:
        raise BadRequest("no such kind of job")
    if not form.is_valid():
        raise BadRequest(form.errors.as_text())
    trained_at = when_trained(membership.campaign, form.cleaned_data.get("name", ""))
    if trained_at and (asked := asks_at("matchers", membership, trained_at)):
        return asked
    started = start_job(
        campaign=membership.campaign,
        kind=JobKind(kind),
        parameters=job_parameters(form.cleaned_data),
        created_by=membership.user,
    )
    return see_other("job", membership.campaign.slug, started.pk)


@page_at(
    "c/<slug:slug>/jobs/failed/",
    name="job-failures",
    calls=("api-failed-jobs", "api-failures"),
    title=gettext_lazy("Failed jobs"),
    help="operate.md#jobs-that-do-not-end",
)
@member_page(ADMIN)
def failures(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Every failed job and failing item of the campaign; with `?left=1` those that were left."""
    left, campaign = "left" in request.GET, membership.campaign
    subjects = Paginator(failed_subjects_of(campaign, acknowledged=left), FAILURES_SHOWN)
    context = {
        "membership": membership,
        "left": left,
        "jobs": told_jobs(list(failed_jobs(campaign, acknowledged=left)[:_SHOWN]), membership),
        "page": subjects.get_page(request.GET.get("page")),
    }
    return render(request, "prefill/failed_jobs.html", context)


@page_at("c/<slug:slug>/jobs/<int:job_id>/retry/", name="job-retry", calls=("api-job-retry",))
@member_page(ADMIN, WRITE)
def retry(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:
    """Queue a job again for what it failed at, or for one `failure` alone."""
    job, failure = _job_and_failure(request, membership, job_id)
    if restart(job=job, failure=failure):
        send_waiting_jobs()
    else:
        messages.error(request, _("Nothing to retry."))
    return redirect("job", membership.campaign.slug, job_id)


@page_at("c/<slug:slug>/jobs/<int:job_id>/leave/", name="job-leave", calls=("api-job-leave",))
@member_page(ADMIN, WRITE)
def leave(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:
    """Leave a failed job and all it failed at as it is, or one `failure` alone."""
    job, failure = _job_and_failure(request, membership, job_id)
    if acknowledge(job=job, failure=failure, by=membership):
        messages.success(request, _("The failure has been dismissed."))
    else:
        messages.error(request, _("Nothing to dismiss."))
    if "overview" in request.POST:
        return redirect("job-failures", membership.campaign.slug)
    return redirect("job", membership.campaign.slug, job_id)


def _job_and_failure(
    request: HttpRequest, membership: Membership, job_id: int
) -> tuple[Job, JobFailure | None]:
    job = get_object_or_404(Job, campaign=membership.campaign, pk=job_id)
    number = request.POST.get("failure", "")
    if not number:
        return job, None
    # what is no number is not the number of a failure
    return job, get_object_or_404(JobFailure, job=job, pk=row_number(number) or 0)
