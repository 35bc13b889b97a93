"""Suggestions that raters have seen, or are still to see."""

from tasks.models import Membership, SuggestionArm, SuggestionPolicy, SuggestionView


def view_to_close(membership: Membership) -> SuggestionView | None:
    """The suggestion that comes before the rater's next item: after an answer, not gone on from."""
    if membership.campaign.suggestions != SuggestionPolicy.AFTER:
        return None
    return (
        SuggestionView.objects.filter(
            assignment__rater=membership, arm=SuggestionArm.AFTER, closed_at=None
        )
        .select_related("suggestion", "assignment__item__question")
        .order_by("pk")
        .first()
    )


def view_after(assignment_id: int | None) -> SuggestionView | None:
    """The suggestion that follows the answer to an assignment; None where there is none."""
    return (
        SuggestionView.objects.filter(assignment=assignment_id, arm=SuggestionArm.AFTER)
        .select_related("suggestion")
        .first()
    )
