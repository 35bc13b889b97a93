"""What a campaign's overview says first: how it stands, and the one thing to do next."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.home.queries.situation import Situation
from tasks.web.number_texts import count


class Step(NamedTuple):
    """Something to do: what and why, on the page of this name. `key` names the case."""

    key: str
    title: str
    why: str
    page: str


Case = Callable[[Situation], Step | None]


def next_step(facts: Situation) -> Step:
    """The first that applies, in the order of docs/pages.md."""
    return next(step for case in _CASES if (step := case(facts)) is not None)


def state_of(facts: Situation) -> str:
    """One sentence that no step contradicts."""
    has, progress = facts.contents, facts.progress
    done, wanted = count(progress.done), count(progress.wanted)
    if not has.items:
        if not has.questions:
            return _("This campaign is empty.")
        text = ngettext(
            "One question has been imported, but there is nothing to rate yet.",
            "%(n)s questions have been imported, but there is nothing to rate yet.",
            has.questions,
        )
        return text % {"n": count(has.questions)}
    if facts.is_rated:
        return _state_when_rated(facts)
    if not progress.done:
        text = ngettext(
            "One item is ready, and nobody has rated it yet.",
            "%(n)s items are ready, and nobody has rated one yet.",
            has.items,
        )
        state = text % {"n": count(has.items)}
    else:
        text = _("%(done)s of %(wanted)s ratings are in.")
        state = text % {"done": done, "wanted": wanted}
    if facts.is_paused:
        return f"{state} {_('The campaign is paused.')}"
    if facts.last_rating and not facts.is_active:
        day = date_format(localtime(facts.last_rating), "SHORT_DATE_FORMAT")
        return f"{state} {_('The last one came on %(day)s.') % {'day': day}}"
    return state


def _state_when_rated(facts: Situation) -> str:
    text = _("All %(wanted)s ratings are in.") % {"wanted": count(facts.progress.wanted)}
    version = {"version": facts.latest_release}
    if facts.has_new_data:
        return f"{text} {_('Release %(version)s does not contain all of them.') % version}"
    if facts.latest_release:
        return f"{text} {_('Release %(version)s contains them.') % version}"
    if facts.ties:
        ties = ngettext(
            "One item has no majority label.", "%(n)s items have no majority label.", facts.ties
        )
        return f"{text} {ties % {'n': count(facts.ties)}}"
    return text


def _fill(facts: Situation) -> Step | None:
    if facts.contents.items:
        return None
    if facts.failed_jobs:
        return _failed(facts)
    if not facts.contents.questions:
        why = _("Start with questions, or import complete items with their answers.")
        return Step("empty", _("Import questions or items"), why, "import")
    why = _("The systems’ answers to these questions become the items that people judge.")
    return Step("questions", _("Import predictions or items"), why, "import")


def _failed(facts: Situation) -> Step | None:
    if not facts.failed_jobs:
        return None
    text = ngettext(
        "One failure is unresolved.", "%(n)s failures are unresolved.", facts.failed_jobs
    )
    why = text % {"n": count(facts.failed_jobs)}
    return Step("failed", _("Check the failed jobs"), why, "job-failures")


def _paused(facts: Situation) -> Step | None:
    if facts.is_rated or not facts.is_paused:
        return None
    why = _("Nobody gets an item while a campaign is paused.")
    return Step("paused", _("Open the campaign again"), why, "settings")


def _alerts(facts: Situation) -> Step | None:
    if not facts.alerts:
        return None
    text = ngettext("One alert is open.", "%(n)s alerts are open.", facts.alerts)
    return Step("alerts", _("Check the alerts"), text % {"n": count(facts.alerts)}, "alerts")


def _flags(facts: Situation) -> Step | None:
    if not facts.flags:
        return None
    text = ngettext(
        "A rater has flagged a problem with an item.",
        "Raters have raised %(n)s flags.",
        facts.flags,
    )
    return Step("flags", _("Settle the flags"), text % {"n": count(facts.flags)}, "flags")


def _suggestions(facts: Situation) -> Step | None:
    if facts.is_rated or not facts.without_suggestion:
        return None
    text = ngettext(
        "Raters are supposed to see suggestions, but one item has none.",
        "Raters are supposed to see suggestions, but %(n)s items have none.",
        facts.without_suggestion,
    )
    why = text % {"n": count(facts.without_suggestion)}
    return Step("suggestions", _("Pre-fill suggestions"), why, "jobs")


def _people(facts: Situation) -> Step | None:
    """While ratings are missing and none has come for a week."""
    if facts.is_rated or facts.is_active:
        return None
    if not facts.contents.raters:
        if facts.invitations:
            why = _("An invitation is open, but nobody has used it yet.")
            return Step("invited", _("Follow up on the invitation"), why, "members")
        return Step("no raters", _("Invite raters"), _("There are no raters yet."), "members")
    if not facts.begun:
        why = _("Raters have joined but not started. See the form as they do.")
        return Step("not begun", _("Look at the form"), why, "rate")
    why = _("There have been no ratings for a week. See who has stopped.")
    return Step("stalled", _("Remind the raters"), why, "raters")


def _rating(facts: Situation) -> Step | None:
    if facts.is_rated:
        return None
    why = _("Ratings are coming in. Agreement is where problems show first.")
    return Step("rating", _("Watch the agreement"), why, "agreement")


def _ties(facts: Situation) -> Step | None:
    if facts.latest_release or not facts.ties:
        return None
    text = ngettext(
        "One item has no majority label: an adjudicator decides.",
        "%(n)s items have no majority label: an adjudicator decides.",
        facts.ties,
    )
    return Step("ties", _("Adjudicate"), text % {"n": count(facts.ties)}, "adjudicate")


def _release(facts: Situation) -> Step | None:
    if not facts.latest_release:
        why = _("A preview shows what the release will contain before you build it.")
        return Step("not released", _("Release the data"), why, "release-new")
    if facts.has_new_data:
        text = _("There are ratings, decisions or items that release %(version)s does not contain.")
        why = text % {"version": facts.latest_release}
        return Step("new data", _("Release a new version"), why, "release-new")
    return None


def _nothing(facts: Situation) -> Step:
    why = _("Nothing left to do. Release %(version)s can be downloaded and cited.")
    text = why % {"version": facts.latest_release}
    return Step("released", _("Open the releases"), text, "releases")


_CASES: tuple[Case, ...] = (
    *(_fill, _failed, _paused, _alerts, _flags, _suggestions, _people, _rating),
    *(_ties, _release, _nothing),
)
