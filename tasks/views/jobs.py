"""Work for the workers: start it, watch it, start it again."""

from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.forms import AnswerForm, SuggestForm
from tasks.jobs import send_waiting_jobs, start_job
from tasks.models import Job, JobKind, Membership
from tasks.views.access import ADMIN, RESULTS, is_htmx, member_page
from tasks.workflow.jobs import restart

_FORMS = {JobKind.SUGGEST: SuggestForm, JobKind.ANSWER: AnswerForm}
_SHOWN = 100


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@member_page(*ADMIN)
def jobs(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The newest jobs, and a form for each kind that can be started here."""
    if request.method == "POST":
        return _start(request, membership)
    context = {
        "membership": membership,
        "jobs": Job.objects.filter(campaign=membership.campaign)[:_SHOWN],
        "suggest": SuggestForm(auto_id="suggest-%s"),
        "answer": AnswerForm(auto_id="answer-%s"),
    }
    return render(request, "jobs/list.html", context)


@require_safe
@never_cache
@member_page(*RESULTS)
def job(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:
    """One job; htmx asks for its progress every second while it is unfinished."""
    template = "jobs/progress.html" if is_htmx(request) else "jobs/detail.html"
    found = _job(membership, job_id)
    # as pairs: a result may have a key "items", which a template would take for the method;
    # in order of their names: PostgreSQL does not keep the order of an object's keys
    result = sorted((found.result or {}).items())
    context = {"membership": membership, "job": found, "result": result}
    return render(request, template, context)


@require_POST
@member_page(*ADMIN)
def retry(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:  # noqa: ARG001
    """Queue a failed job again. For any other there is nothing to do."""
    if restart(job=_job(membership, job_id)):
        send_waiting_jobs()
    return redirect("job", membership.campaign.slug, job_id)


def _start(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    kind = request.POST.get("kind", "")
    if kind not in _FORMS:
        raise BadRequest("no such kind of job")
    form = _FORMS[JobKind(kind)](request.POST)
    if not form.is_valid():
        raise BadRequest(form.errors.as_text())
    started = start_job(
        campaign=membership.campaign,
        kind=JobKind(kind),
        parameters={"name": form.cleaned_data["name"]},
        created_by=membership.user,
    )
    response = redirect("job", membership.campaign.slug, started.pk)
    response.status_code = HTTPStatus.SEE_OTHER
    return response


def _job(membership: Membership, job_id: int) -> Job:
    try:
        return Job.objects.get(campaign=membership.campaign, pk=job_id)
    except Job.DoesNotExist:
        raise Http404 from None
