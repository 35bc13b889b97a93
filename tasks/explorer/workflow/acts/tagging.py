"""Tags: words that members put on items, which change nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.explorer.workflow.acts.plan import (
    TAGGING,
    Act,
    LeftOut,
    Options,
    Plan,
    Undone,
    acted_on_since,
    remove,
    sorted_out,
    those_of,
)
from tasks.models import BulkAct, Campaign, ItemTag, Membership, Tag


def _plan_tag(member: Membership, items: Sequence[int], options: Options) -> Plan:
    return sorted_out(items, (LeftOut.HAS_TAG, _tagged(member.campaign, items, options.tag)))


def _plan_untag(member: Membership, items: Sequence[int], options: Options) -> Plan:
    tagged = _tagged(member.campaign, items, options.tag)
    return sorted_out(items, (LeftOut.LACKS_TAG, set(items) - tagged))


def _tagged(campaign: Campaign, items: Sequence[int], name: str) -> set[int]:
    return those_of(ItemTag.objects.filter(tag__campaign=campaign, tag__name=name), items)


def _tag(act: BulkAct, plan: Plan, options: Options) -> Mapping[str, Any]:
    _put(act.campaign, options.tag, plan.items)
    return {}


def _untag(act: BulkAct, plan: Plan, options: Options) -> Mapping[str, Any]:
    _take(act.campaign, options.tag, plan.items)
    return {}


def _undo_tag(act: BulkAct, items: Sequence[int]) -> Undone:
    tag = act.options["tag"]
    since = acted_on_since(act, items, TAGGING, tag=tag)
    removed = _take(act.campaign, tag, [item for item in items if item not in since])
    return Undone(removed, len(items) - removed)


def _undo_untag(act: BulkAct, items: Sequence[int]) -> Undone:
    tag = act.options["tag"]
    since = acted_on_since(act, items, TAGGING, tag=tag)
    _put(act.campaign, tag, [item for item in items if item not in since])
    return Undone(len(items) - len(since), len(since))


def _put(campaign: Campaign, name: str, items: Sequence[int]) -> None:
    tag, _is_new = Tag.objects.get_or_create(campaign=campaign, name=name)
    rows = [ItemTag(tag=tag, item_id=item) for item in items]
    ItemTag.objects.bulk_create(rows, batch_size=1000, ignore_conflicts=True)


def _take(campaign: Campaign, name: str, items: Sequence[int]) -> int:
    """How many had it. A tag goes with the last item that has it."""
    tags = Tag.objects.filter(campaign=campaign, name=name)
    removed = remove(ItemTag, items, tag__in=tags)
    tags.filter(item_tags=None).delete()
    return removed


TAG = Act(("tag",), _plan_tag, _tag, _undo_tag)
UNTAG = Act(("tag",), _plan_untag, _untag, _undo_untag)
