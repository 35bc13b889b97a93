"""What is expected of items whose answer is known: calibration and control items."""

from collections.abc import Iterable
from typing import NamedTuple

from tasks.intake.workflow.outcomes import outcome_of
from tasks.models import Campaign, ExpectedAnswer, Item
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import ItemRow, Source


class Expectation(NamedTuple):
    """The expected answer of an item, and why it is that."""

    outcome_id: str
    explanation: str


def expectation_of(campaign: Campaign, row: ItemRow) -> Expectation | None:
    """What the row expects, None of a live item. Raises InputError if the protocol forbids it."""
    if row.expected is None:
        return None
    protocol = campaign.annotation_protocol
    outcome = outcome_of(protocol, row.expected, row.source, label_field="expected")
    return Expectation(outcome.id, row.explanation)


def store_expectations(plan: Plan, wanted: Iterable[tuple[Item, Expectation, Source]]) -> None:
    """Plan what is expected of these items, once.

    Raises InputError if something else was expected of one of them before.
    """
    listed = list(wanted)
    stored = plan.find(ExpectedAnswer.objects.all(), item_id={item.pk for item, _, _ in listed})
    known = {
        each.item_id: Expectation(each.outcome_id, each.explanation) for each in stored.values()
    }
    new = []
    for item, expectation, source in listed:
        before = known.setdefault(item.pk, expectation)
        if before is expectation:
            new.append(ExpectedAnswer(item=item, **expectation._asdict()))
        elif before.outcome_id != expectation.outcome_id:
            raise source.error(
                f"item {item.key!r} already exists with another expected answer", "expected"
            )
        elif before.explanation != expectation.explanation:
            raise source.error(
                f"item {item.key!r} already exists with another explanation", "explanation"
            )
    plan.add(new)
