"""A campaign at a glance: how it stands, what to do next, what waits. Raters go to their work."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import MEMBERS, RESULTS
from tasks.agreement.workflow.assessment import ask_for_figures, figures_of
from tasks.audit.queries.log import entries_of
from tasks.home.pages.next_step import Step, next_step, state_of
from tasks.home.queries.situation import Situation, situation_for
from tasks.models import Membership, Release, Role
from tasks.web.addresses import Section, Tab, page_at, roles_for
from tasks.web.number_texts import count

ACTS_SHOWN = 5
PACE_DAYS = 7
_DAY = timedelta(days=1)


class Entry(NamedTuple):
    """Something else that waits, or could be done: on the page of this name."""

    text: str
    page: str


@page_at(
    "c/<slug:slug>/",
    name="overview",
    calls=("api-campaign", "api-figures", "api-alerts", "api-flags", "api-failed-jobs"),
    tab=Tab(10, gettext_lazy("Overview"), RESULTS),
    sections=[Section("next-step", gettext_lazy("Next step"))],
    help="pages.md#the-overview",
)
@member_page(MEMBERS)
def overview(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    campaign = membership.campaign
    if membership.role == Role.RATER:
        return redirect("rate", campaign.slug)
    facts = situation_for(membership)
    step = next_step(facts)
    context = {
        "membership": membership,
        "facts": facts,
        "state": state_of(facts),
        "step": step,
        "may_step": _may_open(membership, step.page),
        "needs": [each for each in _needs(facts, step) if _may_open(membership, each.page)],
        "later": [each for each in _later(facts, step) if _may_open(membership, each.page)],
        "releases": Release.objects.filter(campaign=campaign)[:1],
        "acts": entries_of(campaign)[:ACTS_SHOWN] if membership.is_admin else [],
        **_figures(membership, facts),
    }
    return render(request, "home/overview.html", context)


def _may_open(membership: Membership, page: str) -> bool:
    return membership.role in roles_for(page)


def _needs(facts: Situation, step: Step) -> list[Entry]:
    """What waits for somebody, the next step itself left out."""
    texts = [
        (facts.failed_jobs, _failed(facts.failed_jobs), "job-failures"),
        (facts.alerts, _alerts(facts.alerts), "alerts"),
        (facts.flags, _flags(facts.flags), "flags"),
        (facts.waiting, _waiting(facts), "adjudicate"),
    ]
    return [Entry(text, page) for number, text, page in texts if number and page != step.page]


def _failed(number: int) -> str:
    text = ngettext("One failure of a job", "%(n)s failures of jobs", number)
    return text % {"n": count(number)}


def _alerts(number: int) -> str:
    return ngettext("One open alert", "%(n)s open alerts", number) % {"n": count(number)}


def _flags(number: int) -> str:
    return ngettext("One flag to settle", "%(n)s flags to settle", number) % {"n": count(number)}


def _waiting(facts: Situation) -> str:
    text = ngettext(
        "One item is waiting for a decision",
        "%(n)s items are waiting for a decision",
        facts.waiting,
    ) % {"n": count(facts.waiting)}
    if not facts.ties:
        return text
    ties = ngettext("one of them a tie", "%(n)s of them ties", facts.ties)
    return f"{text}, {ties % {'n': count(facts.ties)}}"


def _later(facts: Situation, step: Step) -> list[Entry]:
    """What else belongs to this stage."""
    has = facts.contents
    entries = [
        (not has.items, _("Write the guidelines"), "settings"),
        (has.items and not facts.is_rated, _("Import more"), "import"),
        (has.items, _("Every item, and what was said of it"), "items"),
        (has.items, _("People, roles and invitations"), "members"),
        (has.ratings, _("How each rater is doing"), "raters"),
        (has.ratings, _("How many more ratings are needed?"), "more"),
        (has.ratings, _("Fill in the datasheet"), "datasheet"),
        (has.ratings, _("Compare metrics and systems in the lab"), "lab"),
    ]
    return [Entry(text, page) for is_due, text, page in entries if is_due and page != step.page]


def _figures(membership: Membership, facts: Situation) -> dict[str, Any]:
    """α as the page of agreement has it, pace and forecast as that of progress; and of when."""
    if not facts.contents.ratings:
        return {}
    agreement = figures_of(membership.campaign, "agreement")
    progress = figures_of(membership.campaign, "progress")
    if not (agreement.is_current and progress.is_current):
        ask_for_figures(membership.campaign)
    found: dict[str, Any] = {"are_asked": agreement.content is None}
    if agreement.content is not None:
        found |= {"alpha": agreement.content["alpha"], "figures_at": agreement.made_at}
    if progress.content is not None:
        found |= _pace(progress.content, facts)
    return found


def _pace(figures: Mapping[str, Any], facts: Situation) -> dict[str, Any]:
    """Ratings a day over the last whole days, and the day of the end where it can be told."""
    today = timezone.localdate(timezone=timezone.get_default_timezone())
    first = today - timedelta(days=PACE_DAYS)
    days = [(date.fromisoformat(each["day"]), each["ratings"]) for each in figures["days"]]
    week = [ratings for day, ratings in days if first <= day < today]
    shown = {
        "days": [{"day": day, "ratings": ratings} for day, ratings in days if day >= first],
        "raters": figures["raters"],
    }
    if facts.is_rated or not week:
        return shown
    shown |= {"pace": sum(week) / PACE_DAYS, "pace_first": first, "pace_last": today - _DAY}
    forecast = figures["forecast"]
    if forecast["date"] and facts.is_active and not facts.is_paused:
        names = ("date", "earliest", "latest")
        shown["ends"] = {
            name: date.fromisoformat(forecast[name]) if forecast[name] else None for name in names
        }
    return shown
