"""Making control items of items whose answer is known: by a decision, or because everybody agrees.

The item itself stays as it is, with its votes, and gets no more. Raters are checked by a copy of it
with the expected answer; those who have rated the item never get its copy
(`tasks/rating/workflow/admission.py`)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.db.models import ForeignObjectRel
from django.utils.translation import gettext as _
from django.utils.translation import override

from tasks.campaigns.workflow.slots import fit_items
from tasks.explorer.workflow.handling import handle
from tasks.explorer.workflow.plan import (
    Act,
    Known,
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
    Adjudication,
    BulkAct,
    Campaign,
    ExpectedAnswer,
    Item,
    ItemPurpose,
    ItemScore,
    ItemSummary,
    Membership,
    Role,
    SeenVotes,
    Slot,
    StaleItem,
    Suggestion,
)
from tasks.storing.database import batches
from tasks.votes.blindness import votes_are_open_to
from tasks.votes.ratings import counted_ratings

FEWEST_VOTES = 2
_OF_A_COPY = (ExpectedAnswer, Suggestion, ItemSummary, ItemScore, StaleItem, SeenVotes)
_LONGEST = Item._meta.get_field("key").max_length or 0


class _LabelsOfItem(NamedTuple):
    """Of an item: the labels of its votes, and the decisions on it as they stand, newest last."""

    votes: list[str]
    decisions: list[Adjudication]

    @property
    def labels(self) -> set[str]:
        """Decisions go before votes."""
        return {each.outcome.label for each in self.decisions} or set(self.votes)

    @property
    def is_enough(self) -> bool:
        return bool(self.decisions) or len(self.votes) >= FEWEST_VOTES


def _plan(member: Membership, items: Sequence[int], _options: Options) -> Plan:
    places = Slot.objects.filter(is_filled=False, order_key__isnull=False)
    finished = sorted_out(
        items,
        (LeftOut.NOT_LIVE, not_live(items)),
        (LeftOut.DISMISSED, dismissed(items)),
        (LeftOut.IS_COPIED, those_of(Item.objects.all(), items, "copied_from")),
        (LeftOut.UNFINISHED, those_of(places, items)),
    )
    open_to = those_of(Item.objects.filter(votes_are_open_to(member, "pk")), finished.items, "pk")
    withheld = [item for item in finished.items if item not in open_to]
    said = _said_of(member.campaign, sorted(open_to))
    plan = sorted_out(
        finished.items,
        (LeftOut.BLIND, withheld),
        (LeftOut.FEW_VOTES, {item for item in open_to if not said[item].is_enough}),
        (LeftOut.SPLIT, {item for item in open_to if len(said[item].labels) > 1}),
    )
    return replace(
        plan,
        left_out={**finished.left_out, **plan.left_out},
        answers=tuple((item, _known(member.campaign, said[item])) for item in plan.items),
        withheld=tuple(withheld),
    )


def _make(_act: BulkAct, plan: Plan, _options: Options) -> None:
    for batch in batches(plan.answers):
        known = dict(batch)
        items = list(Item.objects.filter(pk__in=known).order_by("pk"))
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


def _undo(act: BulkAct, items: Sequence[int]) -> Undone:
    """Copies that nobody has been given or has done anything to go again; the others check nobody
    any more."""
    made = _copies(items)
    used = _used(made)
    handle(sorted(used), is_dismissed=True)
    for batch in batches(copy for copy in made if copy not in used):
        _note_that_votes_were_told(act.campaign, batch)
        for model in _OF_A_COPY:
            model._default_manager.filter(item__in=batch).delete()
        Item.objects.filter(pk__in=batch).delete()
    fit_items(campaign=act.campaign, items=items)
    return Undone(len(items) - len(used), len(used))


def _note_that_votes_were_told(campaign: Campaign, copies: Sequence[int]) -> None:
    """A copy told whoever sees results that the votes on its item agree."""
    sources = Item.objects.filter(pk__in=copies).values_list("copied_from_id", flat=True)
    readers = list(Membership.objects.filter(campaign=campaign).exclude(role=Role.RATER))
    SeenVotes.objects.bulk_create(
        (SeenVotes(item_id=item, member=reader) for item in sources for reader in readers),
        ignore_conflicts=True,
    )


def _copies(items: Sequence[int]) -> list[int]:
    """An item has one at most, so that those of the items of an act are what it has made."""
    found: list[int] = []
    for batch in batches(items):
        found += Item.objects.filter(copied_from__in=batch).values_list("pk", flat=True)
    return found


def _used(made: Sequence[int]) -> set[int]:
    """Copies that any table names but those whose rows go with a copy."""
    used = set[int]()
    for relation in Item._meta.get_fields(include_hidden=True):
        if isinstance(relation, ForeignObjectRel) and relation.related_model not in _OF_A_COPY:
            rows = relation.related_model._default_manager.all()
            used |= those_of(rows, made, relation.field.name)
    return used


def _copy(item: Item) -> Item:
    mark = f"~control-{item.pk}"
    return Item(
        campaign_id=item.campaign_id,
        question_id=item.question_id,
        key=f"{item.key[: _LONGEST - len(mark)]}{mark}",
        references=item.references,
        reference_index=item.reference_index,
        candidate=item.candidate,
        intended=item.intended,
        purpose=ItemPurpose.CONTROL,
        copied_from=item,
    )


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


def _said_of(campaign: Campaign, items: Sequence[int]) -> dict[int, _LabelsOfItem]:
    found = {item: _LabelsOfItem([], []) for item in items}
    for batch in batches(items):
        votes = counted_ratings(campaign).filter(item__in=batch)
        for item, label in votes.values_list("item", "outcome__label"):
            found[item].votes.append(label)
        decisions = Adjudication.objects.filter(item__in=batch, superseded_by=None)
        for decision in decisions.select_related("outcome").order_by("pk"):
            found[decision.item_id].decisions.append(decision)
    return found


def _known(campaign: Campaign, said: _LabelsOfItem) -> Known:
    """The answer, where there is one: the newest decision, or the label of the votes."""
    if said.decisions:
        newest = said.decisions[-1]
        return Known(newest.outcome_id, newest.outcome.label, newest.reason)
    outcome = campaign.annotation_protocol.outcome_of_label(said.votes[0])
    with override(campaign.language):  # whoever makes it, in theirs
        told = _("All %(number)s raters agreed.") % {"number": len(said.votes)}
    return Known(outcome.id, outcome.label, told)


CONTROL = Act((), _plan, _make, _undo)
