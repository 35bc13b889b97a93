"""Copying, archiving, reopening, deleting and restoring a campaign."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tasks.access.guards.confirmation import asks_again
from tasks.access.guards.pages import BOTH, WRITE, member_page, user_page
from tasks.access.guards.roles import ADMIN
from tasks.campaigns.queries.deleted import kept_until, restorable_by
from tasks.campaigns.workflow import lives
from tasks.home.lives_forms import CopyForm, DeletionForm
from tasks.home.workflow import copy_campaign
from tasks.models import Campaign, Membership, User
from tasks.models.campaign import KEPT_DAYS
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms


@page_at("c/<slug:slug>/settings/copy/", name="campaign-copy", calls=("api-campaign-copies",))
@member_page(ADMIN, BOTH, while_archived=True)
def copy(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """As with any new campaign, staff of the site start it."""
    if membership.user is None or not membership.user.is_staff:
        raise PermissionDenied
    source = membership.campaign
    form = CopyForm(request.POST or None, initial={"with_admins": True})
    if form.is_valid():
        made = copy_campaign(source=source, by=membership.user, **form.cleaned_data)
        said = _("“%(title)s” is a copy of “%(source)s”. It is paused until you open it.")
        messages.success(request, said % {"title": made.title, "source": source.title})
        return redirect("settings", made.slug)
    context = {"membership": membership, "form": form}
    return page_with_forms(request, "home/campaign_copy.html", context)


@page_at(
    "c/<slug:slug>/settings/archive/", name="campaign-archive", calls=("api-campaign-archive",)
)
@member_page(ADMIN, WRITE, while_archived=True)
def archive(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    lives.archive(campaign=membership.campaign)
    messages.success(request, _("The campaign is archived. Everything in it stays readable."))
    return redirect("overview", membership.campaign.slug)


@page_at("c/<slug:slug>/settings/reopen/", name="campaign-reopen", calls=("api-campaign-reopen",))
@member_page(ADMIN, WRITE, while_archived=True)
def reopen(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    lives.reopen(campaign=membership.campaign)
    messages.success(request, _("The campaign is reopened. It is paused: set it to open here."))
    return redirect("settings", membership.campaign.slug)


@page_at("c/<slug:slug>/settings/delete/", name="campaign-delete", calls=("api-campaign-deletion",))
@member_page(ADMIN, BOTH, while_archived=True)
@asks_again()
def delete(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Asked for by the title: nobody deletes a campaign by a slip."""
    campaign = membership.campaign
    form = DeletionForm(request.POST or None, campaign=campaign)
    if form.is_valid():
        lives.delete_campaign(campaign=campaign, title=form.cleaned_data["title"])
        said = _("“%(title)s” has been deleted. It can be restored for %(days)d days.")
        messages.success(request, said % {"title": campaign.title, "days": KEPT_DAYS})
        return redirect("campaigns-deleted")
    context = {"membership": membership, "form": form, "days": KEPT_DAYS}
    return page_with_forms(request, "home/campaign_delete.html", context)


@page_at("campaigns/deleted/", name="campaigns-deleted", calls=("api-deleted-campaigns",))
@require_safe
@user_page
def deleted(request: HttpRequest, user: User) -> HttpResponseBase:
    """What the user may restore, with until when."""
    found = [(campaign, kept_until(campaign)) for campaign in restorable_by(user)]
    return render(request, "home/deleted.html", {"found": found, "days": KEPT_DAYS})


@page_at(
    "campaigns/deleted/<int:campaign_id>/restore/",
    name="campaign-restore",
    calls=("api-campaign-restoration",),
)
@require_POST
@user_page
def restore(request: HttpRequest, user: User, campaign_id: int) -> HttpResponseBase:
    try:
        campaign = restorable_by(user).get(pk=campaign_id)
    except Campaign.DoesNotExist:
        raise Http404 from None
    lives.restore(campaign=campaign)
    said = _("“%(title)s” has been restored. It is archived: reopen it to continue working in it.")
    messages.success(request, said % {"title": campaign.title})
    return redirect("overview", campaign.slug)
