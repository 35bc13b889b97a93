"""What jobs failed at: look at it, try it again, or leave it."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.jobs.queries.jobs import failed_jobs, failed_subjects_of
from tasks.jobs.workflow.failures import acknowledge_failure, acknowledge_job
from tasks.jobs.workflow.jobs import restart
from tasks.jobs.workflow.starting import send_waiting_jobs
from tasks.models import Job, JobFailure, Membership
from tasks.prefill.pages.jobs import FAILURES_SHOWN
from tasks.votes.told_jobs import told_jobs
from tasks.web.addresses import page_at
from tasks.web.digits import row_number

_JOBS_SHOWN = 100


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
        "jobs": told_jobs(list(failed_jobs(campaign, acknowledged=left)[:_JOBS_SHOWN]), membership),
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
    if failure is None:
        is_left = acknowledge_job(job=job, by=membership)
    else:
        is_left = acknowledge_failure(failure=failure, by=membership)
    if is_left:
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
