"""Withdrawing a release, and what stands in its place afterwards."""

from http import HTTPStatus

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import ADMIN
from tasks.models import Membership, Release
from tasks.releases.forms import WithdrawalForm
from tasks.releases.workflow.withdrawal import WithdrawalRefused, withdraw_release
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms


@page_at(
    "c/<slug:slug>/releases/<text:version>/withdraw/",
    name="release-withdraw",
    calls=("api-release-withdrawal",),
    help="releases.md#withdrawing-a-release",
)
@member_page(ADMIN, BOTH, while_archived=True)
def withdraw(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    """Ask for the reason, and withdraw the release with it."""
    release = get_object_or_404(Release, campaign=membership.campaign, version=version)
    form = WithdrawalForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        return _withdraw(request, membership, release, form.cleaned_data["reason"])
    if release.withdrawn:
        return redirect("release", membership.campaign.slug, version)
    context = {"membership": membership, "release": release, "form": form}
    return page_with_forms(request, "releases/withdraw.html", context)


def withdrawn_page(
    request: HttpRequest, membership: Membership, release: Release, *, is_download: bool = False
) -> HttpResponse:
    """What is known of a withdrawn release without its folder; 410 to those who want its files."""
    context = {"membership": membership, "release": release}
    status = HTTPStatus.GONE if is_download else HTTPStatus.OK
    return render(request, "releases/withdrawn.html", context, status=status)


def _withdraw(
    request: HttpRequest, membership: Membership, release: Release, reason: str
) -> HttpResponseBase:
    try:
        withdraw_release(release=release, reason=reason, by=membership)
    except WithdrawalRefused:  # by somebody else, meanwhile
        messages.error(request, _("The release had already been withdrawn."))
    else:
        messages.success(request, _("The release has been withdrawn."))
    return redirect("release", membership.campaign.slug, release.version)
