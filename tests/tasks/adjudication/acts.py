"""Campaigns whose votes are split, and decisions on them, for the tests of adjudication."""

from collections.abc import Mapping, Sequence

from tasks.adjudication.workflow import Decided, adjudicate, store_first_look
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign, Flag, Item, Membership
from tests.tasks.conftest import EQUIVALENT, rating_row

RATERS = ("ann", "ben", "cat", "dan", "eva")
LABELS = {"e": "equivalent", "n": "not-equivalent"}


def vote(
    campaign: Campaign,
    number: int,
    counted: str,
    surplus: str = "",
    *,
    answers: Sequence[Mapping[str, str]] = (),
    comment: str = "",
) -> None:
    """Votes on item `number` of an `ae` campaign by ann, ben, …, each an e or an n.

    With `answers`, one for each vote, those are given instead.
    """
    rows = []
    for place, (rater, letter) in enumerate(zip(RATERS, counted + surplus, strict=False)):
        given = {"answers": answers[place]} if answers else {"label": LABELS[letter]}
        is_counted = place < len(counted)
        rows.append(rating_row(number, rater, comment=comment, counted=is_counted, **given))
    import_ratings(campaign=campaign, rows=rows)


def item_of(campaign: Campaign, number: int) -> Item:
    return Item.objects.get(campaign=campaign, key=f"item-{number}")


def flag_item(campaign: Campaign, number: int, rater: Membership, reason: str = "broken") -> Flag:
    return Flag.objects.create(item=item_of(campaign, number), rater=rater, reason=reason)


def decide(
    adjudicator: Membership,
    number: int,
    answers: Mapping[str, object] = EQUIVALENT,
    *,
    look: Mapping[str, object] | None = None,
    key: str = "",
    reason: str = "The passage says so.",
    **more: object,
) -> Decided:
    """A decision on item `number`, after a first look if one is given."""
    item = item_of(adjudicator.campaign, number)
    if look is not None:
        store_first_look(item=item, adjudicator=adjudicator, answers=look)
    return adjudicate(
        item=item,
        adjudicator=adjudicator,
        answers=answers,
        reason=reason,
        idempotency_key=key or f"key-{number}",
        **more,  # type: ignore[arg-type]  # named arguments of the call
    )
