"""A release before any file: labelled items with their split, their ratings, and all
that systems answered."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from tomahto.releases.dataset.choices import EVERYTHING, Selection
from tomahto.releases.dataset.labels import ItemLabels, LabelChoice, label_items
from tomahto.releases.dataset.placement import LabelledItem, Places
from tomahto.releases.dataset.released_items import ReleasedItems
from tomahto.releases.records.checks import check_item, check_terms
from tomahto.releases.records.columns import OPTIONAL_ITEM_COLUMNS, OPTIONAL_RATING_COLUMNS
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.intake import (
    Adjudications,
    Answers,
    adjudicated_labels,
    settled_answers,
    take_in_adjudications,
    take_in_answers,
    take_in_items,
)
from tomahto.releases.records.ratings import Ratings, take_in_ratings
from tomahto.releases.records.records import (
    AdjudicationRecord,
    AnswerRecord,
    ItemRecord,
    RatingRecord,
    SplitSpec,
)
from tomahto.text.normalisation import ExactRule
from tomahto.votes.dawid_skene import DawidSkene, dawid_skene, dawid_skene_0_1_0
from tomahto.votes.scheme import LabelScheme, QuestionScheme

Place = Callable[[Sequence[LabelledItem], Sequence[AnswerRecord]], Places]

FIGURES_VERSION = 2
_FLAG_VALUES = frozenset({"yes", "no"})


@dataclass(frozen=True, slots=True)
class Terms:
    """Under what terms ratings were chosen and became labels and splits; whether with comments.

    `accepted_labels` are those under which a candidate is a right answer to its question, and
    `exact_rule` is that by which one needs no label. `figures_version` says how figures are made
    and CSV is written: 1 is as 0.1.0 did, which drew items for the intervals of agreement, left
    those of few questions too narrow, and stopped Dawid and Skene's estimate at a short step.
    """

    protocol: str
    scheme: LabelScheme
    question_keys: tuple[str, ...]
    spec: SplitSpec
    seed: int
    question_schemes: tuple[QuestionScheme, ...] = ()
    choice: LabelChoice = "majority"
    has_comments: bool = False
    selection: Selection = EVERYTHING
    accepted_labels: tuple[str, ...] = ()
    exact_rule: ExactRule = ExactRule.STRICT
    figures_version: int = FIGURES_VERSION

    @property
    def answer_columns(self) -> tuple[str, ...]:
        """The questions that get a column: `label` is a column already."""
        return tuple(key for key in self.question_keys if key != "label")


@dataclass(frozen=True)
class Dataset:
    """Items sorted by id, ratings by item id and rater: the same whatever order they came in.

    `ratings.item_ids` are the ids of `items`; `adjudications` are those of these items, sorted by
    item id and adjudicator; `answers` are those of the systems, rated or not, by question, system
    and text. `estimate` is Dawid and Skene's of the counted ratings.
    """

    terms: Terms
    items: ReleasedItems
    ratings: Ratings
    adjudications: Adjudications
    estimate: DawidSkene = field(compare=False)
    answers: Answers = field(default_factory=Answers)

    @property
    def splits(self) -> tuple[str, ...]:
        return self.terms.spec.names

    @cached_property
    def items_by_split(self) -> Mapping[str, ReleasedItems]:
        return {split: self.items.where(self.items.are_in(split)) for split in self.splits}

    def of_split(self, split: str) -> "Dataset":
        """The records in one of the splits; the estimate stays that of all ratings."""
        is_in = self.items.are_in(split)
        return replace(
            self,
            items=self.items.where(is_in),
            ratings=self.ratings.of_items(is_in),
            adjudications=self.adjudications_by_split[split],
            answers=Answers(self.answers_by_split[split]),
        )

    @property
    def ratings_by_split(self) -> Mapping[str, Ratings]:
        """The ratings of a split are put together whenever they are asked for, and not kept."""
        return _RatingsBySplit(self)

    @cached_property
    def adjudications_by_split(self) -> Mapping[str, Adjudications]:
        splits_of = {item.record.id: item.splits for item in self.items}
        return {
            split: tuple(each for each in self.adjudications if split in splits_of[each.item_id])
            for split in self.splits
        }

    @cached_property
    def answers_by_split(self) -> Mapping[str, Sequence[AnswerRecord]]:
        return {
            split: [answer for answer in self.answers if split in answer.splits]
            for split in self.splits
        }

    @property
    def majority_labels(self) -> dict[str, str | None]:
        """The label of most counted ratings of every item by its id, None in a tie."""
        labels = zip(self.items.records, self.items.labels, strict=True)
        return {item.id: None if label.tie else label.majority for item, label in labels}

    @property
    def judges(self) -> frozenset[str]:
        """The people who rated or adjudicated something here."""
        adjudicators = (each.adjudicator for each in self.adjudications)
        return frozenset((*self.ratings.raters_present, *adjudicators))

    @cached_property
    def counted_ratings(self) -> int:
        return int(self.ratings.rows["is_counted"].sum())

    @property
    def rows(self) -> int:
        """The number of rows to write if no row is in several splits."""
        return len(self.items) + len(self.ratings) + len(self.answers)

    @cached_property
    def optional_columns(self) -> frozenset[str]:
        """Those of OPTIONAL_COLUMNS in which an item or a rating has something to say."""
        of_items = frozenset(
            column.name
            for column in OPTIONAL_ITEM_COLUMNS
            if any(map(attrgetter(column.name), self.items.records))
        )
        names = (column.name for column in OPTIONAL_RATING_COLUMNS)
        return of_items | {name for name in names if self.ratings.say_something_in(name)}

    @property
    def has_intended(self) -> bool:
        """Whether a candidate is a generated text of which it is known what it was meant to be."""
        return "intended" in self.optional_columns

    @cached_property
    def flag_questions(self) -> frozenset[str]:
        """The questions that nobody answered with anything but yes or no."""
        others = {
            key
            for answers in self.ratings.answers_given()
            for key, value in answers.items()
            if value not in _FLAG_VALUES
        }
        return frozenset(self.terms.answer_columns) - others


@dataclass(frozen=True, eq=False)
class _RatingsBySplit(Mapping[str, Ratings]):
    dataset: Dataset

    def __len__(self) -> int:
        return len(self.dataset.splits)

    def __iter__(self) -> Iterator[str]:
        return iter(self.dataset.splits)

    def __getitem__(self, split: str) -> Ratings:
        ratings = self.dataset.ratings
        return ratings.where(self.dataset.items.are_in(split)[ratings.rows["item"]])


def assemble_dataset(
    terms: Terms,
    items: Iterable[ItemRecord],
    ratings: Iterable[RatingRecord],
    place: Place,
    adjudications: Iterable[AdjudicationRecord] = (),
    answers: Iterable[AnswerRecord] = (),
) -> Dataset:
    """Label the items, put each in the splits that `place` gives it, and bring all into order.

    Items without a counted rating are left out, and with them their surplus ratings and their
    adjudications, and so are items and answers that `place` gives no split; it is asked of all
    labelled items and all answers at once.
    Raises ReleaseError if a record contradicts another, the protocol or the labels.
    """
    check_terms(terms.protocol, terms.scheme.labels, terms.question_keys, terms.question_schemes)
    records = take_in_items(items)
    _check_items(terms, records)
    all_ratings = take_in_ratings(
        ratings, terms.scheme.labels, terms.question_keys, terms.question_schemes
    )
    decisions = _check_opinions(terms, records, all_ratings, adjudications)
    rated = all_ratings.of_items(all_ratings.have_votes())
    found = _labelled(terms, rated, decisions)
    return _placed(terms, records, found, take_in_answers(answers), place)


class _Labelled(NamedTuple):
    ratings: Ratings
    decisions: Adjudications
    estimate: DawidSkene
    labels: ItemLabels  # in the order of the items of the ratings


def _labelled(terms: Terms, ratings: Ratings, decisions: Adjudications) -> _Labelled:
    """The labels of the items that the ratings are of; each has a counted one."""
    rated = set(ratings.item_ids)
    decisions = tuple(each for each in decisions if each.item_id in rated)
    fit = dawid_skene_0_1_0 if terms.figures_version == 1 else dawid_skene
    estimate = fit(ratings.counted_rows())
    adjudicated = adjudicated_labels(decisions)
    labels = label_items(
        terms.scheme, terms.choice, ratings, estimate, adjudicated, seed=terms.seed
    )
    return _Labelled(ratings, decisions, estimate, labels)


def _placed(
    terms: Terms,
    records: Iterable[ItemRecord],
    found: _Labelled,
    answers: Answers,
    place: Place,
) -> Dataset:
    rated = list(_named(records, found.ratings.item_ids))
    labelled = list(map(LabelledItem, rated, found.labels.each("label")))
    places, answer_splits = place(labelled, answers)
    is_placed = np.array([item_id in places for item_id in found.ratings.item_ids], np.bool_)
    if not is_placed.all():
        # The model weighs raters by all ratings it is fitted to, so it is fitted to those released.
        found = _labelled(terms, found.ratings.of_items(is_placed), found.decisions)
    placed = list(_named(rated, found.ratings.item_ids))
    settled = settled_answers(answers, answer_splits, placed)
    placed = [*with_unrated_references(placed, settled)]
    items = ReleasedItems.of(placed, found.labels, (places[record.id] for record in placed))
    return Dataset(terms, items, found.ratings, found.decisions, found.estimate, settled)


def _named(records: Iterable[ItemRecord], ids: Iterable[str]) -> Iterator[ItemRecord]:
    """The records with these ids; both are sorted, and every id has its record."""
    wanted = iter(ids)
    next_id = next(wanted, None)
    for record in records:
        if record.id == next_id:
            yield record
            next_id = next(wanted, None)


def _check_items(terms: Terms, items: Iterable[ItemRecord]) -> None:
    previous = None
    for item in items:
        if item.id == previous:
            raise ReleaseError(f"item {item.id!r} occurs twice")
        check_item(item, terms.protocol)
        previous = item.id


def _check_opinions(
    terms: Terms,
    items: Iterable[ItemRecord],
    ratings: Ratings,
    adjudications: Iterable[AdjudicationRecord],
) -> Adjudications:
    """The adjudications in order; they and the ratings are of the items."""
    ids = {item.id for item in items}
    for place, item_id in enumerate(ratings.item_ids):
        if item_id not in ids:
            first = ratings.where(ratings.rows["item"] == place)[0]
            raise ReleaseError(f"rater {first.rater!r} rated item {item_id!r}, which is not there")
    return take_in_adjudications(adjudications, terms.scheme.labels, ids)


def with_unrated_references(
    items: Sequence[ItemRecord], answers: Sequence[AnswerRecord]
) -> Iterator[ItemRecord]:
    """The items, each with the references of its question that neither an item nor an answer of the
    question has: the right answers to a question are known, whatever was rated."""
    unrated: dict[str, set[str]] = {}
    for item in items:
        if item.unrated_references:
            unrated.setdefault(item.question_id, set()).update(item.unrated_references)
    told = chain(
        ((answer.question.id, answer.question.references) for answer in answers),
        ((item.question_id, item.references) for item in items),
    )
    for key, references in told:
        if key in unrated:
            unrated[key].difference_update(references)
    in_order = {key: tuple(sorted(texts)) for key, texts in unrated.items()}
    for item in items:
        texts = in_order.get(item.question_id, ())
        yield item if item.unrated_references == texts else replace(item, unrated_references=texts)
