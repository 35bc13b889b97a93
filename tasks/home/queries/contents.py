"""Counts of everything that is in a campaign."""

from dataclasses import dataclass

from django.db.models import Count

from tasks.models import Campaign, Membership, Question, Rating, Release, Role, Suggestion
from tasks.votes.items import live_items
from tasks.votes.system_answers import candidates_for_answerable


@dataclass(frozen=True, slots=True)
class CampaignContents:
    """Counts of what is in a campaign.

    `unanswerable` of the questions have no right answer; candidates for them are not counted.
    `raters` are active members of that role with an account. `have_rated` counts whoever gave a
    vote, in any role, also people whose ratings were imported and who have no account.
    """

    questions: int
    unanswerable: int
    candidates: int
    exact_matches: int
    items: int
    suggested: int
    raters: int
    have_rated: int
    ratings: int
    releases: int


def contents_of(campaign: Campaign) -> CampaignContents:
    questions = Question.objects.filter(campaign=campaign)
    candidates = candidates_for_answerable(campaign)
    suggested = Suggestion.objects.filter(
        item__in=live_items(campaign), matcher=campaign.suggestion_matcher
    )
    raters = Membership.objects.filter(campaign=campaign, is_active=True, role=Role.RATER)
    first = Rating.objects.filter(item__campaign=campaign, supersedes=None)
    votes = first.filter(slot__order_key__isnull=False).aggregate(
        ratings=Count("id"), raters=Count("rater", distinct=True)
    )
    return CampaignContents(
        questions=questions.count(),
        unanswerable=questions.filter(references=[]).count(),
        candidates=candidates.count(),
        exact_matches=candidates.filter(is_exact_match=True).count(),
        items=live_items(campaign).count(),
        suggested=suggested.values("item").distinct().count(),
        raters=raters.exclude(user=None).count(),
        have_rated=votes["raters"],
        ratings=votes["ratings"],
        releases=Release.objects.filter(campaign=campaign).count(),
    )
