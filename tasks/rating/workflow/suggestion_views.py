"""Keeping record of the suggestions that raters see: when one was shown, when they went on."""

from contextlib import AbstractContextManager, nullcontext

from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from tasks.models import (
    Campaign,
    Membership,
    Rating,
    Suggestion,
    SuggestionArm,
    SuggestionPolicy,
    SuggestionView,
)
from tasks.prefill.queries.suggestions import suggestion_for


def note_shown(*, assignment_id: int, suggestion: Suggestion) -> None:
    """The suggestion is shown together with the item. A second look changes nothing."""
    SuggestionView.objects.get_or_create(
        assignment_id=assignment_id,
        defaults={"suggestion": suggestion, "arm": SuggestionArm.BEFORE, "shown_at": Now()},
    )


def note_shown_after(view: SuggestionView) -> None:
    """The page with the rater's answer and the suggestion is sent. A reload changes nothing."""
    SuggestionView.objects.filter(pk=view.pk, shown_at=None).update(shown_at=Now())


def note_rated(*, rating: Rating, campaign: Campaign) -> None:
    """End the view with the item, or make one due after the answer; once per assignment."""
    if rating.suggestion_arm not in (SuggestionArm.BEFORE, SuggestionArm.AFTER):
        return
    assert rating.assignment_id is not None  # noqa: S101 - an import has no arm
    if close_view(assignment_id=rating.assignment_id):
        return
    suggestion = suggestion_for(rating.item_id, campaign)
    if suggestion is not None:
        is_over = rating.suggestion_arm == SuggestionArm.BEFORE
        SuggestionView.objects.get_or_create(
            assignment_id=rating.assignment_id,
            defaults={
                "suggestion": suggestion,
                "arm": rating.suggestion_arm,
                "closed_at": Now() if is_over else None,
            },
        )


def has_seen(assignment_id: int | None) -> bool:
    """Whether the rater of an assignment has been shown its suggestion."""
    return SuggestionView.objects.filter(
        Q(shown_at__isnull=False) | Q(arm=SuggestionArm.BEFORE), assignment=assignment_id
    ).exists()


def close_view(*, assignment_id: int) -> bool:
    """The rater goes on from the suggestion; false if none stands open."""
    views = SuggestionView.objects.filter(assignment=assignment_id)
    return bool(views.filter(shown_at__isnull=False, closed_at=None).update(closed_at=Now()))


def close_views_of(membership: Membership) -> None:
    """The rater goes on from every suggestion that was shown to them after an answer."""
    if membership.campaign.suggestions == SuggestionPolicy.AFTER:
        SuggestionView.objects.filter(
            assignment__rater=membership,
            arm=SuggestionArm.AFTER,
            shown_at__isnull=False,
            closed_at=None,
        ).update(closed_at=Now())


def together_with_view(campaign: Campaign) -> AbstractContextManager[None]:
    """A transaction for the rating and its view where suggestions are shown."""
    is_shown = campaign.suggestions != SuggestionPolicy.HIDDEN
    return transaction.atomic() if is_shown else nullcontext()
