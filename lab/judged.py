"""What a report is about: answers that people judged, and the systems that gave them."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from measures.scheme import LabelScheme

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


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """A system's answer that is a reference word for word: right, and never rated."""

    system: str
    question_id: str
    document: str
    question: str
    context: str
    references: tuple[str, ...]
    candidate: str


class Votes(NamedTuple):
    """How many counted ratings of an item found its candidate right, and how many did not."""

    right: int
    wrong: int


def votes_of(scheme: LabelScheme, votes: Sequence[int], correct: Collection[str]) -> Votes:
    """From the number of votes for each of the scheme's labels."""
    right = sum(n for label, n in zip(scheme.labels, votes, strict=True) if label in correct)
    return Votes(right, sum(votes) - right)


@dataclass(frozen=True)
class JudgedData:
    """Items with their labels. `name` says to readers whose they are, `digest` which they are: that
    of the release, or of the files or records that were read.

    `exact` are the systems' answers that nobody had to judge; None where none is known, as in data
    that hold rated items alone. An item of several systems is one item. `label_sources`
    has, by source, a label of each item, None where it gives none; the first is that of the items'
    own labels. `shared` has by id the items that settle answers to several questions of the same
    texts: those answers by system and question id; any other item is the answer of each of its
    systems to its own question. `votes` are those of each item, None where only labels are known.
    """

    name: str
    protocol: str
    scheme: LabelScheme
    correct_labels: frozenset[str]
    digest: str
    items: tuple[JudgedItem, ...]
    exact: tuple[ExactAnswer, ...] | None = None
    label_sources: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    votes: Sequence[Votes] | None = None
    shared: Mapping[str, Sequence[tuple[str, str]]] = field(default_factory=dict)

    @property
    def named(self) -> str:
        """The name with the beginning of the digest, for the source of a table."""
        return f"{self.name}, digest {self.digest[:_DIGITS]}"

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """By name."""
        exact = {answer.system for answer in self.exact or ()}
        return tuple(sorted(exact.union(*(item.systems for item in self.items))))

    def answered(self, item: JudgedItem) -> Sequence[tuple[str, str]]:
        """The answers that an item settles, by system and question id."""
        own = [(system, item.question_id) for system in item.systems]
        return self.shared.get(item.id, own)

    def questions_of(self, item: JudgedItem) -> Sequence[str]:
        """The questions that an item settles answers to, its own first."""
        others = (question for _, question in self.shared.get(item.id, ()))
        return list(dict.fromkeys((item.question_id, *others)))

    @cached_property
    def questions(self) -> Mapping[str, int]:
        """How many items each question has."""
        return Counter(item.question_id for item in self.items)
