"""The audit log of a campaign: who did what, the latest first."""

from urllib.parse import urlencode

from django import forms
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import member_page
from tasks.audit.queries import entries_of
from tasks.models import AuditAction, Membership
from tasks.web.addresses import page_at

PAGE_SIZE = 50
_LARGEST = 2**63 - 1


class AuditForm(forms.Form):
    action = forms.ChoiceField(
        label=_("Action"), required=False, choices=[("", _("Everything")), *AuditAction.choices]
    )
    actor = forms.CharField(label=_("Person (name at the time)"), required=False, max_length=255)
    before = forms.IntegerField(
        required=False, min_value=1, max_value=_LARGEST, widget=forms.HiddenInput
    )


@page_at(
    "c/<slug:slug>/settings/audit/",
    name="audit",
    calls=("api-audit",),
    title=_("Audit log"),
    help="audit.md",
)
@member_page(ADMIN)
def audit(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """50 entries before a place in the log, which stays where it is while others are added."""
    form = AuditForm(request.GET)
    asked = form.cleaned_data if form.is_valid() else {}
    entries = entries_of(
        membership.campaign, action=asked.get("action", ""), actor=asked.get("actor", "")
    )
    if before := asked.get("before"):
        entries = entries.filter(sequence__lt=before)
    found = list(entries[: PAGE_SIZE + 1])
    shown = found[:PAGE_SIZE]
    filters = {name: asked[name] for name in ("action", "actor") if asked.get(name)}
    older = {**filters, "before": shown[-1].sequence} if len(found) > PAGE_SIZE else None
    context = {
        "membership": membership,
        "form": form,
        "entries": shown,
        "older": older and urlencode(older),
        "newest": urlencode(filters),
        "is_later_page": bool(before),
    }
    return render(request, "audit/log.html", context)
