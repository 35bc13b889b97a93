"""Settings of a campaign, section by section: each has a form and saves only what is in it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.campaigns.queries.wordings import wording_in_force, wording_languages
from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.campaigns.workflow.slots import set_overlap
from tasks.home.forms import (
    SECTIONS,
    CompletionForm,
    GuidelineForm,
    OverlapForm,
    PreviewForm,
    Section,
    SettingsForm,
)
from tasks.home.pages.training_context import training_context
from tasks.models import Campaign, Membership
from tasks.web.addresses import Tab, page_at
from tasks.web.page import page_with_forms

_NAMED = {section.name: section for section in SECTIONS}


@page_at(
    "c/<slug:slug>/settings/",
    name="settings",
    calls=("api-campaign",),
    tab=Tab(140, gettext_lazy("Settings"), ADMIN),
    help="campaigns.md",
)
@member_page(ADMIN, BOTH)
def settings(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All sections; `section` names the one that is saved, without it all fields are."""
    campaign = membership.campaign
    if request.method != "POST":
        return settings_page(request, membership)
    asked = _NAMED.get(request.POST.get("section", ""))
    saved = [asked] if asked else SECTIONS
    forms = [SettingsForm(request.POST, instance=campaign, section=each) for each in saved]
    if any(form.errors for form in forms):
        campaign.refresh_from_db()  # what was typed must not show outside its form
        return settings_page(request, membership, refused=forms)
    changes = {name: value for form in forms for name, value in form.changes.items()}
    if changes:
        change_settings(campaign=campaign, changes=changes)
    if asked is None:
        messages.success(request, _("The settings are saved."))
        return redirect("settings", campaign.slug)
    return back_to(request, campaign, asked.name, _("Saved: %(what)s.") % {"what": asked.title})


@page_at(
    "c/<slug:slug>/settings/guidelines/", name="settings-guidelines", calls=("api-guidelines",)
)
@member_page(ADMIN, WRITE)
def guidelines(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Publish a new version; equal text publishes nothing."""
    form = GuidelineForm(request.POST, auto_id="guidelines-%s")
    if not form.is_valid():
        return settings_page(request, membership, guideline_form=form)
    published = publish_guideline(campaign=membership.campaign, text=form.cleaned_data["text"])
    text = _("Version %(version)d of the guidelines is in use.") % {"version": published.version}
    return back_to(request, membership.campaign, "guidelines", text)


@page_at("c/<slug:slug>/settings/overlaps/", name="settings-overlaps", calls=("api-overlaps",))
@member_page(ADMIN, WRITE)
def overlaps(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """How many ratings the items of each system get."""
    campaign = membership.campaign
    form = OverlapForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return settings_page(request, membership, overlap_form=form)
    set_overlap(campaign=campaign, overlaps=form.overlaps())
    return back_to(request, campaign, "systems", _("Saved: ratings per item of each system."))


@page_at(
    "c/<slug:slug>/settings/completion/", name="settings-completion", calls=("api-completion",)
)
@member_page(ADMIN, WRITE)
def completion(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """What visitors of a crowd service are given when they are done."""
    campaign = membership.campaign
    form = CompletionForm(request.POST, instance=campaign)
    if not form.is_valid():
        campaign.refresh_from_db()
        return settings_page(request, membership, completion_form=form)
    changes = {name: form.cleaned_data[name] for name in form.changed_data}
    change_settings(campaign=campaign, changes=changes)
    return back_to(request, campaign, "completion", _("Saved: crowd services."))


@page_at(
    "c/<slug:slug>/settings/preview/",
    name="settings-preview",
    no_call="how Markdown reads, while it is typed; nothing is stored",
)
@member_page(ADMIN, WRITE)
def preview(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The text as raters would read it."""
    form = PreviewForm(request.POST)
    text = form.cleaned_data["text"] if form.is_valid() else ""
    context = {"membership": membership, "text": text, "errors": form.errors}
    return render(request, "home/preview.html", context, status=422 if form.errors else 200)


def back_to(request: HttpRequest, campaign: Campaign, section: str, said: str) -> HttpResponseBase:
    """To the section that was saved, with word of it."""
    messages.success(request, said)
    return redirect(f"{reverse('settings', args=[campaign.slug])}#{section}")


def settings_page(
    request: HttpRequest,
    membership: Membership,
    *,
    refused: "list[SettingsForm] | None" = None,
    **changes: object,
) -> HttpResponse:
    """The page with all its forms; `refused` and `changes` replace those that have errors."""
    campaign = membership.campaign
    text = campaign.guideline.text if campaign.guideline else ""
    came_back = {form.section: form for form in refused or ()}
    context = {
        "membership": membership,
        "sections": {each.name: _section(campaign, each, came_back) for each in SECTIONS},
        "overlap_form": OverlapForm(campaign=campaign),
        "guideline_form": GuidelineForm(auto_id="guidelines-%s", initial={"text": text}),
        "wordings": _wordings(campaign),
        **training_context(campaign),
        "completion_form": CompletionForm(instance=campaign),
        **changes,
    }
    return page_with_forms(request, "home/settings.html", context)


def _wordings(campaign: Campaign) -> list[tuple[str, str, int | None]]:
    """Every language the form can have: code, name, and the version in force."""
    found = {code: wording_in_force(campaign, code) for code in wording_languages()}
    return [
        (code, _(name), wording.version if (wording := found[code]) else None)
        for code, name in wording_languages().items()
    ]


def _section(
    campaign: Campaign, section: Section, came_back: "dict[Section | None, SettingsForm]"
) -> SettingsForm:
    return came_back.get(section) or SettingsForm(instance=campaign, section=section)
