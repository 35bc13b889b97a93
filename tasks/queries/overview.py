"""What a campaign has, at a glance: what its next step should be."""

from dataclasses import dataclass

from django.db.models import Count

from tasks.models import Campaign, Candidate, Membership, Question, Release, Role, Suggestion
from tasks.queries.items import live_items
from tasks.queries.ratings import counted_ratings


@dataclass(frozen=True, slots=True)
class CampaignContents:
    """Counts of what is in a campaign.

    `raters` are active members of that role with an account. `have_rated` counts whoever gave a
    vote, in any role, also people whose ratings were imported and who have no account.
    """

    questions: int
    candidates: int
    exact_matches: int
    items: int
    suggested: int
    raters: int
    have_rated: int
    ratings: int
    releases: int


def contents_of(campaign: Campaign) -> CampaignContents:
    candidates = Candidate.objects.filter(system__campaign=campaign)
    suggested = Suggestion.objects.filter(
        item__in=live_items(campaign), matcher=campaign.suggestion_matcher
    )
    raters = Membership.objects.filter(campaign=campaign, is_active=True, role=Role.RATER)
    votes = counted_ratings(campaign).aggregate(
        ratings=Count("id"), raters=Count("rater", distinct=True)
    )
    return CampaignContents(
        questions=Question.objects.filter(campaign=campaign).count(),
        candidates=candidates.count(),
        exact_matches=candidates.filter(is_exact_match=True).count(),
        items=live_items(campaign).count(),
        suggested=suggested.values("item").distinct().count(),
        raters=raters.exclude(user=None).count(),
        have_rated=votes["raters"],
        ratings=votes["ratings"],
        releases=Release.objects.filter(campaign=campaign).count(),
    )
