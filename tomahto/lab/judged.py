"""The subject of a report: answers that people judged, and the systems that gave them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Literal, NamedTuple, get_args

from tomahto.ranking.system_answers import SystemAnswers
from tomahto.releases.dataset.labels import LABEL_CHOICES
from tomahto.releases.figures.statistics import system_answers
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord, ItemRecord
from tomahto.votes.scheme import LabelScheme, QuestionScheme

_DIGITS = 12  # of the digest; a report has all of it


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """A candidate beside what it is compared with, and the label that people's votes gave it.

    `question_id` is unique in the data: intervals draw questions, not items. `split` is empty where
    the data have none. `is_right` says whether the label is one of the protocol's correct ones.
    """

    id: str
    question_id: str
    document: str
    question: str
    context: str
    references: tuple[str, ...]
    candidate: str
    systems: tuple[str, ...]
    split: str
    label: str
    is_right: bool
    reference_index: int | None = None  # place of the one reference among the question's (ae)
    intended: str = ""  # what a model was asked to write, if the candidate is a generated text


class Votes(NamedTuple):
    """The numbers of counted ratings of an item that found its candidate right, and that did
    not."""

    right: int
    wrong: int


def votes_of(scheme: LabelScheme, votes: Sequence[int], correct: Collection[str]) -> Votes:
    """From the number of votes for each of the scheme's labels."""
    right = sum(n for label, n in zip(scheme.labels, votes, strict=True) if label in correct)
    return Votes(right, sum(votes) - right)


@dataclass(frozen=True, slots=True)
class DecidedBy:
    """All `rules` in the order of the form, and by item's id those that decided its label: chosen
    in at least half of the counted ratings that gave it. Items without such ratings are not there.
    """

    rules: tuple[str, ...]
    by_item: Mapping[str, tuple[str, ...]]

    @classmethod
    def of(
        cls,
        question: QuestionScheme,
        labels: Mapping[str, str],
        ratings: Iterable[tuple[str, str, Mapping[str, str]]],
    ) -> "DecidedBy":
        """From the labels of items, and the item, label and answers of each counted rating."""
        choices: dict[str, list[str]] = defaultdict(list)
        for item, label, answers in ratings:
            if labels.get(item) == label and question.key in answers:
                choices[item].append(answers[question.key])
        rules = question.values
        return cls(rules, {item: _decisive(rules, given) for item, given in choices.items()})


@dataclass(frozen=True)
class JudgedData:
    """Items with their labels. `name` says to readers whose they are, `digest` which they are: that
    of the release, or of the files or records that were read.

    An item of several systems is one item. `all_answers` are those of the systems, judged or not,
    in the order of their keys; without them items alone tell of answers. `majority` has the label
    of most votes of every rated item by its id: None in a tie, which may leave the item out of
    `items`; without it only the items' own labels are known. `label_sources` has, by source, a
    label of each item, None in a tie; the first is that of the items' own labels.
    `part_sources` are further ones, each to be compared on the items that it labels. `tie_sources`
    are the labels of the rated items that a tie leaves out of `items`, by the same sources.
    `votes` are those of each item, None where only labels are known; `decided_by` is None in a
    protocol without rules too.
    """

    name: str
    protocol: str
    scheme: LabelScheme
    correct_labels: frozenset[str]
    digest: str
    items: tuple[JudgedItem, ...]
    all_answers: Sequence[AnswerRecord] = ()
    majority: Mapping[str, str | None] = field(default_factory=dict)
    label_sources: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    part_sources: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    tie_sources: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    votes: Sequence[Votes] | None = None
    decided_by: DecidedBy | None = None

    @property
    def named(self) -> str:
        """The name with the beginning of the digest, for the source of a table."""
        return f"{self.name}, digest {self.digest[:_DIGITS]}"

    @cached_property
    def answers(self) -> Sequence[AnswerRecord]:
        """All that are known."""
        return self.all_answers or answers_of_items(self.items)

    @cached_property
    def own_labels(self) -> Mapping[str, str | None]:
        """By the items' ids."""
        return {item.id: item.label for item in self.items}

    @property
    def voted_labels(self) -> Mapping[str, str | None]:
        """The majority label of every rated item by its id; its own where no votes are known."""
        return self.majority or self.own_labels

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """By name."""
        return tuple(sorted({answer.system for answer in self.answers}))

    @cached_property
    def by_majority(self) -> Mapping[str, SystemAnswers]:
        """The systems' answers as most voters judged them, by system: as *Systems* has them."""
        return self._by(self.voted_labels)

    @cached_property
    def by_own_labels(self) -> Mapping[str, SystemAnswers]:
        """The systems' answers by the labels of the items; a rated item without one is tied."""
        return self._by({**dict.fromkeys(self.voted_labels), **self.own_labels})

    def _by(self, labels: Mapping[str, str | None]) -> Mapping[str, SystemAnswers]:
        found = system_answers(self.answers, labels, self.correct_labels)
        return {each.system: each for each in found}

    def answered(self, item: JudgedItem) -> Sequence[tuple[str, str]]:
        """The answers that an item settles, by system and question id: where several questions have
        the same texts, also those to the others."""
        return self._settled.get(item.id, ())

    def questions_of(self, item: JudgedItem) -> Sequence[str]:
        """The questions that an item settles answers to, its own first."""
        others = (question for _, question in self.answered(item))
        return list(dict.fromkeys((item.question_id, *others)))

    @cached_property
    def _settled(self) -> Mapping[str, Sequence[tuple[str, str]]]:
        found: dict[str, list[tuple[str, str]]] = {}
        for answer in self.answers:
            for item in answer.items:
                found.setdefault(item, []).append((answer.system, answer.question.id))
        return found

    @cached_property
    def questions(self) -> Mapping[str, int]:
        """The number of items of each question."""
        return Counter(item.question_id for item in self.items)


def answers_of_items(items: Iterable[ItemRecord | JudgedItem]) -> tuple[AnswerRecord, ...]:
    """The systems' answers as far as items tell of them: nobody knows of any other."""
    references: dict[str, dict[str, None]] = {}
    given: dict[tuple[str, str, str], tuple[ItemRecord | JudgedItem, list[str]]] = {}
    for item in items:
        references.setdefault(item.question_id, {}).update(dict.fromkeys(item.references))
        for system in item.systems:
            key = item.question_id, system, item.candidate
            given.setdefault(key, (item, []))[1].append(item.id)
    return tuple(
        AnswerRecord(
            AnsweredQuestion(
                question, item.document, item.question, item.context, tuple(references[question])
            ),
            system,
            candidate,
            "rated",
            tuple(ids),
        )
        for (question, system, candidate), (item, ids) in sorted(given.items(), key=itemgetter(0))
    )


def rules_question(questions: Iterable[QuestionScheme]) -> QuestionScheme | None:
    """The question for the rules, which is the one with several answers; None in a protocol
    without rules."""
    return next((question for question in questions if question.is_multiple), None)


def _decisive(rules: Sequence[str], choices: Sequence[str]) -> tuple[str, ...]:
    chosen = [choice.split("+") for choice in choices]
    return tuple(rule for rule in rules if 2 * sum(rule in one for one in chosen) >= len(chosen))


SYNTHETIC = "synthetic"
"""The source that says what generated texts were meant to be."""
ADJUDICATORS = "adjudicators"
"""The source of what adjudicators decided, who may be asked about ties alone."""
_NAMES = frozenset({SYNTHETIC, ADJUDICATORS, *LABEL_CHOICES})
_RATER = "rater "
RATERS = 12
"""So many raters are sources of their own, those with the most labels: more fill no table well."""

PartSources = dict[str, list[str | None]]
"""By source a label of each item, None where it gives none."""


def part_sources(
    ids: Sequence[str],
    meant: Mapping[str, str],
    adjudicated: Mapping[str, str | None],
    ratings: Iterable[tuple[str, str, str]],
) -> PartSources:
    """From the ids of items, what each was meant to be and what adjudicators decided, by id, and
    ratings as (item, rater, label). A source is there if it labels one of the items. A rater who is
    called as another source is, as `synthetic`, is here `rater synthetic`."""
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    for item, rater, label in ratings:
        labels[_source_of(rater)][item] = label
    by_rater = {rater: [given.get(item) for item in ids] for rater, given in labels.items()}
    most = sorted(by_rater, key=lambda rater: (-_labelled(by_rater[rater]), rater))[:RATERS]
    found = {
        SYNTHETIC: [meant.get(item) or None for item in ids],
        ADJUDICATORS: [adjudicated.get(item) for item in ids],
    }
    found |= {rater: by_rater[rater] for rater in sorted(most)}
    return {source: each for source, each in found.items() if _labelled(each)}


def _source_of(rater: str) -> str:
    """A name that no other source, and no other rater, has."""
    return f"{_RATER}{rater}" if rater in _NAMES or rater.startswith(_RATER) else rater


def _labelled(labels: Sequence[str | None]) -> int:
    return len(labels) - labels.count(None)


Unit = Literal["items", "ratings"]
UNITS: tuple[Unit, ...] = get_args(Unit)
UNIT_NAMES: Mapping[Unit, str] = {"items": "item", "ratings": "rating"}
"""As captions of tables say it."""
NO_RATINGS = 'the unit ratings needs each item\'s ratings ("ratings" on every line)'


class JudgedUnit(NamedTuple):
    """The place of the item in the data, and whether it was found right."""

    place: int
    is_right: bool


def judged_units(data: JudgedData, unit: Unit) -> list[JudgedUnit]:
    """One for each item, with the label of the majority or of adjudicators; or one for each counted
    rating, as Bulian et al. (2022) count (Tab. 4). Either way they belong to the item's question,
    which the bootstrap draws.

    Raises ValueError if the ratings are not known.
    """
    if unit == "items":
        return [JudgedUnit(place, item.is_right) for place, item in enumerate(data.items)]
    check_unit(data, unit)
    return [
        JudgedUnit(place, is_right)
        for place, votes in enumerate(data.votes or ())
        for is_right, number in ((True, votes.right), (False, votes.wrong))
        for _ in range(number)
    ]


def check_unit(data: JudgedData, unit: Unit) -> None:
    """Raises ValueError if the data lack the ratings that the unit needs."""
    if unit == "ratings" and data.votes is None:
        raise ValueError(NO_RATINGS)
