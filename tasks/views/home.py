"""The first page: my campaigns; and the start of a new one."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tasks.forms import NewCampaignForm
from tasks.models import Membership, Role, User
from tasks.queries.memberships import memberships_of
from tasks.queries.progress import Progress, campaign_progress, ratings_by, votes_by
from tasks.views.access import user_page
from tasks.workflow.campaign import create_campaign


@dataclass(frozen=True, slots=True)
class CampaignCard:
    """One of my campaigns, as the first page shows it.

    Raters see how many items they have rated; others how far the campaign is, and their part of it.
    """

    membership: Membership
    mine: int
    progress: Progress | None = None


@require_safe
@user_page
def home(request: HttpRequest, user: User) -> HttpResponseBase:
    cards = [_card(membership) for membership in memberships_of(user)]
    return render(request, "home.html", {"cards": cards})


def _card(membership: Membership) -> CampaignCard:
    if membership.role == Role.RATER:
        return CampaignCard(membership, ratings_by(membership))
    return CampaignCard(membership, votes_by(membership), campaign_progress(membership.campaign))


@require_http_methods(["GET", "HEAD", "POST"])
@user_page
def new_campaign(request: HttpRequest, user: User) -> HttpResponseBase:
    """Staff start campaigns; whoever starts one is its admin."""
    if not user.is_staff:
        raise PermissionDenied
    form = NewCampaignForm(request.POST or None)
    if form.is_valid():
        campaign = create_campaign(**form.cleaned_data, created_by=user)
        return redirect("overview", campaign.slug)
    return render(request, "campaign_new.html", {"form": form})
