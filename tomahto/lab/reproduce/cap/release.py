"""A release of a campaign of the eight classes, as lines laid out as CAP-Correctness."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tomahto.lab.part_sources import SYNTHETIC
from tomahto.lab.release_data import label_sources, part_sources_of
from tomahto.lab.reproduce.cap.answers import CapAnswer, model_of
from tomahto.matching.interface import Pair
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.records.errors import ReleaseError
from tomahto.votes.scheme import LabelScheme


def cap_release(dataset: Dataset, scheme: LabelScheme) -> list[CapAnswer]:
    """Its candidates that were written for a class are the benchmark: the class is the published
    label, the item's label that of people. Where none was, the benchmark is every item of no
    language model of the paper, under people's label alone. A label that was drawn by lot in a tie
    is nobody's, and left out.

    A model is known by the paper's name in that of its system, as in `qwen-3-32b`: each item is an
    answer of each of its systems. One that was written for a class is also an answer of a system
    that has items which were not, and no other answer to the question.

    Raises ReleaseError for a release of another protocol, or a class that the protocol does not
    have.
    """
    if set(dataset.terms.scheme.labels) != set(scheme.labels):
        raise ReleaseError(f"is of the protocol {dataset.terms.protocol}, not of CAP's classes")
    given = _Release.of(dataset)
    return [answer for item in dataset.items for answer in given.answers(item)]


@dataclass(frozen=True)
class _Release:
    """`labels` are those of an item by source, `answering` the systems that answer questions, and
    `candidates` how many of them a system has of a question."""

    dataset: Dataset
    labels: Mapping[str, Mapping[str, str]]
    answering: frozenset[str]
    candidates: Mapping[tuple[str, str], int]

    @classmethod
    def of(cls, dataset: Dataset) -> "_Release":
        records = dataset.items.records
        return cls(
            dataset,
            _labels(dataset),
            frozenset(name for one in records if not one.intended for name in one.systems),
            Counter((name, one.question_id) for one in records for name in one.systems),
        )

    def answers(self, item: ReleasedItem) -> Iterator[CapAnswer]:
        label, intended = item.label.label, item.record.intended
        is_peoples = item.label.source != "tie"
        if intended and intended not in self.dataset.terms.scheme.labels:
            raise ReleaseError(f"item {item.record.id!r}: {intended!r} is none of CAP's classes")
        models = {name for system in item.record.systems if (name := self._model(item, system))}
        if intended:
            yield self._answer(item, intended, label if is_peoples else None)
        elif is_peoples and not models and not self.dataset.has_intended:
            yield self._answer(item, label, None)
        for name in sorted(models) if is_peoples else ():
            yield self._answer(item, label, label, name)

    def _model(self, item: ReleasedItem, system: str) -> str:
        """The language model that gave the answer, "" if the system wrote it for a class."""
        alone = self.candidates[system, item.record.question_id] == 1
        is_answer = not item.record.intended or (system in self.answering and alone)
        return model_of(system) if is_answer else ""

    def _answer(
        self, item: ReleasedItem, label: str, human_label: str | None, system: str = ""
    ) -> CapAnswer:
        record = item.record
        pair = Pair(record.question, record.context, record.references, record.candidate)
        return CapAnswer(
            pair,
            label,
            human_label,
            system,
            {},
            id=record.id,
            corpus=record.document,
            labels=self.labels[record.id],
        )


def _labels(dataset: Dataset) -> dict[str, dict[str, str]]:
    """By item's id, what each source but the choice of the release and the texts' own says."""
    items = list(dataset.items)
    choice = dataset.terms.choice
    sources = label_sources(choice, [item.label for item in items])
    sources = {**sources, **part_sources_of(dataset, items)}
    return {
        item.record.id: {
            name: label
            for name, labels in sources.items()
            if name != SYNTHETIC and (label := labels[place])
        }
        for place, item in enumerate(items)
    }
