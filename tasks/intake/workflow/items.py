"""From records to items with their slots, all or nothing.

What a live item is depends on its texts alone: the same question, context, references and
candidate are one item, whatever file they came from and whichever systems produced the candidate.
Calibration and control items stand beside it: they have an expected answer, and no slots.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from tasks.campaigns.workflow.slots import note_items, plan_slots
from tasks.events.workflow.events import note_import
from tasks.intake.workflow.identity import BroughtItem, item_key, keep_answers, precedence
from tasks.intake.workflow.import_of import import_of, outcome_of
from tasks.intake.workflow.questions import questions_of_items
from tasks.models import Campaign, ExpectedAnswer, Item, ItemPurpose, ItemSystem, Question, System
from tasks.storing.database import batches, refresh_after_commit
from tasks.storing.plan import Plan
from tomahto.interchange.reading.records import ItemRow, QuestionRecord, Source


class Expectation(NamedTuple):
    """The expected answer of an item, and why it is that."""

    outcome_id: str
    explanation: str


def expectation_of(campaign: Campaign, row: ItemRow) -> Expectation | None:
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
    intended: str = ""
    purpose: str = ItemPurpose.LIVE
    expectation: Expectation | None = None


def import_items(*, campaign: Campaign, rows: Iterable[ItemRow]) -> ItemIntake:
    """Store items with their questions, documents and systems.

    Raises InputError and ImportRefused; nothing is stored then.
    """
    noted = ["items_created"]
    return import_of("items", campaign=campaign, records=rows, plan=plan_rows, noted=noted)


def store_rows(*, campaign: Campaign, rows: Iterable[ItemRow]) -> ItemIntake:
    """As `import_items`, within an act and a transaction of the caller's."""
    with Plan(campaign) as plan:
        intake = plan_rows(plan, rows)
        plan.store()
    refresh_after_commit()
    note_import(campaign.pk, "items", items_created=intake.items_created)
    return intake


def plan_rows(plan: Plan, rows: Iterable[ItemRow]) -> ItemIntake:
    created = existing = 0
    # in batches of items, not of rows: a row may bring thousands of references
    for new in batches(item for row in rows for item in items_of_row(plan.campaign, row)):
        count = len(store_items(plan, new).created)
        created += count
        existing += len({item.key for item in new}) - count
    plan_slots(plan)
    return ItemIntake(created, existing)


def items_of_row(campaign: Campaign, row: ItemRow) -> list[NewItem]:
    """The items one row stands for: one per reference where the protocol rates each by itself."""
    together = campaign.annotation_protocol.has_references_together
    if not together and row.id is not None and len(row.references) != 1:
        raise row.source.error("an item with an id must have exactly one reference", "references")
    if not together and row.expected is not None and len(row.references) != 1:
        message = f"a {row.purpose} item must have exactly one reference"
        raise row.source.error(message, "references")
    index, unrated = row.reference_index or 0, row.unrated_references
    references = tuple(dict.fromkeys([*unrated[:index], *row.references, *unrated[index:]]))
    question = QuestionRecord(
        source=row.source,
        key=row.question_key,
        document=row.document,
        text=row.question,
        context=row.context,
        references=references,
        answer_starts=(None,) * len(references),
        question_type=row.question_type,
        split=row.split,
    )
    expectation = expectation_of(campaign, row)
    groups = _rated(campaign, row.references)
    return [
        NewItem(
            source=row.source,
            key=_key(row, group),
            question=question,
            references=group,
            reference_index=place if row.reference_index is None else row.reference_index,
            candidate=row.candidate,
            systems=row.systems,
            intended=row.intended,
            purpose=row.purpose,
            expectation=expectation,
        )
        for place, group in (groups[:1] if row.id is not None else groups)
    ]


def _key(row: ItemRow, references: tuple[str, ...]) -> str:
    if row.id is not None:
        return row.id
    key = item_key(row.question, row.context, references, row.candidate)
    # so that a prediction with the same texts still makes a live item
    return key if row.purpose == ItemPurpose.LIVE else f"{row.purpose}-{key}"


def new_items(
    campaign: Campaign,
    question: QuestionRecord,
    candidate: str,
    systems: tuple[str, ...],
    *,
    source: Source,
) -> list[NewItem]:
    """A candidate set against the references of its question, as the protocol has it."""
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
        for index, references in _rated(campaign, question.references)
    ]


def _rated(
    campaign: Campaign, references: tuple[str, ...]
) -> list[tuple[int | None, tuple[str, ...]]]:
    """The references of each item with the place of the first, as the protocol has it."""
    if campaign.annotation_protocol.has_references_together:
        return [(None, references)]
    return [(index, (reference,)) for index, reference in enumerate(references)]


@dataclass(frozen=True, slots=True)
class StoredItems:
    """The items of a batch by key, and the keys of those that are new."""

    by_key: dict[str, Item]
    created: set[str]


def store_items(plan: Plan, new: Sequence[NewItem]) -> StoredItems:
    """Plan the items that are not there yet; add systems to those that are.

    `plan_slots` gives them their slots once all are planned. Raises InputError if an id is taken by
    an item with other texts, another purpose or another expected answer.
    """
    known = find_items(plan, {item.key for item in new})
    questions = questions_of_items(plan, [_question(item, known.get(item.key)) for item in new])
    before = {item.pk: item.question for item in known.values()}
    created: dict[str, Item] = {}
    shared: set[str] = set()
    for wanted, question in zip(new, questions, strict=True):
        item = known.get(wanted.key) or created.get(wanted.key)
        if item is None:
            created[wanted.key] = _item(plan.campaign, question, wanted)
        else:
            _require_same(item, wanted)
            if item.question.pk != question.pk:
                shared.add(item.key)
            _settle(plan, item, question, wanted)
    plan.add(created.values())
    by_key = known | created
    store_expectations(
        plan,
        ((by_key[item.key], item.expectation, item.source) for item in new if item.expectation),
    )
    systems = find_systems(plan, {name for item in new for name in item.systems})
    brought = [
        BroughtItem(by_key[item.key], question, [systems[name] for name in item.systems])
        for item, question in zip(new, questions, strict=True)
        if item.key in shared
    ]
    if brought:
        keep_answers(plan, brought, before)
    given = {(by_key[item.key].pk, systems[name].pk) for item in new for name in item.systems}
    plan.add([ItemSystem(item_id=item, system_id=system) for item, system in sorted(given)])
    note_items(plan, known.values())
    return StoredItems(by_key, set(created))


def _question(wanted: NewItem, item: Item | None) -> QuestionRecord:
    """The question of an item. One that is there with these texts says which it is, where its row
    names neither question nor document."""
    record = wanted.question
    if item is None or record.key is not None or record.document is not None:
        return record
    is_same = (item.question.text, item.question.context) == (record.text, record.context)
    return replace(record, key=item.question.key) if is_same else record


def find_items(plan: Plan, keys: Collection[str]) -> dict[str, Item]:
    found = plan.find(Item.objects.filter(campaign=plan.campaign), key=keys).values()
    questions = plan.find(Question.objects.all(), id={item.question_id for item in found})
    for item in found:
        item.question = questions[item.question_id]
    return {item.key: item for item in found}


def live_item(item: Item | None, item_id: str | None, source: Source) -> Item:
    """The item that a row names. Raises InputError for none, or one for training or checking."""
    if item is None:
        raise source.error(f"there is no item {item_id!r}", "id")
    if item.purpose != ItemPurpose.LIVE:
        raise source.error(f"item {item.key!r} is for training or checking raters", "id")
    return item


def _item(campaign: Campaign, question: Question, wanted: NewItem) -> Item:
    return Item(
        campaign_id=campaign.pk,
        question=question,
        key=wanted.key,
        references=list(wanted.references),
        reference_index=wanted.reference_index,
        candidate=wanted.candidate,
        intended=wanted.intended,
        purpose=wanted.purpose,
    )


def _require_same(item: Item, wanted: NewItem) -> None:
    stands = (item.question.text, item.question.context, item.references, item.candidate)
    texts = (wanted.question.text, wanted.question.context)
    comes = (*texts, list(wanted.references), wanted.candidate)
    if stands != comes:
        raise wanted.source.error(f"item {item.key!r} already exists with other texts", "id")
    if item.purpose != wanted.purpose:
        message = f"item {item.key!r} already exists for another purpose ({item.purpose})"
        raise wanted.source.error(message, "purpose")


def _settle(plan: Plan, item: Item, question: Question, wanted: NewItem) -> None:
    """Settle what files say differently of one item, so that their order does not matter.

    Of several questions with the same texts it names the one that goes first; `keep_answers` keeps
    who answered the others. Its reference has the highest place that is said: a row that brings one
    reference alone can only say 0. Of several classes that it was written for it keeps the first by
    name.
    """
    before = (item.question, item.reference_index, item.intended)
    reference_index = wanted.reference_index
    if precedence(question) < precedence(item.question):
        item.question = question
    if reference_index is not None and reference_index > (item.reference_index or 0):
        item.reference_index = reference_index
    item.intended = min(filter(None, (item.intended, wanted.intended)), default="")
    if item.pk is not None and before != (item.question, item.reference_index, item.intended):
        plan.change(item)


def find_systems(plan: Plan, names: Collection[str]) -> dict[str, System]:
    """The systems of these names; those that are new are planned."""
    stored = System.objects.filter(campaign=plan.campaign)
    known = {system.name: system for system in plan.find(stored, name=names).values()}
    new = [System(campaign=plan.campaign, name=name) for name in sorted(set(names) - set(known))]
    plan.add(new)
    return known | {system.name: system for system in new}
