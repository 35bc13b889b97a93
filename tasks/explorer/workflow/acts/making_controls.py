"""Making control items of items whose answer is known: by a decision, or because everybody agrees.

The item itself stays as it is, with its votes. What checks raters is a copy of it with the expected
answer: raters who have rated the item never get its copy (`tasks/rating/workflow/controls.py`), and
nobody else is to rate the item any more.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import ForeignObjectRel
from django.utils.translation import gettext as _

from tasks.explorer.workflow.acts.plan import (
    Act,
    LeftOut,
    Options,
    Plan,
    Undone,
    dismissed,
    not_live,
    sorted_out,
    those_of,
)
from tasks.models import (
    ActedItem,
    Adjudication,
    BulkAct,
    Campaign,
    ExpectedAnswer,
    Item,
    ItemHandling,
    ItemPurpose,
    ItemScore,
    ItemSummary,
    ItemTag,
    Membership,
    Role,
    SeenVotes,
    Slot,
    StaleItem,
    Suggestion,
    Tag,
)
from tasks.storing.batches import batches
from tasks.votes.blindness import votes_are_open_to
from tasks.votes.ratings import counted_ratings

FEWEST_VOTES = 2
_OF_A_COPY = (
    *(ExpectedAnswer, Suggestion, ItemSummary, ItemScore, StaleItem),
    *(ItemTag, ItemHandling, ActedItem, SeenVotes),
)
_OUTCOME, _LABEL = "outcome_id", "outcome__label"
_COPY = "{key}~control"
_LONGEST = Item._meta.get_field("key").max_length or 0


class Known(NamedTuple):
    """The answer to an item, and how it is known."""

    outcome: str
    explanation: str


def _plan(member: Membership, items: Sequence[int], _options: Options) -> Plan:
    campaign = member.campaign
    open_to = those_of(Item.objects.filter(votes_are_open_to(member, "pk")), items, "pk")
    votes, decided = _votes(campaign, items), _decisions(items)
    settled = {item for item, found in decided.items() if len(_labels(found)) == 1}
    few = {
        item for item in items if item not in decided and len(votes.get(item, ())) < FEWEST_VOTES
    }
    split = {item for item in items if item not in settled and _are_split(votes, decided, item)}
    places = Slot.objects.filter(is_filled=False, order_key__isnull=False)
    return sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.IS_COPIED, copied(campaign, items)),
        (LeftOut.UNFINISHED, those_of(places, items)),
        (LeftOut.BLIND, set(items) - open_to),
        (LeftOut.FEW_VOTES, few),
        (LeftOut.SPLIT, split),
    )


def _make(act: BulkAct, plan: Plan, _options: Options) -> Mapping[str, Any]:
    """The items that were made."""
    made: list[int] = []
    for batch in batches(plan.items):
        known = _known(act.campaign, batch)
        items = list(Item.objects.filter(pk__in=batch).order_by("pk"))
        copies = Item.objects.bulk_create(_copy(item) for item in items)
        pairs = list(zip(items, copies, strict=True))
        ExpectedAnswer.objects.bulk_create(
            ExpectedAnswer(
                item=copy,
                outcome_id=known[item.pk].outcome,
                explanation=known[item.pk].explanation,
            )
            for item, copy in pairs
        )
        _copy_suggestions({item.pk: copy for item, copy in pairs})
        _note_that_answers_are_open(act.campaign, batch)
        made += [copy.pk for copy in copies]
    return {"made": made}


def _note_that_answers_are_open(campaign: Campaign, items: Sequence[int]) -> None:
    """Whoever may see results sees the expected answer of a copy, so that the item's votes are
    open to them as well."""
    readers = Membership.objects.filter(campaign=campaign).exclude(role=Role.RATER)
    SeenVotes.objects.bulk_create(
        (SeenVotes(item_id=item, member=reader) for item in items for reader in readers),
        ignore_conflicts=True,
    )


def _undo(act: BulkAct, items: Sequence[int]) -> Undone:
    """Copies that nobody has been given and nobody has said anything of go again, with their
    tags."""
    made: list[int] = act.result["made"]
    used = _used(made)
    for batch in batches(item for item in made if item not in used):
        for model in _OF_A_COPY:
            model._default_manager.filter(item__in=batch).delete()
        Item.objects.filter(pk__in=batch).delete()
    Tag.objects.filter(campaign=act.campaign, item_tags=None).delete()
    return Undone(len(items) - len(used), len(used))


def _used(made: Sequence[int]) -> set[int]:
    """Copies that any table names but those whose rows go with a copy."""
    used = set[int]()
    for relation in Item._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.related_model not in _OF_A_COPY:
            rows = relation.related_model._default_manager.all()
            used |= those_of(rows, made, relation.field.name)
    return used


def _copy(item: Item) -> Item:
    return Item(
        campaign_id=item.campaign_id,
        question_id=item.question_id,
        key=_copy_key(item.key),
        references=item.references,
        reference_index=item.reference_index,
        candidate=item.candidate,
        intended=item.intended,
        purpose=ItemPurpose.CONTROL,
    )


def _copy_key(key: str) -> str:
    """Two long keys that begin alike have two copies."""
    room = _LONGEST - len(_COPY.format(key=""))
    if len(key) > room:
        digest = hashlib.sha256(key.encode()).hexdigest()[:16]
        key = f"{key[: room - len(digest)]}{digest}"
    return _COPY.format(key=key)


def copied(campaign: Campaign, items: Sequence[int]) -> set[int]:
    """Those of these items that have a copy which checks raters."""
    found: set[int] = set()
    for batch in batches(items):
        keys = {
            _copy_key(key): pk
            for pk, key in Item.objects.filter(pk__in=batch).values_list("pk", "key")
        }
        there = Item.objects.filter(campaign=campaign, key__in=keys).values_list("key", flat=True)
        found.update(keys[key] for key in there)
    return found


def _copy_suggestions(copies: Mapping[int, Item]) -> None:
    """With them, a control item looks like any other to a rater who sees suggestions."""
    Suggestion.objects.bulk_create(
        Suggestion(
            item=copies[one.item_id],
            matcher=one.matcher,
            version=one.version,
            score=one.score,
            is_correct=one.is_correct,
            explanation=one.explanation,
        )
        for one in Suggestion.objects.filter(item__in=copies).order_by("pk")
    )


def _known(campaign: Campaign, items: Sequence[int]) -> dict[int, Known]:
    """The answer of each item that the plan has kept: the newest decision, or the votes' label."""
    decisions, votes = _decisions(items), _votes(campaign, items)
    known = {}
    for item in items:
        if item in decisions:
            known[item] = Known(decisions[item][-1][0], decisions[item][-1][2])
        else:
            outcome = campaign.annotation_protocol.outcome_of_label(votes[item][0])
            said = _("All %(number)s raters said so.") % {"number": len(votes[item])}
            known[item] = Known(outcome.id, said)
    return known


def _votes(campaign: Campaign, items: Sequence[int]) -> dict[int, list[str]]:
    """The labels of the counted ratings of each item that has some."""
    found: dict[int, list[str]] = {}
    for batch in batches(items):
        counted = counted_ratings(campaign).filter(item__in=batch)
        for item, label in counted.values_list("item", _LABEL):
            found.setdefault(item, []).append(label)
    return found


def _decisions(items: Sequence[int]) -> dict[int, list[tuple[str, str, str]]]:
    """Outcome, label and reason of the decisions on each item as they stand, the newest last."""
    found: dict[int, list[tuple[str, str, str]]] = {}
    for batch in batches(items):
        current = Adjudication.objects.filter(item__in=batch, superseded_by=None).order_by("pk")
        for item, outcome, label, reason in current.values_list("item", _OUTCOME, _LABEL, "reason"):
            found.setdefault(item, []).append((outcome, label, reason))
    return found


def _labels(decisions: Sequence[tuple[str, str, str]]) -> set[str]:
    return {label for _outcome, label, _reason in decisions}


def _are_split(
    votes: Mapping[int, Sequence[str]],
    decided: Mapping[int, Sequence[tuple[str, str, str]]],
    item: int,
) -> bool:
    return item in decided or len(set(votes.get(item, ()))) > 1


CONTROL = Act((), _plan, _make, _undo)
