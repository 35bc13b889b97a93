"""A release of a campaign of the eight classes, as lines laid out as CAP-Correctness."""

from collections.abc import Iterator

from tomahto.lab.reproduce.cap_answers import CapAnswer, model_of
from tomahto.matching.interface import Pair
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.records.errors import ReleaseError
from tomahto.votes.scheme import LabelScheme


def cap_release(dataset: Dataset, scheme: LabelScheme) -> list[CapAnswer]:
    """Its candidates that were written for a class are the benchmark: the class is the published
    label, the item's label that of people. Where none was, the benchmark is every item of no
    language model of the paper, under people's label alone.

    A model is known by the paper's name in that of its system, as in `qwen-3-32b`: each item is an
    answer of each of its systems. Raises ReleaseError for a release of another protocol, or a class
    that the protocol does not have.
    """
    if set(dataset.terms.scheme.labels) != set(scheme.labels):
        raise ReleaseError(f"is of the protocol {dataset.terms.protocol}, not of CAP's classes")
    return [answer for item in dataset.items for answer in _answers(item, dataset)]


def _answers(item: ReleasedItem, dataset: Dataset) -> Iterator[CapAnswer]:
    label, intended = item.label.label, item.record.intended
    if intended:
        if intended not in dataset.terms.scheme.labels:
            raise ReleaseError(f"item {item.record.id!r}: {intended!r} is none of CAP's classes")
        yield _answer(item, intended, label)
        return
    models = {name for system in item.record.systems if (name := model_of(system))}
    for name in sorted(models):
        yield _answer(item, label, label, name)
    if not models and not dataset.has_intended:
        yield _answer(item, label, None)


def _answer(item: ReleasedItem, label: str, human_label: str | None, system: str = "") -> CapAnswer:
    record = item.record
    pair = Pair(record.question, record.context, record.references, record.candidate)
    return CapAnswer(pair, label, human_label, system, {})
