"""A campaign at a glance: how it stands, what to do next, what waits. Raters go to their work."""

from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks.access.guards import MEMBERS, RESULTS
from tasks.access.guards.pages import member_page
from tasks.agreement.findings import alpha_rule, newest_open_alerts
from tasks.agreement.workflow.assessment import ask_for_figures, figures_of
from tasks.home.queries.situation import Situation, situation_for
from tasks.home.shown import Step, next_step, state_of
from tasks.models import Campaign, Membership, Role
from tasks.releases.queries.datasheet import datasheet_answers
from tasks.votes.blindness import leaves_out_votes
from tasks.web.addresses import Tab, page_at, roles_for
from tasks.web.number_texts import count
from tomahto.releases.documents.datasheet import QUESTIONS

ALERTS_SHOWN = 5
IDLE_SHOWN = 5
PACE_DAYS = 7
_DAY = timedelta(days=1)


class Entry(NamedTuple):
    """Something else that waits, or could be done, on the page of this name; `hint` says more."""

    text: str
    page: str
    hint: str = ""
    anchor: str = ""  # with its #


@page_at(
    "c/<slug:slug>/",
    name="overview",
    calls=("api-campaign", "api-figures", "api-alerts", "api-flags", "api-failed-jobs"),
    tab=Tab(gettext_lazy("Overview"), RESULTS),
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
        "step_address": step.address(campaign) if _may_open(membership, step.page) else "",
        "alerts": newest_open_alerts(campaign)[:ALERTS_SHOWN],
        "needs": [each for each in _needs(facts, step) if _may_open(membership, each.page)],
        "later": [
            each for each in _later(campaign, facts, step) if _may_open(membership, each.page)
        ],
        **_figures(membership, facts),
    }
    return render(request, "home/overview.html", context)


def _may_open(membership: Membership, page: str) -> bool:
    return membership.role in roles_for(page)


def _needs(facts: Situation, step: Step) -> Iterator[Entry]:
    """All that waits for somebody beside alerts, without the next step itself."""
    if facts.is_archived:
        return
    raters = facts.raters
    if facts.alerts > ALERTS_SHOWN:
        yield Entry(_("All %(n)s open alerts") % {"n": count(facts.alerts)}, "alerts")
    if facts.failed_jobs and step.key != "failed":
        text = ngettext("One failure of a job", "%(n)s failures of jobs", facts.failed_jobs)
        yield Entry(text % {"n": count(facts.failed_jobs)}, "job-failures")
    if facts.flags and step.key != "flags":
        text = ngettext("One flag to settle", "%(n)s flags to settle", facts.flags)
        yield Entry(text % {"n": count(facts.flags)}, "flags")
    is_next = step.key == "decisions" or (step.key == "ties" and facts.waiting == facts.ties)
    if facts.waiting and not is_next:
        text = ngettext(
            "One item is waiting for a decision",
            "%(n)s items are waiting for a decision",
            facts.waiting,
        )
        ties = ngettext("One of them is a tie", "%(n)s of them are ties", facts.ties)
        hint = ties % {"n": count(facts.ties)} if facts.ties else ""
        yield Entry(text % {"n": count(facts.waiting)}, "adjudicate", hint)
    if facts.generated and step.key != "generated":
        text = ngettext(
            "One generated text to review", "%(n)s generated texts to review", facts.generated
        )
        yield Entry(text % {"n": count(facts.generated)}, "generated")
    if stuck := raters.are("stuck") if step.key != "stuck" else 0:
        text = ngettext(
            "One rater has no calibration attempt left",
            "%(n)s raters have no calibration attempt left",
            stuck,
        )
        yield Entry(text % {"n": count(stuck)}, "settings", anchor="#calibration")
    if raters.idle and raters.has_work and not facts.is_paused:
        idle = len(raters.idle)
        text = ngettext(
            "One rater has not rated for a week", "%(n)s raters have not rated for a week", idle
        )
        more = ["…"] if idle > IDLE_SHOWN else []
        hint = ", ".join([*raters.idle[:IDLE_SHOWN], *more])
        yield Entry(text % {"n": count(idle)}, "raters", hint)


def _later(campaign: Campaign, facts: Situation, step: Step) -> Iterator[Entry]:
    has = facts.contents
    if facts.is_archived:
        if has.ratings:
            yield Entry(_("Release the data"), "release-new", _released(facts))
        return
    if not has.items:
        hint = _("Raters read them beside each item.")
        yield Entry(_("Adapt the guidelines"), "settings", hint, "#guidelines")
    if has.items and not facts.is_rated:
        yield Entry(_("Import more"), "import")
    if has.ratings:
        yield Entry(_("See how many more ratings are needed"), "more")
        yield Entry(_("Compare metrics and systems in the lab"), "lab")
        if step.page not in ("release-new", "releases"):
            yield Entry(_("Release the data"), "release-new", _released(facts))
    if missing := len(QUESTIONS) - len(datasheet_answers(campaign)):
        text = _("%(missing)s of %(all)s answers are missing")
        hint = text % {"missing": count(missing), "all": count(len(QUESTIONS))}
        yield Entry(_("Complete the datasheet"), "datasheet", hint)
    if step.page != "members":
        yield Entry(_("People, roles and invitations"), "members")


def _released(facts: Situation) -> str:
    if not facts.latest_release:
        is_withdrawn = facts.contents.releases > 0
        return (
            _("Every release is withdrawn.")
            if is_withdrawn
            else _("No release has been built yet.")
        )
    return _("The latest release is %(version)s.") % {"version": facts.latest_release}


def _figures(membership: Membership, facts: Situation) -> dict[str, Any]:
    """α as the page of agreement has it, pace and forecast as that of progress, and of when."""
    if not facts.contents.ratings:
        return {}
    campaign = membership.campaign
    agreement, progress = figures_of(campaign, "agreement"), figures_of(campaign, "progress")
    if not (agreement.is_current and progress.is_current):
        ask_for_figures(campaign)
    context: dict[str, Any] = {
        "agreement": agreement.content,
        "made_at": agreement.made_at,
        "error": agreement.error,
    }
    # kept from the same people as on the page of agreement
    if agreement.made_at and leaves_out_votes(membership, agreement.made_at):
        context |= {"agreement": None, "is_withheld": True}
    else:
        context |= {"leaves_out": leaves_out_votes(membership)}
    limit = alpha_rule(campaign)
    if limit.is_active:
        context |= {"limit": limit.threshold}
    if progress.content is not None:
        context |= _pace(progress.content, facts)
    return context


def _pace(figures: Mapping[str, Any], facts: Situation) -> dict[str, Any]:
    """Ratings a day over the last whole days, and the day of the end where it can be told."""
    if facts.is_rated or not figures["days"]:
        return {}
    today = timezone.localdate(timezone=timezone.get_default_timezone())
    first = today - PACE_DAYS * _DAY
    days = {date.fromisoformat(each["day"]): each["ratings"] for each in figures["days"]}
    week = sum(ratings for day, ratings in days.items() if first <= day < today)
    pace: dict[str, Any] = {
        "pace": week / PACE_DAYS,
        "pace_first": first,
        "pace_last": today - _DAY,
    }
    forecast = figures["forecast"]
    if forecast["date"] and facts.is_active and not facts.is_paused:
        pace["ends"] = {
            name: date.fromisoformat(forecast[name]) if forecast[name] else None
            for name in ("date", "earliest", "latest")
        }
    return pace
