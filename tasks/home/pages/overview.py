"""A campaign at a glance, and what to do next in it. Raters are taken to their work."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import MEMBERS, RESULTS
from tasks.home.queries.contents import CampaignContents, contents_of
from tasks.models import Membership, Role
from tasks.votes.progress import campaign_progress
from tasks.web.addresses import Tab, page_at


@dataclass(frozen=True, slots=True)
class NextStep:
    """One line of the list from an empty campaign to a release; `page` is a URL name."""

    title: str
    state: str
    is_done: bool
    page: str
    for_admin: bool = False


@page_at(
    "c/<slug:slug>/",
    name="overview",
    calls=("api-campaign",),
    tab=Tab(10, gettext_lazy("Overview"), RESULTS),
    help="pages.md#the-overview",
)
@member_page(MEMBERS)
def overview(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    campaign = membership.campaign
    if membership.role == Role.RATER:
        return redirect("rate", campaign.slug)
    contents = contents_of(campaign)
    steps = _steps(contents)
    context = {
        "membership": membership,
        "contents": contents,
        "steps": steps,
        "next": next((step for step in steps if not step.is_done), None),
        "progress": campaign_progress(campaign),
    }
    return render(request, "home/overview.html", context)


def _steps(has: CampaignContents) -> list[NextStep]:
    """In the order of the work; the numbers say how far each is."""
    items = _("%(items)d items; %(exact)d of %(all)d candidates match a reference exactly") % {
        "items": has.items,
        "exact": has.exact_matches,
        "all": has.candidates,
    }
    suggested = _("%(done)d of %(items)d items") % {"done": has.suggested, "items": has.items}
    return [
        _admin_step(_("Import questions"), _questions(has), has.questions > 0, "import"),
        _admin_step(_("Import predictions or items"), items, has.items > 0, "import"),
        _admin_step(_("Pre-fill suggestions"), suggested, 0 < has.items <= has.suggested, "jobs"),
        _admin_step(_("Invite raters"), _people(has), has.raters + has.have_rated > 0, "members"),
        NextStep(_("Watch agreement"), _ratings(has.ratings), has.ratings > 0, "agreement"),
        NextStep(_("Release the data"), _releases(has.releases), has.releases > 0, "releases"),
    ]


def _admin_step(title: str, state: str, is_done: bool, page: str) -> NextStep:
    return NextStep(title, state, is_done, page, for_admin=True)


def _questions(has: CampaignContents) -> str:
    asked = ngettext("%(n)d question", "%(n)d questions", has.questions) % {"n": has.questions}
    if not has.unanswerable:
        return asked
    return _("%(asked)s, of them %(n)d unanswerable") % {"asked": asked, "n": has.unanswerable}


def _people(has: CampaignContents) -> str:
    accounts = ngettext("%(n)d rater with an account", "%(n)d raters with an account", has.raters)
    rated = ngettext("%(n)d person has rated", "%(n)d people have rated", has.have_rated)
    return f"{accounts % {'n': has.raters}}; {rated % {'n': has.have_rated}}"


def _ratings(number: int) -> str:
    return ngettext("%(n)d rating", "%(n)d ratings", number) % {"n": number}


def _releases(number: int) -> str:
    return ngettext("%(n)d release", "%(n)d releases", number) % {"n": number}
