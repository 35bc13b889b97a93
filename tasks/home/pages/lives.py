"""Copying, archiving, reopening, deleting and restoring a campaign."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tasks.access.guards.pages import BOTH, WRITE, member_page, user_page
from tasks.access.guards.roles import ADMIN
from tasks.campaigns.queries.deleted import restorable_by
from tasks.campaigns.workflow import lives
from tasks.home.lives_forms import CopyForm, DeletionForm
from tasks.home.workflow import copy_campaign
from tasks.models import Membership, Role, User
from tasks.models.campaign import KEPT_DAYS
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms

_HELP = "campaigns.md#archive-copy-delete"


@page_at(
    "c/<slug:slug>/settings/copy/",
    name="campaign-copy",
    calls=("api-campaign-copies",),
    help=_HELP,
)
@member_page(ADMIN, BOTH, while_archived=True)
def copy(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """For admins who are of the site's staff, who start any new campaign."""
    user, source = membership.user, membership.campaign
    if user is None or not user.is_staff:
        raise PermissionDenied
    form = CopyForm(request.POST or None, initial={"roles": [Role.ADMIN]})
    if form.is_valid():
        made, job = copy_campaign(source=source, by=user, **form.cleaned_data)
        text = _("“%(title)s” is a copy of “%(source)s”. It is paused until you open it.")
        messages.success(request, text % {"title": made.title, "source": source.title})
        if job is None:
            return redirect("settings", made.slug)
        return redirect(f"{reverse('job', args=[made.slug, job.pk])}?open")
    context = {"membership": membership, "form": form}
    return page_with_forms(request, "home/campaign_copy.html", context)


@page_at(
    "c/<slug:slug>/settings/archive/", name="campaign-archive", calls=("api-campaign-archive",)
)
@member_page(ADMIN, WRITE, while_archived=True)
def archive(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    lives.archive(campaign=membership.campaign)
    messages.success(request, _("The campaign is archived."))
    return redirect("overview", membership.campaign.slug)


@page_at("c/<slug:slug>/settings/reopen/", name="campaign-reopen", calls=("api-campaign-reopen",))
@member_page(ADMIN, WRITE, while_archived=True)
def reopen(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    lives.reopen(campaign=membership.campaign)
    messages.success(
        request, _("The campaign is reopened but paused. Change its state to open it.")
    )
    return redirect("settings", membership.campaign.slug)


@page_at(
    "c/<slug:slug>/settings/delete/",
    name="campaign-delete",
    calls=("api-campaign-deletion",),
    help=_HELP,
)
@member_page(ADMIN, BOTH, while_archived=True)
def delete(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    campaign = membership.campaign
    form = DeletionForm(request.POST or None, campaign=campaign)
    if form.is_valid():
        lives.delete_campaign(campaign=campaign, typed=form.cleaned_data["typed"])
        text = _("“%(title)s” is deleted. It can be restored for %(days)d days.")
        messages.success(request, text % {"title": campaign.title, "days": KEPT_DAYS})
        return redirect("campaigns-deleted")
    releases = campaign.releases.count()
    context = {"membership": membership, "form": form, "days": KEPT_DAYS, "releases": releases}
    return page_with_forms(request, "home/campaign_delete.html", context)


@page_at(
    "campaigns/deleted/", name="campaigns-deleted", calls=("api-deleted-campaigns",), help=_HELP
)
@require_safe
@user_page
def deleted(request: HttpRequest, user: User) -> HttpResponseBase:
    """The campaigns that the user may restore, and until when."""
    context = {"deleted": restorable_by(user), "days": KEPT_DAYS}
    return render(request, "home/deleted.html", context)


@page_at(
    "campaigns/deleted/<int:campaign_id>/restore/",
    name="campaign-restore",
    calls=("api-campaign-restoration",),
)
@require_POST
@user_page
def restore(request: HttpRequest, user: User, campaign_id: int) -> HttpResponseBase:
    campaign = get_object_or_404(restorable_by(user), pk=campaign_id)
    lives.restore(campaign=campaign)
    text = _("“%(title)s” is restored. It is archived until an admin reopens it.")
    messages.success(request, text % {"title": campaign.title})
    return redirect("overview", campaign.slug)
