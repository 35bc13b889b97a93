"""Setting ratings aside: an admin distrusts a rater, gives a reason, and others get the places.

Nothing is deleted, and the rater is told nothing. A revision of a rating that is set aside is set
aside too. Undoing brings all of them back; what others have rated meanwhile stays.
"""

from collections.abc import Collection, Mapping
from datetime import date

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Now

from tasks.campaigns.workflow.slots import give_up_places, take_places_back
from tasks.models import Assessment, AuditAction, Campaign, Membership, RatingSetAside, SetAside
from tasks.storing.acts import record
from tasks.storing.changed_campaigns import count_change
from tasks.storing.in_the_way import again_if_in_the_way
from tasks.storing.refusals import Refusal
from tasks.votes.set_aside import ratings_to_set_aside


class NothingToSetAside(Refusal):
    """The rater has no such ratings, or all of them are set aside."""


class SetAsideUndone(Refusal):
    """The act has been undone before."""


def set_aside(
    *,
    rater: Membership,
    by: Membership,
    reason: str,
    since: date | None = None,
    items: Collection[int] | None = None,
) -> SetAside:
    """Set the rater's ratings aside that `ratings_to_set_aside` finds.

    Raises NothingToSetAside and InTheWay.
    """
    return again_if_in_the_way(
        lambda: set_aside_once(rater=rater, by=by, reason=reason, since=since, items=items)
    )


@transaction.atomic
def set_aside_once(
    *,
    rater: Membership,
    by: Membership,
    reason: str,
    since: date | None = None,
    items: Collection[int] | None = None,
) -> SetAside:
    """As `set_aside`, as part of another act, which has to be done again on IntegrityError."""
    campaign = rater.campaign
    count_change(campaign)
    ratings = ratings_to_set_aside(rater, since=since, items=items).order_by("item")
    histories = list(ratings.values_list("item", "slot"))
    if not histories:
        raise NothingToSetAside("there are no ratings of this rater to set aside")
    act = SetAside.objects.create(campaign=campaign, rater=rater, by=by, reason=reason)
    RatingSetAside.objects.bulk_create(
        (
            RatingSetAside(act=act, item_id=item, rater=rater, slot_id=slot)
            for item, slot in histories
        ),
        batch_size=1000,
    )
    votes = [(item, slot) for item, slot in histories if slot]
    give_up_places(
        campaign=campaign, items=[item for item, _slot in votes], slots=[slot for _, slot in votes]
    )
    _work_out_figures_again(campaign)
    numbers = {"ratings": len(histories), "votes": len(votes)}
    _record(AuditAction.RATINGS_SET_ASIDE, act, by, {**numbers, "reason": reason, "since": since})
    return act


def undo_set_aside(*, act: SetAside, by: Membership) -> None:
    """Let the ratings count again. Raises SetAsideUndone and InTheWay."""
    again_if_in_the_way(lambda: undo_set_aside_once(act=act, by=by))


@transaction.atomic
def undo_set_aside_once(*, act: SetAside, by: Membership) -> None:
    """As `undo_set_aside`, as part of another act, which has to be done again on IntegrityError."""
    count_change(act.campaign)
    changed = SetAside.objects.filter(pk=act.pk, undone_at=None).update(
        undone_at=Now(), undone_by=by
    )
    if not changed:
        raise SetAsideUndone("this has been undone before")
    histories = act.histories.order_by("item")
    votes = list(histories.filter(slot__isnull=False).values_list("item", "slot"))
    numbers = {"ratings": histories.update(holds=False), "votes": len(votes)}
    take_places_back(
        campaign=act.campaign,
        items=[item for item, _slot in votes],
        slots=[slot for _item, slot in votes],
    )
    _work_out_figures_again(act.campaign)
    _record(AuditAction.RATINGS_TAKEN_BACK, act, by, numbers)


def _work_out_figures_again(campaign: Campaign) -> None:
    """Those that are kept count other votes: as if no rating had been there, also for a worker who
    is at it."""
    Assessment.objects.filter(campaign=campaign).update(
        newest_rating=0, begun_at=None, attempt=F("attempt") + 1
    )


def _record(
    action: AuditAction, act: SetAside, by: Membership, details: Mapping[str, object]
) -> None:
    record(
        action,
        campaign=act.campaign,
        subject=("member", act.rater.name),
        details={"act": act.pk, **details},
        by=by,
    )
