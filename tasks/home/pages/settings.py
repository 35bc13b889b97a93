"""Settings of a campaign, section by section: each has a form and saves only what is in it."""

from typing import TYPE_CHECKING, Final, NamedTuple

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.campaigns.workflow.campaign import change_settings, publish_guideline
from tasks.campaigns.workflow.slots import set_overlap
from tasks.home.forms import (
    SECTIONS,
    CalibrationForm,
    CompletionForm,
    ConsentTextForm,
    DecisionForm,
    GuidelineForm,
    OverlapForm,
    PreviewForm,
    SettingsForm,
)
from tasks.models import Campaign, Membership
from tasks.people.workflow.members import publish_consent_text
from tasks.training.queries import calibration_items, member_standings
from tasks.training.workflow import (
    CalibrationRefused,
    NoCalibrationItems,
    configure_calibration,
    grant_attempt,
    pass_member,
)
from tasks.web.addresses import Section, Tab, page_at
from tasks.web.page import page_with_forms

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise


CONSENT_IDS: Final = "consent-%s"
CALIBRATION_IDS: Final = "calibration-%s"
_BY_ANCHOR: Final = {section.anchor: section for section in SECTIONS}


class Part(NamedTuple):
    """A section of the page: its template, and the page that its form is posted to."""

    anchor: str
    title: "StrPromise"
    page: str = ""
    template: str = "section"


PARTS: Final = (
    *(Part(section.anchor, section.title, "settings") for section in SECTIONS),
    Part("systems", gettext_lazy("Ratings per item, by system"), "settings-overlaps", "systems"),
    Part("guidelines", gettext_lazy("Guidelines"), "settings-guidelines", "guidelines"),
    Part("consent", gettext_lazy("Consent"), "settings-consent", "consent"),
    Part("calibration", gettext_lazy("Calibration"), "settings-calibration", "calibration"),
    Part("completion", gettext_lazy("Crowd services"), "settings-completion", "completion"),
    Part("more", gettext_lazy("Webhooks, alerts and records"), template="more"),
    Part("lives", gettext_lazy("Archive, copy, delete"), template="lives"),
)
"""The sections from top to bottom; the list of contents and the palette are made from them."""


@page_at(
    "c/<slug:slug>/settings/",
    name="settings",
    calls=("api-campaign",),
    tab=Tab(gettext_lazy("Settings"), ADMIN),
    sections=[
        *(Section(part.anchor, part.title) for part in PARTS),
        *(Section(f"id_{field}", title) for field, title in SettingsForm.Meta.labels.items()),
    ],
    help="campaigns.md",
)
@member_page(ADMIN, BOTH)
def settings(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All sections; a POST saves the fields of one of them, which it names."""
    if request.method != "POST":
        return settings_page(request, membership)
    section = _BY_ANCHOR.get(request.POST.get("section", ""))
    if section is None:
        raise BadRequest("no such section")
    form = SettingsForm(request.POST, instance=membership.campaign, section=section)
    if not form.is_valid():
        return settings_page(request, membership, section.anchor, form)
    changes = {name: form.cleaned_data[name] for name in form.changed_data}
    change_settings(campaign=membership.campaign, changes=changes)
    return back_to(request, membership, section.anchor, _("Saved."))


@page_at(
    "c/<slug:slug>/settings/guidelines/", name="settings-guidelines", calls=("api-guidelines",)
)
@member_page(ADMIN, WRITE)
def guidelines(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Publish a new version; equal text publishes nothing."""
    form = GuidelineForm(request.POST)
    if not form.is_valid():
        return settings_page(request, membership, "guidelines", form)
    published = publish_guideline(campaign=membership.campaign, text=form.cleaned_data["text"])
    text = _("Raters now see version %(version)d of the guidelines.")
    return back_to(request, membership, "guidelines", text % {"version": published.version})


@page_at("c/<slug:slug>/settings/overlaps/", name="settings-overlaps", calls=("api-overlaps",))
@member_page(ADMIN, WRITE)
def overlaps(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = OverlapForm(request.POST, campaign=membership.campaign)
    if not form.is_valid():
        return settings_page(request, membership, "systems", form)
    set_overlap(campaign=membership.campaign, overlaps=form.overlaps())
    return back_to(request, membership, "systems", _("Saved."))


@page_at(
    "c/<slug:slug>/settings/completion/", name="settings-completion", calls=("api-completion",)
)
@member_page(ADMIN, WRITE)
def completion(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = CompletionForm(request.POST, instance=membership.campaign)
    if not form.is_valid():
        return settings_page(request, membership, "completion", form)
    changes = {name: form.cleaned_data[name] for name in form.changed_data}
    change_settings(campaign=membership.campaign, changes=changes)
    return back_to(request, membership, "completion", _("Saved."))


@page_at(
    "c/<slug:slug>/settings/preview/",
    name="settings-preview",
    no_call="it lays out a text that is being typed, and stores nothing",
)
@member_page(ADMIN, WRITE)
def preview(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = PreviewForm(request.POST)
    text = form.cleaned_data["text"] if form.is_valid() else ""
    context = {"membership": membership, "text": text, "form": form}
    return render(
        request, "home/settings/preview.html", context, status=422 if form.errors else 200
    )


def back_to(
    request: HttpRequest,
    membership: Membership,
    anchor: str,
    text: str,
    level: int = messages.SUCCESS,
) -> HttpResponseBase:
    """Back to this section of the page, which shows the text."""
    messages.add_message(request, level, text, extra_tags=anchor)
    return redirect(f"{reverse('settings', args=[membership.campaign.slug])}#{anchor}")


def settings_page(
    request: HttpRequest, membership: Membership, anchor: str = "", refused: BaseForm | None = None
) -> HttpResponse:
    """The page with all its forms, that of section `anchor` as it was refused; without forms while
    the campaign is archived, when none can be saved."""
    campaign = membership.campaign
    forms = {} if campaign.is_archived else _forms(campaign)
    if refused is not None:
        campaign.refresh_from_db()  # its form has changed it already
        forms[anchor] = refused
    parts = [(part, forms.get(part.anchor)) for part in PARTS]
    items = calibration_items(campaign).count()
    context = {
        "membership": membership,
        "parts": [(part, form) for part, form in parts if form or not part.page],
        "refused": refused,
        "calibration_items": items,
        "standings": member_standings(campaign) if items else [],
    }
    return page_with_forms(request, "home/settings.html", context)


def _forms(campaign: Campaign) -> dict[str, BaseForm]:
    """A form for every section that has one, by its anchor, with what is stored."""
    guideline = campaign.guideline.text if campaign.guideline else ""
    consent = campaign.consent_text.text if campaign.consent_text else ""
    calibration = {
        "is_required": campaign.requires_calibration,
        "pass_percent": campaign.calibration_pass_percent,
        "attempts": campaign.calibration_attempts,
    }
    forms: dict[str, BaseForm] = {
        section.anchor: SettingsForm(instance=campaign, section=section) for section in SECTIONS
    }
    forms |= {
        "guidelines": GuidelineForm(initial={"text": guideline}),
        "consent": ConsentTextForm(auto_id=CONSENT_IDS, initial={"text": consent}),
        "calibration": CalibrationForm(auto_id=CALIBRATION_IDS, initial=calibration),
        "completion": CompletionForm(instance=campaign),
    }
    if campaign.systems.exists():
        forms["systems"] = OverlapForm(campaign=campaign)
    return forms


@page_at("c/<slug:slug>/settings/consent/", name="settings-consent", calls=("api-consent-texts",))
@member_page(ADMIN, WRITE)
def consent(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = ConsentTextForm(request.POST, auto_id=CONSENT_IDS)
    if not form.is_valid():
        return settings_page(request, membership, "consent", form)
    published = publish_consent_text(campaign=membership.campaign, text=form.cleaned_data["text"])
    if published is None:
        text = _("Nobody is asked for consent.")
    else:
        text = _("Members are now asked to accept version %(version)d of the consent text.")
        text %= {"version": published.version}
    return back_to(request, membership, "consent", text)


@page_at(
    "c/<slug:slug>/settings/calibration/",
    name="settings-calibration",
    calls=("api-calibration-settings", "api-calibration-standings"),
)
@member_page(ADMIN, WRITE)
def calibration(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    form = CalibrationForm(request.POST, auto_id=CALIBRATION_IDS)
    if form.is_valid():
        try:
            configure_calibration(campaign=membership.campaign, **form.cleaned_data)
        except NoCalibrationItems:
            text = _("There are no calibration items yet. Import some first.")
            form.add_error("is_required", text)
        else:
            return back_to(request, membership, "calibration", _("Saved."))
    return settings_page(request, membership, "calibration", form)


@page_at(
    "c/<slug:slug>/settings/calibration/<int:member_id>/",
    name="calibration-decide",
    calls=("api-calibration-decide",),
)
@member_page(ADMIN, WRITE)
def decide(request: HttpRequest, membership: Membership, member_id: int) -> HttpResponseBase:
    members = Membership.objects.filter(campaign=membership.campaign, user__isnull=False)
    member = get_object_or_404(members.select_related("campaign__guideline"), pk=member_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        text = _("Nothing was changed: give a reason of up to 300 characters.")
        return back_to(request, membership, "calibration", text, messages.ERROR)
    decide_on = pass_member if form.cleaned_data["decision"] == "pass" else grant_attempt
    try:
        decide_on(membership=member, reason=form.cleaned_data["reason"], by=membership)
    except CalibrationRefused:
        text = _("Nothing was changed: %(name)s has already passed, or has an attempt left.")
        return back_to(
            request, membership, "calibration", text % {"name": member.name}, messages.ERROR
        )
    text = _("The decision about %(name)s is saved.")
    return back_to(request, membership, "calibration", text % {"name": member.name})
