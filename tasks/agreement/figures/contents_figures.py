"""Counts of what is in a campaign, and of what its raters have done.

No dashboard shows them. Of a campaign with very many ratings a worker keeps them with the figures
of the dashboards, for the overview.
"""

from datetime import datetime

from django.db.models import Count, Max, Q

from tasks.models import Campaign, Question, Rating, Suggestion
from tasks.votes.items import live_items
from tasks.votes.shared_items import candidates_for_answerable
from tomahto.types import JsonObject


def contents_figures(campaign: Campaign) -> JsonObject:
    """`raters` are by the ids of memberships; `last` is when they rated last, null where that is
    not known, `claimed` how many items they claimed and rated."""
    questions = Question.objects.filter(campaign=campaign)
    candidates = candidates_for_answerable(campaign)
    suggested = Suggestion.objects.filter(
        item__in=live_items(campaign), matcher=campaign.suggestion_matcher
    )
    first = Rating.objects.filter(item__campaign=campaign, supersedes=None)
    votes = first.filter(slot__order_key__isnull=False).aggregate(
        ratings=Count("id"), have_rated=Count("rater", distinct=True)
    )
    return {
        "questions": questions.count(),
        "unanswerable": questions.filter(references=[]).count(),
        "candidates": candidates.count(),
        "exact_matches": candidates.filter(is_exact_match=True).count(),
        "items": live_items(campaign).count(),
        "suggested": suggested.values("item").distinct().count(),
        **votes,
        "raters": {
            str(rater): {"last": last and last.isoformat(), "claimed": claimed}
            for rater, last, claimed in _activity(campaign)
        },
    }


def _activity(campaign: Campaign) -> list[tuple[int, datetime | None, int]]:
    claimed = Q(supersedes=None, assignment__isnull=False)
    rows = Rating.objects.filter(rater__campaign=campaign).order_by().values_list("rater")
    return list(rows.annotate(last=Max("rated_at"), claimed=Count("pk", filter=claimed)))
