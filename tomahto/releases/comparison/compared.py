"""What a comparison needs of a release, read in order and never held whole.

A release is compared as it lies in its folder, or before it is written. Either way its items come
by id, its ratings by item id and rater and its answers by question, system and text, so that two
releases are gone through side by side.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from tomahto.releases.dataset.dataset import Dataset, Terms
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.records import packed
from tomahto.releases.records.records import AdjudicationRecord, ItemRecord

GUIDELINES = "guidelines/"  # the folder that has them
TEXTS = ("question", "context", "references", "candidate")
DETAILS = (
    "document",
    "question_id",
    "question_type",
    "reference_index",
    "systems",
    "source_split",
)
ANSWER_KEY = ("question_id", "system", "candidate")
ANSWER_SAYS = (
    "document",
    "source_split",
    "question",
    "context",
    "references",
    "settled",
    "items",
)  # and the splits
_GROUP = 10_000  # ratings that are objects at once


class ComparedItem(NamedTuple):
    """`texts` and `details` have the item's TEXTS and DETAILS, in their order."""

    id: str
    label: str
    split: str
    texts: tuple[object, ...]
    details: tuple[object, ...]


class ComparedRow(NamedTuple):
    """A rating or an adjudication: by whom it is of which item, and all that it says. Or an answer:
    to which question, of which system, and how it was settled."""

    key: tuple[str, ...]
    says: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """`settings` decide what the data is and `documentation` what is written about it; both have
    a value that can be compared by the name of what it is."""

    campaign: str
    version: str
    digest: str
    settings: Mapping[str, object]
    documentation: Mapping[str, object]

    def as_json(self) -> dict[str, str]:
        return {"campaign": self.campaign, "version": self.version, "digest": self.digest}


@dataclass(frozen=True, slots=True)
class ComparedRelease:
    """What is called yields everything from the start, and raises ReleaseError if a stored release
    is damaged."""

    heading: Heading
    items: Callable[[], Iterator[ComparedItem]]
    ratings: Callable[[], Iterator[ComparedRow]]
    adjudications: Callable[[], Iterator[ComparedRow]]
    answers: Callable[[], Iterator[ComparedRow]]


def compared_dataset(heading: Heading, dataset: Dataset) -> ComparedRelease:
    """A release that is not written yet, by what it is to say."""
    return ComparedRelease(
        heading=heading,
        items=lambda: map(_item, dataset.items),
        ratings=lambda: _ratings(dataset),
        adjudications=lambda: map(_adjudication, dataset.adjudications),
        answers=lambda: _answers(dataset),
    )


def settings_of(campaign: str, terms: Terms, flag_questions: frozenset[str]) -> dict[str, object]:
    """What of a release's terms can differ from those of another."""
    return {
        "campaign": campaign,
        "protocol": terms.protocol,
        "labels": terms.scheme,
        "label_choice": terms.choice,
        "selection": terms.selection,
        "questions": terms.question_keys,
        "answers": terms.question_schemes,
        "yes_no_questions": flag_questions,
        # named in another order, splits are the same
        "split": replace(terms.spec, predefined=tuple(sorted(terms.spec.predefined))),
        "seed": terms.seed,
        "comments": terms.has_comments,
    }


def stated(answers: Mapping[str, str | None]) -> dict[str, str]:
    """The answers of a datasheet without its blanks."""
    return {key: text.strip() for key, text in answers.items() if text and text.strip()}


def normal_answers(answers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Answers in the order of their questions' names, apart from the label itself."""
    return tuple(sorted((key, answer) for key, answer in answers.items() if key != "label"))


def _item(item: ReleasedItem) -> ComparedItem:
    record = item.record
    return ComparedItem(
        record.id, item.label.label, item.split, _values(record, TEXTS), _values(record, DETAILS)
    )


def _values(record: ItemRecord, names: tuple[str, ...]) -> tuple[object, ...]:
    return tuple(getattr(record, name) for name in names)


def _ratings(dataset: Dataset) -> Iterator[ComparedRow]:
    """Straight from the numbers that ratings are held as."""
    ratings = dataset.ratings
    answers = [normal_answers(each) for each in ratings.answer_sets]
    for rows in (group.rows for group in ratings.groups(_GROUP)):
        yield from opinions(
            [ratings.item_ids[place] for place in rows["item"].tolist()],
            [ratings.raters[place] for place in rows["rater"].tolist()],
            [ratings.labels[place] for place in rows["label"].tolist()],
            [answers[place] for place in rows["answers"].tolist()],
            rows["is_counted"].tolist(),
            map(packed.number, rows["seconds"].tolist()),
            map(packed.microseconds, rows["rated_at"].tolist()),
            map(packed.version, rows["guideline"].tolist()),
            map(packed.flag, rows["shown"].tolist()),
            [ratings.comments[place] for place in rows["comment"].tolist()],
        )


def opinions(
    items: Iterable[str], people: Iterable[str], *columns: Iterable[object]
) -> Iterator[ComparedRow]:
    """An opinion from each row of the columns."""
    return map(ComparedRow, zip(items, people, strict=True), zip(*columns, strict=True))


def _answers(dataset: Dataset) -> Iterator[ComparedRow]:
    told = {record.question_id for record in dataset.items.records}
    for answer in dataset.answers:
        asked = answer.question
        passage = None if asked.id in told else asked.context
        says = (asked.document, asked.source_split, asked.question, passage, asked.references)
        yield ComparedRow(
            answer.key, (*says, answer.settled, answer.items, "+".join(answer.splits))
        )


def _adjudication(each: AdjudicationRecord) -> ComparedRow:
    says = (each.label, each.first_label, each.guideline_version)
    return ComparedRow((each.item_id, each.adjudicator), says)
