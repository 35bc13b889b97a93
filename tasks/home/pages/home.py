"""The first page, search, and campaigns: new, copied, archived, deleted, restored."""

from dataclasses import dataclass
from typing import NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import BOTH, WRITE, member_page, user_page
from tasks.access.queries import campaign_to_enter, campaigns_of_site, memberships_of
from tasks.agreement.findings import open_alerts
from tasks.campaigns.queries import restorable_by
from tasks.campaigns.workflow import lives
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.home.forms import CopyForm, DeletionForm, NewCampaignForm
from tasks.home.queries.personal import MAX_WORDS, OwnWork, find, own_work
from tasks.home.workflow import copy_campaign
from tasks.models import Campaign, Item, Membership, Question, Role, User
from tasks.models.campaign import KEPT_DAYS
from tasks.people.workflow.members import enter_as_operator
from tasks.protocols import protocols
from tasks.protocols.definition import AnnotationProtocol, Answers, AnswersError
from tasks.rating.queries.own_work import open_flags
from tasks.rating.shown.answers import answers_in
from tasks.rating.shown.rating_page import Filling, RatingPage, form_page
from tasks.rating.workflow.assignment import MOST_LEFT
from tasks.votes.items import Progress, campaign_progress, votes_by
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms


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


@page_at(
    "find/",
    name="find",
    no_call="programs use the filters of the calls for items, people and systems",
    help="pages.md#find-anything",
)
@require_safe
@user_page
def find_page(request: HttpRequest, user: User) -> HttpResponseBase:
    """Results for the words `q`, in the user's `campaign` too; a script gets them alone."""
    words = request.GET.get("q", "").replace("\0", "").strip()[:MAX_WORDS]
    slug = request.GET.get("campaign", "").replace("\0", "")
    membership = memberships_of(user).filter(campaign__slug=slug).first()
    if words and membership is not None:
        refresh_before_reading(campaign=membership.campaign)
    groups = find(user, words, membership)
    context = {"words": words, "groups": groups, "membership": membership}
    is_script = request.headers.get("X-Requested-With") == "fetch"
    return render(request, "home/results.html" if is_script else "home/find.html", context)


class Trial(NamedTuple):
    """The form of a protocol with its example; `label` is the title of the one it ended in."""

    page: RatingPage
    label: str


@page_at(
    "campaigns/new/",
    name="campaign-new",
    calls=("api-campaigns",),
    help="campaigns.md#a-new-campaign",
)
@require_http_methods(["GET", "HEAD", "POST"])
@user_page
def campaign_new(request: HttpRequest, user: User) -> HttpResponseBase:
    """Staff start campaigns and become their admins. The query chooses the protocol that is tried,
    and holds what has been answered in its form."""
    if not user.is_staff:
        raise PermissionDenied
    chosen = request.POST.get("protocol") or request.GET.get("protocol") or ""
    protocol = protocols().get(chosen) or next(iter(protocols().values()))
    form = NewCampaignForm(request.POST or None, initial={"protocol": protocol.name})
    if form.is_valid():
        campaign = create_campaign(**form.cleaned_data, created_by=user)
        return redirect("overview", campaign.slug)
    context = {"form": form, "trial": _trial(protocol, request.GET)}
    return page_with_forms(request, "home/campaign_new.html", context)


def _trial(protocol: AnnotationProtocol, query: QueryDict) -> Trial:
    """As a rater of a campaign sees it that is never stored."""
    example = protocol.example
    item = Item(
        question=Question(text=example.question, context=example.context),
        references=[example.reference],
        candidate=example.candidate,
    )
    answers = _answers(protocol, query)
    member = Membership(campaign=Campaign(protocol=protocol.name))
    page = form_page(member, item, Filling(answers))
    is_sent = query.get("action") == "submit" and page.is_complete
    return Trial(page, protocol.titles[protocol.outcome(answers).label] if is_sent else "")


def _answers(protocol: AnnotationProtocol, query: QueryDict) -> Answers:
    try:
        answers = protocol.cut(answers_in(query, protocol))
    except AnswersError:  # of another protocol, or typed into the address
        return {}
    if query.get("action") == "previous":
        return protocol.before(query.get("asked", ""), answers) or {}
    return answers


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
