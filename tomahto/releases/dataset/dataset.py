"""A release before any file: labelled items with their split, their ratings, and all
that systems answered."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, compress
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
)
from tomahto.releases.records.items import Items, take_in_items
from tomahto.releases.records.ratings import GROUP, Ratings, take_in_ratings
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

Place = Callable[[Collection[LabelledItem], Sequence[AnswerRecord]], Places]

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
        columns = [column.name for column in OPTIONAL_ITEM_COLUMNS]
        values = map(attrgetter(*columns), self.items.records)
        said = {tuple(map(bool, each)) for each in values}
        of_items = {name for each in said for name in compress(columns, each)}
        names = (column.name for column in OPTIONAL_RATING_COLUMNS)
        return frozenset(of_items.union(filter(self.ratings.say_something_in, names)))

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
    are_rated = _are_rated(records, all_ratings)
    decisions = _check_decisions(terms, records, adjudications)
    have_votes = all_ratings.have_votes()
    are_rated[are_rated] = have_votes
    found = _labelled(terms, all_ratings.of_items(have_votes), decisions)
    return _placed(terms, records.where(are_rated), found, take_in_answers(answers), place)


class _Labelled(NamedTuple):
    ratings: Ratings
    decisions: Adjudications
    estimate: DawidSkene
    labels: ItemLabels  # in the order of the items of the ratings


def _labelled(terms: Terms, ratings: Ratings, decisions: Adjudications) -> _Labelled:
    """The labels of the items that the ratings are of; each has a counted one."""
    rated = {each.item_id for each in decisions}.intersection(ratings.item_ids)
    decisions = tuple(each for each in decisions if each.item_id in rated)
    fit = dawid_skene_0_1_0 if terms.figures_version == 1 else dawid_skene
    estimate = fit(ratings.counted_rows())
    adjudicated = adjudicated_labels(decisions)
    labels = label_items(
        terms.scheme, terms.choice, ratings, estimate, adjudicated, seed=terms.seed
    )
    return _Labelled(ratings, decisions, estimate, labels)


@dataclass(frozen=True, slots=True)
class _LabelledItems(Collection[LabelledItem]):
    """Items with their labels, made as they are gone through."""

    records: Items
    labels: ItemLabels

    def __len__(self) -> int:
        return len(self.records)

    def __contains__(self, item: object) -> bool:
        return any(each == item for each in self)

    def __iter__(self) -> Iterator[LabelledItem]:
        groups = self.labels.groups(GROUP)
        labels = chain.from_iterable(group.each("label") for group in groups)
        return map(LabelledItem, self.records, labels)


def _placed(
    terms: Terms, rated: Items, found: _Labelled, answers: Answers, place: Place
) -> Dataset:
    places, answer_splits = place(_LabelledItems(rated, found.labels), answers)
    are_placed = np.fromiter(map(bool, places), np.bool_, len(rated))
    if not are_placed.all():
        # The model weighs raters by all ratings it is fitted to, so it is fitted to those released.
        found = _labelled(terms, found.ratings.of_items(are_placed), found.decisions)
    placed = rated.where(are_placed)
    settled = settled_answers(answers, answer_splits, placed)
    placed = with_unrated_references(placed, settled)
    items = ReleasedItems.of(placed, found.labels, filter(None, places))
    return Dataset(terms, items, found.ratings, found.decisions, found.estimate, settled)


def _check_items(terms: Terms, items: Iterable[ItemRecord]) -> None:
    previous = None
    for item in items:
        if item.id == previous:
            raise ReleaseError(f"item {item.id!r} occurs twice")
        check_item(item, terms.protocol)
        previous = item.id


def _are_rated(items: Items, ratings: Ratings) -> NDArray[np.bool_]:
    """Whether each item is one that the ratings are of. Raises ReleaseError if one of these is not
    there."""
    are_rated = np.zeros(len(items), np.bool_)
    numbered = enumerate(ratings.item_ids)  # sorted, as the items are
    number, rated = next(numbered, (0, None))
    for place, item in enumerate(items):
        if item.id == rated:
            are_rated[place] = True
            number, rated = next(numbered, (0, None))
    if rated is not None:
        first = ratings.where(ratings.rows["item"] == number)[0]
        raise ReleaseError(f"rater {first.rater!r} rated item {rated!r}, which is not there")
    return are_rated


def _check_decisions(
    terms: Terms, items: Items, adjudications: Iterable[AdjudicationRecord]
) -> Adjudications:
    """The adjudications in order; they are of the items."""
    decisions = tuple(adjudications)
    wanted = {each.item_id for each in decisions}
    ids = {item.id for item in items if item.id in wanted} if wanted else wanted
    return take_in_adjudications(decisions, terms.scheme.labels, ids)


def with_unrated_references(items: Items, answers: Sequence[AnswerRecord]) -> Items:
    """The items, each with the references of its question that neither an item nor an answer of the
    question has: the right answers to a question are known, whatever was rated."""
    unrated: dict[str, set[str]] = {}
    for item in items:
        if item.unrated_references:
            unrated.setdefault(item.question_id, set()).update(item.unrated_references)
    if not unrated:
        return items
    told = chain(
        ((answer.question.id, answer.question.references) for answer in answers),
        ((item.question_id, item.references) for item in items),
    )
    for key, references in told:
        if key in unrated:
            unrated[key].difference_update(references)
    in_order = {key: tuple(sorted(texts)) for key, texts in unrated.items()}
    return items.changed(
        replace(item, unrated_references=in_order.get(item.question_id, ())) for item in items
    )
