"""From records to items with their slots, all or nothing.

What a live item is depends on its texts alone: the same question, context, references and
candidate are one item, whatever file they came from and whichever systems produced the candidate.
Calibration and control items stand beside it: they have an expected answer, and no slots.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from django.db import transaction

from tasks.importers.records import ItemRow, QuestionRecord, Source
from tasks.models import AuditAction, Campaign, Item, ItemPurpose, ItemSystem, Question, System
from tasks.workflow.audit import record
from tasks.workflow.batches import batches
from tasks.workflow.events import tell_of_import
from tasks.workflow.expectations import Expectation, expectation_of, store_expectations
from tasks.workflow.identity import item_key, precedence
from tasks.workflow.planner_statistics import refresh_after_commit
from tasks.workflow.questions import questions_of_items
from tasks.workflow.slots import fit_slots


@dataclass(frozen=True, slots=True)
class ItemIntake:
    items_created: int
    items_existing: int


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item to be, and the place it came from. `key` None: derived from the texts."""

    source: Source
    key: str
    question: QuestionRecord
    references: tuple[str, ...]
    reference_index: int | None
    candidate: str
    systems: tuple[str, ...]
    purpose: str = ItemPurpose.LIVE
    expectation: Expectation | None = None


@transaction.atomic
def import_items(*, campaign: Campaign, rows: Iterable[ItemRow]) -> ItemIntake:
    """Store items with their questions, documents and systems. Raises InputError."""
    intake = store_rows(campaign=campaign, rows=rows)
    record(
        AuditAction.IMPORT_DONE,
        campaign=campaign,
        subject=("file", "items"),
        details=asdict(intake),
    )
    return intake


def store_rows(*, campaign: Campaign, rows: Iterable[ItemRow]) -> ItemIntake:
    """As `import_items`, within an act and a transaction of the caller's."""
    created = existing = 0
    for batch in batches(rows):
        new = [item for row in batch for item in items_of_row(campaign, row)]
        count = len(store_items(campaign, new).created)
        created += count
        existing += len({item.key for item in new}) - count
    refresh_after_commit()
    tell_of_import(campaign.pk, "items", items_created=created)
    return ItemIntake(created, existing)


def items_of_row(campaign: Campaign, row: ItemRow) -> list[NewItem]:
    """The items one row stands for: one per reference where the protocol rates each by itself."""
    together = campaign.annotation_protocol.has_references_together
    if not together and row.id is not None and len(row.references) != 1:
        raise row.source.error("an item with an id has exactly one reference here", "references")
    if not together and row.expected is not None and len(row.references) != 1:
        message = f"a {row.purpose} item has exactly one reference here"
        raise row.source.error(message, "references")
    question = QuestionRecord(
        source=row.source,
        key=row.question_key,
        document=row.document,
        text=row.question,
        context=row.context,
        references=row.references,
        answer_starts=(None,) * len(row.references),
        question_type=row.question_type,
        split=row.split,
    )
    items = new_items(campaign, question, row.candidate, row.systems, source=row.source)
    if row.id is not None:
        items = [replace(items[0], key=row.id)]
    elif row.purpose != ItemPurpose.LIVE:
        # so that a prediction with the same texts still makes a live item
        items = [replace(item, key=f"{row.purpose}-{item.key}") for item in items]
    if row.reference_index is not None:
        items = [replace(item, reference_index=row.reference_index) for item in items]
    expectation = expectation_of(campaign, row)
    return [replace(item, purpose=row.purpose, expectation=expectation) for item in items]


def new_items(
    campaign: Campaign,
    question: QuestionRecord,
    candidate: str,
    systems: tuple[str, ...],
    *,
    source: Source,
) -> list[NewItem]:
    """A candidate set against the references of its question, as the protocol has it."""
    together = campaign.annotation_protocol.has_references_together
    groups = (
        [(None, question.references)]
        if together
        else [(index, (reference,)) for index, reference in enumerate(question.references)]
    )
    return [
        NewItem(
            source=source,
            key=item_key(question.text, question.context, references, candidate),
            question=question,
            references=references,
            reference_index=index,
            candidate=candidate,
            systems=systems,
        )
        for index, references in groups
    ]


@dataclass(frozen=True, slots=True)
class StoredItems:
    """The items of a batch by key, and the keys of those that are new."""

    by_key: dict[str, Item]
    created: set[str]


def store_items(campaign: Campaign, new: Sequence[NewItem]) -> StoredItems:
    """Create the items that are not there yet, with their slots; add systems to those that are.

    Raises InputError if an id is taken by an item with other texts, another purpose or another
    expected answer.
    """
    questions = questions_of_items(campaign, [item.question for item in new])
    known = {
        item.key: item
        for item in Item.objects.filter(
            campaign=campaign, key__in={item.key for item in new}
        ).select_related("question")
    }
    created: dict[str, Item] = {}
    for wanted, question in zip(new, questions, strict=True):
        item = known.get(wanted.key) or created.get(wanted.key)
        if item is None:
            created[wanted.key] = _item(campaign, question, wanted)
        else:
            _require_same(item, wanted)
            _settle(item, question, wanted.reference_index)
    Item.objects.bulk_create(created.values())
    by_key = known | created
    store_expectations(
        (by_key[item.key], item.expectation, item.source) for item in new if item.expectation
    )
    _store_systems(campaign, by_key, new)
    fit_slots(campaign, list(by_key.values()))
    return StoredItems(by_key, set(created))


def _item(campaign: Campaign, question: Question, wanted: NewItem) -> Item:
    return Item(
        campaign=campaign,
        question=question,
        key=wanted.key,
        references=list(wanted.references),
        reference_index=wanted.reference_index,
        candidate=wanted.candidate,
        purpose=wanted.purpose,
    )


def _require_same(item: Item, wanted: NewItem) -> None:
    stands = (item.question.text, item.question.context, item.references, item.candidate)
    comes = (
        wanted.question.text,
        wanted.question.context,
        list(wanted.references),
        wanted.candidate,
    )
    if stands != comes:
        raise wanted.source.error(f"item {item.key!r} is there already with other texts", "id")
    if item.purpose != wanted.purpose:
        message = f"item {item.key!r} is there already for another purpose ({item.purpose})"
        raise wanted.source.error(message, "purpose")


def _settle(item: Item, question: Question, reference_index: int | None) -> None:
    """What files say differently of one item, so that their order does not matter.

    Of several questions with the same texts it names the one that goes first. Its reference has
    the highest place that is said: a row that brings one reference alone can only say 0.
    """
    changed = []
    if precedence(question) < precedence(item.question):
        item.question = question
        changed.append("question")
    if reference_index is not None and reference_index > (item.reference_index or 0):
        item.reference_index = reference_index
        changed.append("reference_index")
    if changed and item.pk is not None:
        item.save(update_fields=changed)


def _store_systems(campaign: Campaign, by_key: dict[str, Item], new: Sequence[NewItem]) -> None:
    names = {name for item in new for name in item.systems}
    known = {s.name: s for s in System.objects.filter(campaign=campaign, name__in=names)}
    for name in sorted(names - set(known)):
        known[name] = System.objects.create(campaign=campaign, name=name)
    ItemSystem.objects.bulk_create(
        (
            ItemSystem(item=by_key[item.key], system=known[name])
            for item in new
            for name in item.systems
        ),
        ignore_conflicts=True,
    )
