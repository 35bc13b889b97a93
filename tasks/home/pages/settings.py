"""Settings of a campaign: itself and its guidelines."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.campaigns.workflow.slots import set_overlap
from tasks.home.forms import CompletionForm, GuidelineForm, OverlapForm, SettingsForm
from tasks.home.pages.training_context import training_context
from tasks.models import Membership
from tasks.web.addresses import Section, Tab, page_at
from tasks.web.page import page_with_forms


@page_at(
    "c/<slug:slug>/settings/",
    name="settings",
    calls=("api-campaign",),
    tab=Tab(140, gettext_lazy("Settings"), ADMIN),
    sections=[
        *(Section(f"id_{field}", title) for field, title in SettingsForm.Meta.labels.items()),
        Section("guidelines", gettext_lazy("Publish guidelines")),
        Section("consent", gettext_lazy("Consent")),
        Section("calibration", gettext_lazy("Calibration")),
        Section("completion", gettext_lazy("Completion")),
        Section("lives", gettext_lazy("Archive, copy, delete")),
    ],
    help="campaigns.md",
)
@member_page(ADMIN, BOTH)
def settings(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = _settings_form(request, membership)
    if form.is_valid():
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        change_settings(campaign=membership.campaign, changes=changes)
        messages.success(request, _("The settings are saved."))
        return redirect("settings", membership.campaign.slug)
    return settings_page(request, membership, settings_form=form)


@page_at(
    "c/<slug:slug>/settings/guidelines/", name="settings-guidelines", calls=("api-guidelines",)
)
@member_page(ADMIN, WRITE)
def guidelines(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Publish a new version; equal text publishes nothing."""
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        return settings_page(request, membership, guideline_form=form)
    published = publish_guideline(campaign=membership.campaign, text=form.cleaned_data["text"])
    text = _("Version %(version)d of the guidelines is in force.")
    messages.success(request, text % {"version": published.version})
    return redirect("settings", membership.campaign.slug)


@page_at("c/<slug:slug>/settings/overlaps/", name="settings-overlaps", calls=("api-overlaps",))
@member_page(ADMIN, WRITE)
def overlaps(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """How many ratings the items of each system get."""
    campaign = membership.campaign
    form = OverlapForm(request.POST, campaign=campaign)
    if not form.is_valid():
        return settings_page(request, membership, overlap_form=form)
    set_overlap(campaign=campaign, overlaps=form.overlaps())
    messages.success(request, _("The ratings per item are saved."))
    return redirect("settings", campaign.slug)


@page_at(
    "c/<slug:slug>/settings/completion/", name="settings-completion", calls=("api-completion",)
)
@member_page(ADMIN, WRITE)
def completion(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """What visitors of a crowd service are given when they are done."""
    form = CompletionForm(request.POST, instance=membership.campaign)
    if not form.is_valid():
        return settings_page(request, membership, completion_form=form)
    changes = {name: form.cleaned_data[name] for name in form.changed_data}
    change_settings(campaign=membership.campaign, changes=changes)
    messages.success(request, _("The completion code is saved."))
    return redirect("settings", membership.campaign.slug)


def settings_page(request: HttpRequest, membership: Membership, **changes: object) -> HttpResponse:
    """The page with all its forms; `changes` replace those that came back with errors."""
    campaign = membership.campaign
    text = campaign.guideline.text if campaign.guideline else ""
    context = {
        "membership": membership,
        "settings_form": _settings_form(request, membership, is_fresh=True),
        "overlap_form": OverlapForm(campaign=campaign),
        "guideline_form": GuidelineForm(initial={"text": text}),
        **training_context(campaign),
        "completion_form": CompletionForm(instance=campaign),
        **changes,
    }
    return page_with_forms(request, "home/settings.html", context)


def _settings_form(
    request: HttpRequest, membership: Membership, *, is_fresh: bool = False
) -> SettingsForm:
    campaign = membership.campaign
    return SettingsForm(
        None if is_fresh or request.method != "POST" else request.POST,
        instance=campaign,
    )
