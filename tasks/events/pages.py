"""Webhooks: an admin adds, changes and tries them, and sees what became of what was sent."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.events.forms import WebhookForm
from tasks.events.queries import deliveries_to, webhooks_of, with_waiting
from tasks.events.workflow import events as workflow
from tasks.events.workflow.sending import MAX_ATTEMPTS, deliver_soon
from tasks.models import Membership, Webhook
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms

PAGE_SIZE = 50


@page_at(
    "c/<slug:slug>/settings/webhooks/",
    name="webhooks",
    calls=("api-webhooks",),
    title=gettext_lazy("Webhooks"),
    help="webhooks.md",
)
@member_page(ADMIN, BOTH)
def webhooks(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All webhooks, and a form for a new one, whose secret is on the answer and nowhere else."""
    if request.method != "POST":
        return _list(request, membership, WebhookForm())
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _list(request, membership, form)
    made = workflow.add_webhook(campaign=membership.campaign, **form.cleaned_data)
    return _list(request, membership, WebhookForm(), made=made)


@page_at(
    "c/<slug:slug>/settings/webhooks/<int:webhook_id>/",
    name="webhook",
    calls=("api-webhook", "api-webhook-deliveries"),
)
@member_page(ADMIN, BOTH)
def webhook(request: HttpRequest, membership: Membership, webhook_id: int) -> HttpResponseBase:
    found = _webhook_or_404(membership, webhook_id)
    if request.method != "POST":
        return _detail(request, membership, found, WebhookForm.of(found))
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _detail(request, membership, found, form)
    given = form.cleaned_data
    workflow.change_webhook(
        webhook=found, url=given["url"], events=given["events"], secret=given["secret"] or None
    )
    messages.success(request, _("The webhook has been saved."))
    return _back_to(found)


@page_at(
    "c/<slug:slug>/settings/webhooks/<int:webhook_id>/trial/",
    name="webhook-trial",
    calls=("api-webhook-trial",),
)
@member_page(ADMIN, WRITE)
def trial(request: HttpRequest, membership: Membership, webhook_id: int) -> HttpResponseBase:
    found = _webhook_or_404(membership, webhook_id)
    workflow.try_webhook(webhook=found)
    deliver_soon()
    messages.success(request, _("A test message is on its way. The result appears below."))
    return _back_to(found)


@page_at(
    "c/<slug:slug>/settings/webhooks/<int:webhook_id>/switch/",
    name="webhook-switch",
    calls=("api-webhook",),
)
@member_page(ADMIN, WRITE)
def switch(request: HttpRequest, membership: Membership, webhook_id: int) -> HttpResponseBase:
    found = _webhook_or_404(membership, webhook_id)
    if request.POST.get("to") == "on":
        workflow.switch_on(webhook=found)
        messages.success(request, _("The webhook is on. Undelivered messages are sent again."))
    else:
        workflow.switch_off(webhook=found)
        messages.success(request, _("The webhook is off."))
    return _back_to(found)


@page_at(
    "c/<slug:slug>/settings/webhooks/<int:webhook_id>/delete/",
    name="webhook-delete",
    calls=("api-webhook",),
)
@member_page(ADMIN, WRITE)
def delete(request: HttpRequest, membership: Membership, webhook_id: int) -> HttpResponseBase:
    workflow.delete_webhook(webhook=_webhook_or_404(membership, webhook_id))
    messages.success(request, _("The webhook has been deleted."))
    return redirect("webhooks", membership.campaign.slug)


@page_at(
    "c/<slug:slug>/settings/webhooks/<int:webhook_id>/deliveries/<int:delivery_id>/retry/",
    name="webhook-retry",
    calls=("api-webhook",),
)
@member_page(ADMIN, WRITE)
def retry(
    request: HttpRequest, membership: Membership, webhook_id: int, delivery_id: int
) -> HttpResponseBase:
    found = _webhook_or_404(membership, webhook_id)
    delivery = get_object_or_404(deliveries_to(found), pk=delivery_id)
    if workflow.retry_delivery(delivery=delivery):
        deliver_soon()
        messages.success(request, _("The message is being sent again."))
    else:
        messages.error(request, _("The message had already been sent."))
    return _back_to(found)


def _webhook_or_404(membership: Membership, webhook_id: int) -> Webhook:
    found: Webhook = get_object_or_404(
        webhooks_of(membership.campaign).select_related("campaign"), pk=webhook_id
    )
    return found


def _back_to(webhook: Webhook) -> HttpResponseBase:
    return redirect("webhook", webhook.campaign.slug, webhook.pk)


def _list(
    request: HttpRequest, membership: Membership, form: WebhookForm, made: Webhook | None = None
) -> HttpResponseBase:
    found = with_waiting(webhooks_of(membership.campaign))
    context = {"membership": membership, "webhooks": found, "form": form, "made": made}
    return page_with_forms(request, "events/list.html", context)


def _detail(
    request: HttpRequest, membership: Membership, webhook: Webhook, form: WebhookForm
) -> HttpResponseBase:
    pages = Paginator(deliveries_to(webhook), PAGE_SIZE)
    context: dict[str, Any] = {
        "membership": membership,
        "webhook": webhook,
        "form": form,
        "page": pages.get_page(request.GET.get("page")),
        "max_attempts": MAX_ATTEMPTS,
    }
    return page_with_forms(request, "events/detail.html", context)
