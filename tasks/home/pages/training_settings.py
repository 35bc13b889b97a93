"""Settings of consent and calibration, and what admins decide about a member's calibration."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _

from tasks.access.guards.pages import WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.home.pages.settings import settings_page
from tasks.home.pages.training_context import CALIBRATION_IDS, CONSENT_IDS
from tasks.home.training_forms import CalibrationForm, ConsentTextForm, DecisionForm
from tasks.models import Membership
from tasks.people.workflow.consent import publish_consent_text
from tasks.training.workflow import (
    CalibrationRefused,
    NoCalibrationItems,
    configure_calibration,
    grant_attempt,
    pass_member,
)
from tasks.web.addresses import page_at


@page_at("c/<slug:slug>/settings/consent/", name="settings-consent", calls=("api-consent-texts",))
@member_page(ADMIN, WRITE)
def consent(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Publish a new version of the consent text, or withdraw it."""
    form = ConsentTextForm(request.POST, auto_id=CONSENT_IDS)
    if not form.is_valid():
        return settings_page(request, membership, consent_form=form)
    published = publish_consent_text(campaign=membership.campaign, text=form.cleaned_data["text"])
    if published is None:
        messages.success(request, _("Raters are no longer asked for consent."))
    else:
        text = _("Version %(version)d of the consent text is in use.")
        messages.success(request, text % {"version": published.version})
    return redirect("settings", membership.campaign.slug)


@page_at(
    "c/<slug:slug>/settings/calibration/",
    name="settings-calibration",
    calls=("api-calibration-settings", "api-calibration-standings"),
)
@member_page(ADMIN, WRITE)
def calibration(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Whether it is required, and how it is passed."""
    form = CalibrationForm(request.POST, auto_id=CALIBRATION_IDS)
    if form.is_valid():
        try:
            configure_calibration(campaign=membership.campaign, **form.cleaned_data)
        except NoCalibrationItems:
            text = _("There are no calibration items yet. Import some first.")
            form.add_error("is_required", text)
        else:
            messages.success(request, _("The calibration has been saved."))
            return redirect("settings", membership.campaign.slug)
    return settings_page(request, membership, calibration_form=form)


@page_at(
    "c/<slug:slug>/settings/calibration/<int:member_id>/",
    name="calibration-decide",
    calls=("api-calibration-decide",),
)
@member_page(ADMIN, WRITE)
def decide(request: HttpRequest, membership: Membership, member_id: int) -> HttpResponseBase:
    """One more attempt for a member, or a pass; with a reason."""
    members = Membership.objects.filter(campaign=membership.campaign, user__isnull=False)
    member = get_object_or_404(members.select_related("campaign__guideline"), pk=member_id)
    form = DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Nothing was changed: give a reason of at most 300 characters."))
        return redirect("settings", membership.campaign.slug)
    decide_on = pass_member if form.cleaned_data["decision"] == "pass" else grant_attempt
    try:
        decide_on(membership=member, reason=form.cleaned_data["reason"], by=membership)
    except CalibrationRefused:
        text = _("Nothing was changed: %(name)s has already passed or has attempts left.")
        messages.error(request, text % {"name": member.name})
    else:
        messages.success(request, _("%(name)s is changed.") % {"name": member.name})
    return redirect("settings", membership.campaign.slug)
