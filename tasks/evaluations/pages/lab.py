"""The lab: evaluations of metrics and systems, and the start of a new one."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import BOTH, is_htmx, member_page
from tasks.evaluations.forms import EvaluationForm
from tasks.evaluations.workflow.evaluation import start_evaluation
from tasks.jobs.queries import failed_jobs
from tasks.models import UNFINISHED, Campaign, Evaluation, Job, JobKind, Membership
from tasks.votes.all_votes import asks_at, asks_before_figures
from tasks.votes.item_votes import told_jobs
from tasks.votes.ratings import counted_ratings
from tasks.web.addresses import Tab, page_at
from tasks.web.page import page_with_forms, see_other

SHOWN = 100


@page_at(
    "c/<slug:slug>/lab/",
    name="lab",
    calls=("api-evaluations",),
    tab=Tab(gettext_lazy("Lab"), RESULTS),
    help="lab-pages.md",
)
@member_page(RESULTS, BOTH)
def evaluations(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Evaluations, newest first, those under way, and a form to start one.

    htmx asks for the list alone while something is running.
    """
    if asked := asks_before_figures(request, membership):
        return asked
    campaign = membership.campaign
    if request.method != "POST" and is_htmx(request):
        return render(request, "evaluations/list.html", _listed(membership))
    form = EvaluationForm(request.POST if request.method == "POST" else None, campaign=campaign)
    if not form.is_valid():
        return _page(request, membership, form)
    if asked := asks_at("lab", membership):
        return asked
    job = start_evaluation(plan=form.plan(), by=membership)
    return see_other("evaluation-progress", membership.campaign.slug, job.pk)


def _page(request: HttpRequest, membership: Membership, form: EvaluationForm) -> HttpResponseBase:
    obstacle = _obstacle(membership.campaign, form)
    context = _listed(membership) | {"form": form, "obstacle": obstacle}
    return page_with_forms(request, "evaluations/lab.html", context)


def _listed(membership: Membership) -> dict[str, Any]:
    """The columns of the list; reports themselves are long, and stay where they are."""
    campaign = membership.campaign
    found = Evaluation.objects.filter(campaign=campaign).select_related("release__withdrawal")
    jobs = Job.objects.filter(campaign=campaign, kind=JobKind.EVALUATE)
    return {
        "membership": membership,
        "evaluations": found.defer("report", "release__documents")[:SHOWN],
        "running": jobs.filter(state__in=UNFINISHED),
        "failed": told_jobs(list(failed_jobs(campaign).filter(kind=JobKind.EVALUATE)), membership),
    }


def _obstacle(campaign: Campaign, form: EvaluationForm) -> str:
    """Why nothing can be evaluated: the protocol knows no right answers, or nobody has rated."""
    if not campaign.annotation_protocol.accepted_labels:
        return "protocol"
    has_data = len(form.splits) > 1 or counted_ratings(campaign).exists()
    return "" if has_data else "ratings"
