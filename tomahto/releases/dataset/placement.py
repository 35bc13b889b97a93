"""The split of each item and each answer: one where documents are kept whole, several by system,
and that of its source where splits are predefined or this one is kept.

Documents must not be parted that ask the same questions, give or take a word.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import NamedTuple

from tomahto.releases.dataset.choices import SplitError
from tomahto.releases.dataset.splits import assign_documents
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord, ItemRecord, SplitSpec
from tomahto.text.same_question import connected_components, near_duplicate_groups, question_tokens


class AskedQuestion(NamedTuple):
    """A question in its document, the split that its source has it in, and the first item (by id)
    that it is asked in; "" if there is none."""

    document: str
    question_id: str
    question: str
    source_split: str
    item_id: str


def near_duplicate_questions(
    items: Iterable[ItemRecord],
    answers: Iterable[AnswerRecord] = (),
    *,
    tokens_of: Callable[[str], Iterable[str]] = question_tokens,
) -> list[tuple[AskedQuestion, ...]]:
    """Groups of questions that are near-duplicates, sorted and the same in whatever order items
    and answers come. A question that is near to no other is in none."""
    first: dict[tuple[str, str, str, str], str] = {}
    for item in items:
        key = (item.document, item.question_id, item.question, item.source_split)
        first[key] = min(first.get(key, item.id), item.id)
    for asked in (answer.question for answer in answers):
        first.setdefault((asked.document, asked.id, asked.question, asked.source_split), "")
    questions = [AskedQuestion(*key, first[key]) for key in sorted(first)]
    groups = near_duplicate_groups(
        [question.question for question in questions], tokens_of=tokens_of
    )
    return [tuple(questions[place] for place in group) for group in groups]


def across_documents(
    groups: Iterable[Sequence[AskedQuestion]],
) -> list[tuple[AskedQuestion, ...]]:
    """The groups whose questions belong to more than one document."""
    return [tuple(group) for group in groups if len({asked.document for asked in group}) > 1]


def divided_questions(
    groups: Iterable[Sequence[AskedQuestion]], spec: SplitSpec
) -> list[list[AskedQuestion]]:
    """Of each group those that are in no split of the source that is kept."""
    return [
        [asked for asked in group if not spec.kept_split(asked.source_split)] for group in groups
    ]


def document_groups(
    documents: Iterable[str], duplicates: Iterable[Sequence[AskedQuestion]]
) -> list[list[str]]:
    """The documents in groups that share a near-duplicate question, directly or by way of others;
    single documents included, all sorted."""
    names = sorted(documents)
    numbers = {name: number for number, name in enumerate(names)}
    edges = (
        (numbers[one.document], numbers[other.document])
        for group in duplicates
        for one, other in pairwise(group)
    )
    components = connected_components(len(names), edges)
    return [[names[number] for number in component] for component in components]


def parted_questions(
    duplicates: Iterable[Sequence[AskedQuestion]], split_of: Callable[[AskedQuestion], str]
) -> list[tuple[AskedQuestion, ...]]:
    """The groups of near-duplicates that are on two sides, given the split of each question."""
    return [tuple(group) for group in duplicates if len({split_of(asked) for asked in group}) > 1]


_SHOWN = 4  # questions of a group that a message names


class LabelledItem(NamedTuple):
    record: ItemRecord
    label: str


class Places(NamedTuple):
    """The splits of each item and of each answer in turn, in the order of the specification; none
    of one that is left out."""

    items: Sequence[tuple[str, ...]]
    answers: Sequence[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class _Records:
    """Those of items, which are gone through several times."""

    items: Iterable[LabelledItem]

    def __iter__(self) -> Iterator[ItemRecord]:
        return (item.record for item in self.items)


def place_items(
    items: Collection[LabelledItem],
    spec: SplitSpec,
    seed: int,
    kept: Mapping[str, str],
    answers: Sequence[AnswerRecord] = (),
) -> Places:
    """The splits of every item that is to be released, and of every answer.

    Answers follow: they go with their document, system or question's split, and are left out where
    no split is named for these. Only documents of which nothing was rated are placed for their
    answers' sake.

    `kept` says in which split an earlier release has a document. Raises SplitError if the split
    cannot be made: see `assign_documents`; near-duplicate questions or, where splits of the source
    are kept, documents would be on two sides, since nothing that was released moves, and the
    specification does not say to go on; a system is not there; a split of the source has no items;
    items are of no system or split that is named, and the specification does not omit them.
    """
    records = _Records(items)
    if spec.by == "predefined":
        places = _predefined(records, spec)
        return Places(places, [source_splits(each.question, spec) for each in answers])
    if spec.by == "system":
        places = _by_system(records, spec)
        return Places(places, [system_splits((each.system,), spec) for each in answers])
    if spec.kept:
        questions = (answer.question for answer in answers)
        asked: Iterable[ItemRecord | AnsweredQuestion] = chain(records, questions)
        kept = _kept_apart(asked, spec, kept)
        _check_named(records, spec.kept)
    labels: dict[str, Counter[str]] = {}
    for item in items:
        if not spec.kept_split(item.record.source_split):
            labels.setdefault(item.record.document, Counter())[item.label] += 1
    for answer in answers:
        if not spec.kept_split(answer.question.source_split):
            labels.setdefault(answer.question.document, Counter())
    duplicates = near_duplicate_questions(records, answers)
    groups = document_groups(labels, divided_questions(across_documents(duplicates), spec))
    split_of = assign_documents(labels, spec, seed, kept, groups)

    def side(asked: ItemRecord | AnsweredQuestion | AskedQuestion) -> str:
        return spec.kept_split(asked.source_split) or split_of[asked.document]

    parted = parted_questions(duplicates, side)
    if parted and not spec.reports_leaks:
        raise SplitError(_refusal(parted, side))
    splits = {name: (name,) for name in spec.names}  # one for all items of a split
    return Places(
        [splits[side(record)] for record in records],
        [splits[side(answer.question)] for answer in answers],
    )


def _kept_apart(
    asked: Iterable[ItemRecord | AnsweredQuestion], spec: SplitSpec, before: Mapping[str, str]
) -> dict[str, str]:
    """The splits of `before` that documents have as those that are divided: a question that joins a
    kept document has no place yet.

    Raises SplitError for a document that is divided and in a split of the source that is kept, or
    in two of these, unless leaks are reported; and for one that has come to be in one since it was
    released on another side.
    """
    sides: dict[str, set[str]] = {}
    for each in asked:
        sides.setdefault(each.document, set()).add(spec.kept_split(each.source_split))
    for document, kept in sorted(sides.items()):
        if len(kept) > 1 and not spec.reports_leaks:
            names = " and in ".join(sorted(kept - {""}))
            raise SplitError(
                f"the source has questions of document {document!r} in {names}"
                f"{' and elsewhere' if '' in kept else ''}; take some of them out, or add "
                ":leaks=report to the split to go on with the document on two sides"
            )
        was = before.get(document, "")
        if was and not kept & {"", was}:
            raise SplitError(
                f"document {document!r} was in split {was!r} before, and its source has it in "
                f"{' and in '.join(sorted(kept))} now"
            )
    return {name: split for name, split in before.items() if split not in sides.get(name, ())}


def _refusal(
    parted: Sequence[Sequence[AskedQuestion]], side: Callable[[AskedQuestion], str]
) -> str:
    questions = ", ".join(
        f"{asked.question_id!r} of document {asked.document!r} in {side(asked)} "
        f"({f'item {asked.item_id!r}' if asked.item_id else 'not rated'})"
        for asked in parted[0][:_SHOWN]
    )
    others = f" and {len(parted) - 1} groups more" if len(parted) > 1 else ""
    return (
        f"near-duplicate questions are on two sides: {questions}{others}; what was released or is "
        "kept does not move, so take the later ones out, or add :leaks=report to the split to go "
        "on with the leak reported"
    )


def system_splits(systems: Iterable[str], spec: SplitSpec) -> tuple[str, ...]:
    """The splits that name one of the systems."""
    systems = set(systems)
    return tuple(name for name, named in spec.systems.items() if systems.intersection(named))


def _by_system(records: _Records, spec: SplitSpec) -> list[tuple[str, ...]]:
    known = {system for record in records for system in record.systems}
    for name, systems in spec.systems.items():
        for system in systems:
            if system not in known:
                raise SplitError(
                    f"split {name!r}: no rated item is of system {system!r}; known: "
                    f"{', '.join(sorted(known)) or 'none'}"
                )
    places = [system_splits(record.systems, spec) for record in records]
    if not all(places) and not spec.omits_others:
        others = sorted(
            record.id for record, splits in zip(records, places, strict=True) if not splits
        )
        named = {system for systems in spec.systems.values() for system in systems}
        unnamed = ", ".join(sorted(known - named)) or "none"
        raise SplitError(
            f"{len(others)} items belong to no system in a split, such as {others[0]!r}; name "
            f"their systems (not named: {unnamed}) or leave them out by :others=omit"
        )
    return places


def with_splits_of(records: Iterable[ItemRecord], spec: SplitSpec) -> SplitSpec:
    """The specification with all splits of the source named, if it names none of its own."""
    if spec.by != "predefined" or spec.predefined:
        return spec
    names = tuple(sorted({record.source_split for record in records} - {""}))
    if not names:
        raise SplitError("no rated item names its split in the source")
    return replace(spec, predefined=names)


def source_splits(record: ItemRecord | AnsweredQuestion, spec: SplitSpec) -> tuple[str, ...]:
    """The split that the question's source has it in, if it is named."""
    return (record.source_split,) if record.source_split in spec.predefined else ()


def _check_named(records: Iterable[ItemRecord], names: Iterable[str]) -> None:
    """A question has one split in its source, and those that are named have items."""
    known = {record.source_split for record in records} - {""}
    for name in names:
        if name not in known:
            raise SplitError(
                f"no rated item is in the split {name!r} of its source; known: "
                f"{', '.join(sorted(known)) or 'none'}"
            )
    splits: dict[str, str] = {}
    for record in records:
        first = splits.setdefault(record.question_id, record.source_split)
        if first != record.source_split:
            both = " and ".join(sorted([first or "none", record.source_split or "none"]))
            raise SplitError(
                f"question {record.question_id!r} is in the splits {both} of its source"
            )


def _predefined(records: _Records, spec: SplitSpec) -> list[tuple[str, ...]]:
    _check_named(records, spec.predefined)
    places = [source_splits(record, spec) for record in records]
    if not all(places) and not spec.omits_others:
        others = [record for record in records if not source_splits(record, spec)]
        first = min(others, key=lambda record: record.id)
        where = f"in {first.source_split!r}" if first.source_split else "in none"
        raise SplitError(
            f"{len(others)} items are in no split of their source that is named, such as "
            f"{first.id!r} ({where}); import their splits, or leave them out by :others=omit"
        )
    return places
