"""The first page: my campaigns, and the door to those of others."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from tasks.access.guards.pages import user_page
from tasks.access.queries.memberships import campaign_to_enter, campaigns_of_site, memberships_of
from tasks.agreement.findings.alerts import open_alerts
from tasks.campaigns.queries.deleted import restorable_by
from tasks.home.queries.own_work import OwnWork, own_work
from tasks.models import Campaign, Membership, Role, User
from tasks.people.workflow.members import enter_as_operator
from tasks.rating.queries.flags import open_flags
from tasks.rating.workflow.items_left import MOST_LEFT
from tasks.votes.progress import Progress, campaign_progress, votes_by
from tasks.web.addresses import page_at


@dataclass(frozen=True, slots=True)
class CampaignCard:
    """One of my campaigns, as the first page shows it.

    Raters see their `work`: what comes next, how many items they have rated, and a bound of how
    many are left. Others see how far the campaign is, their part of it, and how much is `waiting`.
    """

    membership: Membership
    work: OwnWork | None = None
    progress: Progress | None = None
    mine: int = 0
    waiting: int = 0


@page_at(
    "", name="home", calls=("api-campaigns", "api-site-campaigns"), help="pages.md#your-campaigns"
)
@require_safe
@user_page
def home(request: HttpRequest, user: User) -> HttpResponseBase:
    mine = list(memberships_of(user))
    others = campaigns_of_site(user).filter(role=None)
    context = {
        "cards": [_card(each) for each in mine if not each.campaign.is_archived],
        "archived": [each.campaign for each in mine if each.campaign.is_archived],
        "others": others,
        "has_deleted": restorable_by(user).exists(),
        "is_site_empty": user.is_operator and not mine and not others,
        "most": MOST_LEFT,
    }
    return render(request, "home/home.html", context)


@page_at(
    "c/<slug:slug>/enter/",
    name="campaign-enter",
    calls=("api-campaign-enter",),
    help="people.md#the-sites-operators",
)
@require_http_methods(["GET", "HEAD", "POST"])
@user_page
def enter(request: HttpRequest, user: User, slug: str) -> HttpResponseBase:
    """An operator of the site comes into a campaign as its admin, once they have said so."""
    try:
        campaign = campaign_to_enter(user, slug)
    except Campaign.DoesNotExist:
        raise Http404 from None
    if request.method == "POST":
        enter_as_operator(campaign=campaign, user=user)
    if memberships_of(user).filter(campaign=campaign).exists():
        return redirect("overview", slug)
    return render(request, "home/campaign_enter.html", {"campaign": campaign})


def _card(membership: Membership) -> CampaignCard:
    campaign = membership.campaign
    if membership.role == Role.RATER:
        return CampaignCard(membership, own_work(membership))
    campaign.reader = membership
    return CampaignCard(
        membership,
        progress=campaign_progress(campaign),
        mine=votes_by(membership),
        waiting=open_alerts(campaign) + (open_flags(campaign) if membership.is_admin else 0),
    )
