"""The state of a campaign in one sentence, and the one thing to do next."""

from collections.abc import Iterator
from typing import NamedTuple

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.home.queries.situation import Situation
from tasks.models import Campaign, JobKind
from tasks.web.number_texts import count


class Step(NamedTuple):
    """Something to do: what and why, on the page of this name. `key` names the case."""

    key: str
    title: str
    why: str
    page: str
    query: str = ""

    def address(self, campaign: Campaign) -> str:
        return reverse(self.page, args=[campaign.slug]) + self.query


_INVITATIONS = "#invitations"


def next_step(facts: Situation) -> Step:
    """The first that applies, in the order of docs/pages.md."""
    return next(_steps(facts))


def state_of(facts: Situation) -> str:
    """One sentence that no step contradicts."""
    has, progress = facts.contents, facts.progress
    numbers = {"done": count(progress.done), "wanted": count(progress.wanted)}
    if not has.items:
        if not has.questions:
            return _("This campaign is empty.")
        text = ngettext(
            "One question has been imported, but there is nothing to rate yet.",
            "%(n)s questions have been imported, but there is nothing to rate yet.",
            has.questions,
        )
        return text % {"n": count(has.questions)}
    if not progress.wanted:
        return _("Every item has been dismissed, so no rating is wanted.")
    if facts.is_rated:
        return _state_when_rated(facts)
    if facts.is_archived:
        return _("The campaign is archived, with %(done)s of %(wanted)s ratings in.") % numbers
    if facts.is_paused:
        return _("The campaign is paused, with %(done)s of %(wanted)s ratings in.") % numbers
    if not progress.done:
        text = ngettext(
            "One item is ready, and nobody has rated it yet.",
            "%(n)s items are ready, and nobody has rated one yet.",
            has.items,
        )
        return text % {"n": count(has.items)}
    if facts.last_rating and not facts.is_active:
        day = date_format(localtime(facts.last_rating), "SHORT_DATE_FORMAT")
        text = _("%(done)s of %(wanted)s ratings are in, and the last one came on %(day)s.")
        return text % (numbers | {"day": day})
    if facts.is_agreement_low:
        text = _("%(done)s of %(wanted)s ratings are in, and agreement is below the goal.")
        return text % numbers
    return _("%(done)s of %(wanted)s ratings are in.") % numbers


def _state_when_rated(facts: Situation) -> str:
    numbers = {"wanted": count(facts.progress.wanted), "version": facts.latest_release}
    if facts.is_agreement_low:
        text = _("All %(wanted)s ratings are in, but agreement is below the goal.")
        return text % numbers
    if facts.has_new_data:
        text = _(
            "All %(wanted)s ratings are in, but the data have changed since release %(version)s."
        )
        return text % numbers
    if facts.latest_release:
        return _("All %(wanted)s ratings are in release %(version)s.") % numbers
    if facts.ties:
        text = ngettext(
            "All %(wanted)s ratings are in, but one item has no majority label.",
            "All %(wanted)s ratings are in, but %(n)s items have no majority label.",
            facts.ties,
        )
        return text % (numbers | {"n": count(facts.ties)})
    return _("All %(wanted)s ratings are in.") % numbers


def _steps(facts: Situation) -> Iterator[Step]:
    if facts.is_archived:
        why = _("This campaign is archived and read-only.")
        yield Step("archived", _("Reopen the campaign"), why, "settings", "#lives")
    if facts.failed_jobs:
        text = ngettext(
            "One failure is unsettled.", "%(n)s failures are unsettled.", facts.failed_jobs
        )
        why = text % {"n": count(facts.failed_jobs)}
        yield Step("failed", _("View the failed jobs"), why, "job-failures")
    if not facts.contents.items:
        yield from _steps_to_items(facts)
    if not facts.progress.wanted:
        why = _("Undo the dismissal of items, or import more.")
        yield Step("dismissed", _("View the dismissed items"), why, "items-acts")
    if not facts.is_rated:
        yield from _steps_to_raters(facts)
    if facts.alerts:
        text = ngettext("One alert is open.", "%(n)s alerts are open.", facts.alerts)
        yield Step("alerts", _("View the alerts"), text % {"n": count(facts.alerts)}, "alerts")
    if facts.flags:
        text = ngettext(
            "A rater has flagged a problem with an item.",
            "Raters have raised %(n)s flags.",
            facts.flags,
        )
        yield Step("flags", _("Settle the flags"), text % {"n": count(facts.flags)}, "flags")
    if not facts.is_rated:
        yield from _steps_to_ratings(facts)
    yield from _steps_to_release(facts)


def _steps_to_items(facts: Situation) -> Iterator[Step]:
    if facts.generated:
        text = ngettext(
            "A model has written one text: it becomes an item once you approve it.",
            "Models have written %(n)s texts: they become items once you approve them.",
            facts.generated,
        )
        why = text % {"n": count(facts.generated)}
        yield Step("generated", _("Review the generated texts"), why, "generated")
    if {JobKind.ANSWER, JobKind.GENERATE}.intersection(facts.jobs):
        why = _("A job is making items to rate.")
        yield Step("working", _("Follow the job"), why, "jobs")
    if not facts.contents.questions:
        why = _("Start with questions, or import complete items with their answers.")
        yield Step("empty", _("Import questions or items"), why, "import")
    why = _("Import systems’ answers to these questions: they become the items to rate.")
    if facts.contents.exact_matches:
        why = _("So far every answer matches a reference exactly, and exact matches are not rated.")
    yield Step("questions", _("Import predictions or items"), why, "import")


def _steps_to_raters(facts: Situation) -> Iterator[Step]:
    """While ratings are missing: none is wanted now, or there is no rater who could give them."""
    raters = facts.raters
    if facts.is_paused:
        why = _("Nobody gets an item while the campaign is paused.")
        yield Step("paused", _("Open the campaign again"), why, "settings")
    if facts.without_suggestion:
        text = ngettext(
            "Raters should see suggestions, but one item has none.",
            "Raters should see suggestions, but %(n)s items have none.",
            facts.without_suggestion,
        )
        why = text % {"n": count(facts.without_suggestion)}
        yield Step("suggestions", _("Pre-fill suggestions"), why, "jobs")
    # researchers and admins rate, too
    if raters.has_work or (raters.others and not raters.all):
        return
    if not raters.all and facts.invitations:
        why = _("An invitation is open, but nobody has used it yet.")
        yield Step("invited", _("Follow up on the invitation"), why, "members", _INVITATIONS)
    if not raters.all:
        why = _("The campaign has no raters.")
        yield Step("no-raters", _("Invite raters"), why, "members", _INVITATIONS)
    if raters.are("stuck"):
        why = _("No rater can continue: some have no calibration attempt left.")
        yield Step("stuck", _("Decide about their calibration"), why, "settings", "#calibration")
    if raters.are("consent", "calibration"):
        why = _("Raters have yet to give their consent or to pass the calibration.")
        yield Step("not-admitted", _("Ask the raters to start"), why, "members")
    if raters.are("able"):
        why = _("The raters have done every item they can; the missing ratings need more people.")
        yield Step("no-rater-left", _("Invite more raters"), why, "members", _INVITATIONS)
    if raters.are("at_quota"):
        why = _("Raters have reached their quotas, and ratings are still missing.")
        yield Step("at-quota", _("Raise a quota or invite raters"), why, "members")
    why = _("Every rater of the campaign is paused.")
    yield Step("raters-paused", _("Resume raters"), why, "members")


def _steps_to_ratings(facts: Situation) -> Iterator[Step]:
    if facts.waiting:  # these have all their ratings, while others still want some
        text = ngettext(
            "One item is waiting for a decision.",
            "%(n)s items are waiting for a decision.",
            facts.waiting,
        )
        yield Step("decisions", _("Adjudicate"), text % {"n": count(facts.waiting)}, "adjudicate")
    if facts.is_active:
        why = _("Ratings are coming in. Agreement is where problems show first.")
        yield Step("rating", _("Watch the agreement"), why, "agreement")
    if not facts.raters.begun:
        why = _("Raters have joined but not started. View the form as they see it.")
        yield Step("not-begun", _("View the form"), why, "rate")
    why = _("There has been no rating for a week. See who has stopped.")
    yield Step("stalled", _("Remind the raters"), why, "raters")


def _steps_to_release(facts: Situation) -> Iterator[Step]:
    if facts.ties and not facts.latest_release:
        text = ngettext(
            "Votes are even on one item, so somebody has to decide.",
            "Votes are even on %(n)s items, so somebody has to decide.",
            facts.ties,
        )
        why = text % {"n": count(facts.ties)}
        yield Step("ties", _("Decide the ties"), why, "adjudicate", "?reason=tie")
    if JobKind.RELEASE in facts.jobs:
        why = _("A release is being built.")
        yield Step("releasing", _("Follow the release"), why, "releases")
    if not facts.latest_release:
        why = _("A preview shows what the release will contain before you build it.")
        yield Step("not-released", _("Release the data"), why, "release-new")
    version = {"version": facts.latest_release}
    if facts.has_new_data:
        text = _("Some ratings, decisions or items are not in release %(version)s.")
        yield Step("new-data", _("Release a new version"), text % version, "release-new")
    text = _("Release %(version)s is complete and can be downloaded and cited.")
    yield Step("released", _("Open the releases"), text % version, "releases")
