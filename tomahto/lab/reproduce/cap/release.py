"""A release of a campaign of the eight classes, as lines laid out as CAP-Correctness."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tomahto.lab.part_sources import SYNTHETIC
from tomahto.lab.release_data import label_sources, part_sources_of
from tomahto.lab.reproduce.cap.answers import CapAnswer, models_of
from tomahto.matching.interface import Pair
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.formats.cap_format import systems_answering
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
    """By item's id, `labels` are those by source, and `systems` those that answered so."""

    dataset: Dataset
    labels: Mapping[str, Mapping[str, str]]
    systems: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, dataset: Dataset) -> "_Release":
        return cls(dataset, _labels(dataset), systems_answering(dataset.items.records))

    def answers(self, item: ReleasedItem) -> Iterator[CapAnswer]:
        label, intended = item.label.label, item.record.intended
        is_peoples = item.label.source != "tie"
        if intended and intended not in self.dataset.terms.scheme.labels:
            raise ReleaseError(f"item {item.record.id!r}: {intended!r} is not one of CAP's classes")
        models = models_of(self.systems[item.record.id])
        if intended:
            yield self._answer(item, intended, label if is_peoples else None)
        elif is_peoples and not models and not self.dataset.has_intended:
            yield self._answer(item, label, None)
        for name in models if is_peoples else ():
            yield self._answer(item, label, None, name)

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
