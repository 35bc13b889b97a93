"""Matchers that learn from the campaign's own labels: train them, see how well, use them."""

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.pages import WRITE, member_page
from tasks.jobs.workflow.jobs import start_job
from tasks.models import UNFINISHED, Job, JobKind, Membership
from tasks.prefill.forms import TrainForm, UseMatcherForm
from tasks.prefill.queries.matchers import trained_matchers, when_trained
from tasks.prefill.workflow.matchers import use_matcher
from tasks.votes.all_votes import asks_at, asks_before_figures
from tasks.votes.labels import label_totals
from tasks.web.addresses import page_at
from tasks.web.page import see_other
from tomahto.matching.trainable import curve_plan, kinds_trainable_here

_SHOWN = 50


@page_at(
    "c/<slug:slug>/matchers/",
    name="matchers",
    calls=("api-matchers", "api-trained-matchers", "api-jobs"),
    tab="jobs",
    title=gettext_lazy("Trained matchers"),
    help="matchers.md#matchers-of-a-campaigns-own",
)
@member_page(RESULTS)
def matchers(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The trained matchers, the learning curves of the newest, and the examples to learn from."""
    campaign = membership.campaign
    found = list(trained_matchers(campaign)[:_SHOWN])
    # who asks for votes at this moment wants to train with them
    made_at = found[0].created_at if found and "votes" not in request.GET else None
    if asked := asks_before_figures(request, membership, made_at):
        return asked
    newest = {trained.kind: trained for trained in reversed(found)}
    context = {
        "membership": membership,
        "labels": label_totals(campaign),
        "newest": [newest[kind] for kind in sorted(newest)],
        "trained": found,
        "running": Job.objects.filter(campaign=campaign, kind=JobKind.TRAIN, state__in=UNFINISHED),
        # for its curve and itself
        "bem_trainings": curve_plan("bem").trainings if "bem" in kinds_trainable_here() else None,
        "form": TrainForm(),
    }
    return render(request, "prefill/matchers.html", context)


@page_at("c/<slug:slug>/matchers/train/", name="matcher-train", calls=("api-matcher-train",))
@member_page(ADMIN, WRITE)
def train(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = TrainForm(request.POST)
    if not form.is_valid():
        raise BadRequest(form.errors.as_text())
    if asked := asks_at("matchers", membership):
        return asked
    job = start_job(
        campaign=membership.campaign,
        kind=JobKind.TRAIN,
        parameters=form.cleaned_data,
        created_by=membership.user,
    )
    return see_other("job", membership.campaign.slug, job.pk)


@page_at("c/<slug:slug>/matchers/use/", name="matcher-use", calls=("api-matcher-use",))
@member_page(ADMIN, WRITE)
def use(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Make a trained matcher the campaign's own, and let it score what it has not scored."""
    form = UseMatcherForm(request.POST, campaign=membership.campaign)
    if not form.is_valid():
        raise BadRequest(form.errors.as_text())
    name = form.cleaned_data["name"]
    if asked := asks_at("matchers", membership, when_trained(membership.campaign, name)):
        return asked
    job = use_matcher(campaign=membership.campaign, name=name, by=membership)
    return see_other("job", membership.campaign.slug, job.pk)
