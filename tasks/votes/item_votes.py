"""For those who judge the judgements: one item with everything that was said of it, what raters
answered to control items, and jobs, for why one failed can tell how items were judged."""

from dataclasses import dataclass

from django.db.models import Count, F, Q
from django.utils.translation import gettext as _

from tasks.models import (
    Campaign,
    ExpectedAnswer,
    Flag,
    Item,
    ItemPurpose,
    Job,
    JobKind,
    Membership,
    Rating,
    Suggestion,
)
from tasks.votes.blindness import for_reader, leaves_out_votes
from tasks.votes.ratings import with_standing


@dataclass(frozen=True, slots=True)
class ItemVotes:
    """Ratings in their last revision, oldest first, suggestions of every matcher, flags."""

    ratings: tuple[Rating, ...]
    suggestions: tuple[Suggestion, ...]
    flags: tuple[Flag, ...]
    expected: ExpectedAnswer | None


def item_in(campaign: Campaign, item_id: int) -> Item:
    """An item of a campaign with its question and systems. Raises Item.DoesNotExist."""
    return (
        Item.objects.filter(campaign=campaign)
        .select_related("question__document")
        .prefetch_related("item_systems__system")
        .get(pk=item_id)
    )


def votes_on(item: Item, reader: Membership) -> ItemVotes:
    """As far as the reader may know: a matcher that learned from votes says of one item what those
    on another are."""
    ratings = with_standing(Rating.objects.filter(item=item, superseded_by=None))
    suggestions = Suggestion.objects.filter(item=item).order_by("matcher", "-id")
    newest = {one.matcher: one for one in reversed(suggestions)}
    return ItemVotes(
        ratings=tuple(ratings.select_related("outcome", "rater").order_by("id")),
        suggestions=tuple(one for one in newest.values() if not tells_votes(one, reader)),
        flags=tuple(Flag.objects.filter(item=item).select_related("rater").order_by("id")),
        expected=ExpectedAnswer.objects.filter(item=item).select_related("outcome").first(),
    )


def tells_votes(suggestion: Suggestion, reader: Membership) -> bool:
    is_trained = learned_from_votes(suggestion.matcher, reader.campaign)
    return is_trained and leaves_out_votes(reader, suggestion.created_at)


def learned_from_votes(matcher: str, campaign: Campaign) -> bool:
    """Whether the campaign has trained a matcher of this name itself."""
    return matcher.endswith(f"@{campaign.slug}")


def control_answers(campaign: Campaign) -> dict[str, tuple[int, int]]:
    """The number of answers with the expected label, and of all, by pseudonym in its order.

    First answers count: who has noticed that an item checks them may have gone back to it.
    Raters without any are left out.
    """
    as_expected = Q(outcome__label=F("item__expected__outcome__label"))
    given = Rating.objects.filter(
        item__campaign=campaign,
        item__purpose=ItemPurpose.CONTROL,
        item__expected__isnull=False,
        supersedes=None,
    )
    answers = (
        for_reader(given, campaign)
        .values_list("rater__pseudonym")
        .annotate(right=Count("id", filter=as_expected), given=Count("id"))
        .order_by()
    )
    return {rater: (right, given) for rater, right, given in sorted(answers)}


_OF_VOTES = (JobKind.TRAIN, JobKind.EVALUATE, JobKind.RELEASE, JobKind.PREVIEW)


def told_jobs(jobs: list[Job], reader: Membership) -> list[Job]:
    """The jobs, without the errors of those that count votes while the reader may still rate items
    that have any."""
    telling = [job for job in jobs if job.error and job.kind in _OF_VOTES]
    if telling and leaves_out_votes(reader):
        for job in telling:
            job.error = _("Failed. The reason is shown to those who have asked for all votes.")
    return jobs
