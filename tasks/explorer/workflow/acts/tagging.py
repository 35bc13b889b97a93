"""Tags: words that members put on items, which change nothing else."""

from collections.abc import Sequence

from tasks.explorer.workflow.acts.plan import (
    TAGGING,
    Act,
    LeftOut,
    Options,
    Plan,
    Undone,
    sorted_out,
    standing,
    those_of,
)
from tasks.models import ActKind, BulkAct, Campaign, ItemTag, Membership, Tag
from tasks.storing.batches import batches


def _plan_tag(member: Membership, items: Sequence[int], options: Options) -> Plan:
    return sorted_out(items, (LeftOut.HAS_TAG, _tagged(member.campaign, items, options.tag)))


def _plan_untag(member: Membership, items: Sequence[int], options: Options) -> Plan:
    tagged = _tagged(member.campaign, items, options.tag)
    return sorted_out(items, (LeftOut.LACKS_TAG, set(items) - tagged))


def _tagged(campaign: Campaign, items: Sequence[int], name: str) -> set[int]:
    return those_of(ItemTag.objects.filter(tag__campaign=campaign, tag__name=name), items)


def _tag(act: BulkAct, plan: Plan, options: Options) -> None:
    _put(act.campaign, options.tag, plan.items)


def _untag(act: BulkAct, plan: Plan, options: Options) -> None:
    _take(act.campaign, options.tag, plan.items)


def _undo_tagging(act: BulkAct, items: Sequence[int]) -> Undone:
    """As the acts that are left have it."""
    tag = act.options["tag"]
    latest, are = standing(act.campaign, items, TAGGING, tag=tag), _tagged(act.campaign, items, tag)
    wanted = {item for item in items if latest.get(item) == ActKind.TAG}
    _put(act.campaign, tag, sorted(wanted - are))
    _take(act.campaign, tag, sorted(are - wanted))
    changed = len(wanted ^ are)
    return Undone(changed, len(items) - changed)


def _put(campaign: Campaign, name: str, items: Sequence[int]) -> None:
    if not items:
        return
    tag, _is_new = Tag.objects.get_or_create(campaign=campaign, name=name)
    rows = [ItemTag(tag=tag, item_id=item) for item in items]
    ItemTag.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)


def _take(campaign: Campaign, name: str, items: Sequence[int]) -> None:
    """A tag goes with the last item that has it."""
    tags = Tag.objects.filter(campaign=campaign, name=name)
    for batch in batches(items):
        ItemTag.objects.filter(item__in=batch, tag__in=tags).delete()
    tags.filter(item_tags=None).delete()


TAG = Act(("tag",), _plan_tag, _tag, _undo_tagging)
UNTAG = Act(("tag",), _plan_untag, _untag, _undo_tagging)
