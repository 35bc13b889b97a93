"""Alerts: the open ones, what became of the others, the rules, and where they are told."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.pages import WRITE, member_page
from tasks.agreement.findings import alerts_of, are_alerts_withheld, open_alerts, rules_of
from tasks.agreement.forms import AcknowledgementForm, ChannelsForm, RulesForm
from tasks.agreement.pages.dashboards import ROW
from tasks.agreement.workflow.alerts import (
    acknowledge,
    latest_look,
    next_look_at,
    raise_trial,
    send_alerts_soon,
    set_channels,
    set_rules,
)
from tasks.events.workflow.sending import MAX_ATTEMPTS
from tasks.models import Alert, AlertChannels, Membership
from tasks.votes.all_votes import asks_before_figures
from tasks.web.addresses import Tab, page_at
from tasks.web.page import page_with_forms

PAGE_SIZE = 50


@page_at(
    "c/<slug:slug>/agreement/alerts/",
    name="alerts",
    calls=("api-alerts", "api-looks"),
    tab=Tab(
        gettext_lazy("Alerts"),
        RESULTS,
        ROW,
        waiting=open_alerts,
        what=pgettext_lazy("alerts", "open"),
    ),
    help="dashboards.md#alerts",
)
@member_page(RESULTS)
def alerts(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Every alert of the campaign, open ones first; for admins the rules and the channels too."""
    look = latest_look(membership.campaign)
    if look and (asked := asks_before_figures(request, membership, look.made_at)):
        return asked
    return _page(request, membership)


@page_at(
    "c/<slug:slug>/agreement/alerts/<int:alert_id>/",
    name="alert-acknowledge",
    calls=("api-alert-acknowledge",),
)
@member_page(RESULTS, WRITE)
def settle(request: HttpRequest, membership: Membership, alert_id: int) -> HttpResponseBase:
    """Acknowledge one alert, with a note if there is something to say."""
    if are_alerts_withheld(membership):
        return redirect("alerts", membership.campaign.slug)  # which asks first
    alert = get_object_or_404(Alert, pk=alert_id, campaign=membership.campaign)
    form = AcknowledgementForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("The note is too long."))
    elif acknowledge(alert=alert, by=membership, note=form.cleaned_data["note"]):
        messages.success(request, _("The alert has been acknowledged."))
    else:
        messages.error(request, _("The alert had already been acknowledged."))
    return redirect("alerts", membership.campaign.slug)


@page_at("c/<slug:slug>/agreement/alerts/rules/", name="alert-rules", calls=("api-alert-rules",))
@member_page(ADMIN, WRITE)
def rules(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = RulesForm(request.POST, rules=rules_of(membership.campaign))
    if not form.is_valid():
        return _page(request, membership, rules_form=form)
    set_rules(campaign=membership.campaign, rules=form.rules())
    messages.success(request, _("The rules have been saved."))
    return redirect("alerts", membership.campaign.slug)


@page_at(
    "c/<slug:slug>/agreement/alerts/channels/", name="alert-channels", calls=("api-alert-channels",)
)
@member_page(ADMIN, WRITE)
def channels(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Save where alerts go. The secret of a new webhook is shown once, in the answer."""
    form = ChannelsForm(request.POST, auto_id="channel-%s")
    if not form.is_valid():
        return _page(request, membership, channels_form=form)
    secret = set_channels(campaign=membership.campaign, **form.cleaned_data)
    if secret:
        return _page(request, membership, secret=secret)
    messages.success(request, _("The channels have been saved."))
    return redirect("alerts", membership.campaign.slug)


@page_at("c/<slug:slug>/agreement/alerts/trial/", name="alert-trial", calls=("api-alert-trial",))
@member_page(ADMIN, WRITE)
def trial(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    if raise_trial(campaign=membership.campaign, by=membership).deliveries.exists():
        send_alerts_soon()
        messages.success(request, _("A test message is on its way. The result appears below."))
    else:
        messages.error(request, _("No alert channel is set up, so nothing was sent."))
    return redirect("alerts", membership.campaign.slug)


def _page(request: HttpRequest, membership: Membership, **changed: Any) -> HttpResponseBase:
    campaign = membership.campaign
    own = AlertChannels.objects.filter(campaign=campaign).first() or AlertChannels()
    is_withheld = are_alerts_withheld(membership)
    look = None if is_withheld else latest_look(campaign)
    listed = Alert.objects.none() if is_withheld else alerts_of(campaign)
    context = {
        "membership": membership,
        "is_withheld": is_withheld,
        "page": Paginator(listed, PAGE_SIZE).get_page(request.GET.get("page")),
        "look": look,
        "next_look": next_look_at(look),
        "max_attempts": MAX_ATTEMPTS,
        "rules_form": RulesForm(rules=rules_of(campaign)),
        "channels_form": ChannelsForm.of(own),
        **changed,
    }
    return page_with_forms(request, "agreement/alerts.html", context)
