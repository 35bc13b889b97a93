"""Setting the ratings of a rater on chosen items aside, as from the rater's own page."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from tasks.explorer.workflow.acts.plan import (
    Act,
    LeftOut,
    Options,
    Plan,
    Undone,
    not_live,
    sorted_out,
    those_of,
)
from tasks.models import BulkAct, Campaign, Item, Membership, SetAside
from tasks.votes.blindness import votes_are_open_to
from tasks.votes.set_aside import items_rated_since, ratings_to_set_aside
from tasks.votes.workflow.set_aside import SetAsideUndone, set_aside_once, undo_set_aside_once


def _plan(member: Membership, items: Sequence[int], options: Options) -> Plan:
    """The raters of an item are withheld as the votes are."""
    rated = those_of(ratings_to_set_aside(_rater(member.campaign, options)), items)
    withheld = set(items) - those_of(
        Item.objects.filter(votes_are_open_to(member, "pk")), items, "pk"
    )
    plan = sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.BLIND, withheld),
        (LeftOut.NOT_RATED, set(items) - rated),
    )
    return replace(plan, withheld=tuple(sorted(withheld)))


def _set_aside(act: BulkAct, plan: Plan, options: Options) -> None:
    rater = _rater(act.campaign, options)
    done = set_aside_once(rater=rater, by=act.member, reason=options.reason, items=plan.items)
    act.result["set_aside"] = done.pk
    act.save(update_fields=["result"])


def _undo(act: BulkAct, items: Sequence[int]) -> Undone:
    """The ratings count again, also where others have rated the items since."""
    done = SetAside.objects.get(pk=act.result["set_aside"])
    kept = items_rated_since(done)
    assert act.undone_by is not None  # noqa: S101 - who undoes it is noted first
    with suppress(SetAsideUndone):  # from the list of what is set aside
        undo_set_aside_once(act=done, by=act.undone_by)
    return Undone(len(items) - kept, kept)


def _rater(campaign: Campaign, options: Options) -> Membership:
    return Membership.objects.get(campaign=campaign, pseudonym=options.rater)


SET_ASIDE = Act(("rater", "reason"), _plan, _set_aside, _undo)
