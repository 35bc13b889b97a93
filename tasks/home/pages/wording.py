"""The words of a campaign's form in another language: written beside the original."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.campaigns.queries.wordings import wording_in_force, wording_languages
from tasks.campaigns.workflow.wording import publish_wording, withdraw_wording
from tasks.home.wording_form import WordingForm
from tasks.models import Membership
from tasks.protocols.wording import shipped_texts
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms


@page_at(
    "c/<slug:slug>/settings/wording/<slug:language>/",
    name="settings-wording",
    calls=("api-wording", "api-wordings"),
    tab="settings",
)
@member_page(ADMIN, BOTH)
def wording(request: HttpRequest, membership: Membership, language: str) -> HttpResponseBase:
    """Publish the next version; equal texts publish nothing. `?start=shipped` fills the form with
    the translation that comes with the platform, which nobody sees until it is published."""
    campaign = membership.campaign
    _require_language(language)
    current = wording_in_force(campaign, language)
    shipped = shipped_texts(campaign.annotation_protocol, language)
    is_start = bool(shipped) and request.GET.get("start") == "shipped"
    texts = shipped if is_start else current.texts if current else {}
    form = WordingForm(request.POST or None, campaign=campaign, language=language, texts=texts)
    if form.is_valid():
        published = publish_wording(campaign=campaign, language=language, texts=form.texts())
        text = _("Version %(version)d of this wording is in use.")
        messages.success(request, text % {"version": published.version})
        return redirect("settings-wording", campaign.slug, language)
    context = {
        "membership": membership,
        "form": form,
        "current": current,
        "language": language,
        "language_name": _(wording_languages()[language]),
        "has_shipped": bool(shipped) and not is_start,
        "is_start": is_start,
    }
    return page_with_forms(request, "home/wording.html", context)


@page_at(
    "c/<slug:slug>/settings/wording/<slug:language>/withdraw/",
    name="settings-wording-withdraw",
    calls=("api-wording",),
)
@member_page(ADMIN, WRITE)
def withdraw(request: HttpRequest, membership: Membership, language: str) -> HttpResponseBase:
    """Back to the original words; ratings given in the others stay as they are."""
    _require_language(language)
    if withdraw_wording(campaign=membership.campaign, language=language):
        messages.success(request, _("Raters see the original wording again."))
    return redirect("settings-wording", membership.campaign.slug, language)


def _require_language(language: str) -> None:
    if language not in wording_languages():
        raise Http404
