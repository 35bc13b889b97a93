"""Releases laid out as CAP-Correctness and as CAP-Statements; what people say of statements
(CAP App. B.5)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from tomahto.charts.rows import count, percent, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.lab.judged import SYNTHETIC
from tomahto.lab.release_data import label_sources, part_sources_of
from tomahto.lab.reproduce.cap.answers import CapAnswer, models_of
from tomahto.lab.reproduce.comparison import Cells, Needed, judged_share, size
from tomahto.matching.interface import Pair
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.formats.cap import subject_of, systems_answering
from tomahto.releases.records.fields import ReleaseError
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
    systems = systems_answering(dataset.items.records)
    labels = _labels(dataset)
    return [
        answer
        for item in dataset.items
        for answer in _answers(
            item, dataset, models_of(systems[item.record.id]), labels[item.record.id]
        )
    ]


def _answers(
    item: ReleasedItem, dataset: Dataset, models: Sequence[str], labels: Mapping[str, str]
) -> Iterator[CapAnswer]:
    """`models` gave the item as an answer; `labels` are those of other sources."""
    record, label, intended = item.record, item.label.label, item.record.intended
    is_peoples = item.label.source != "tie"
    if intended and intended not in dataset.terms.scheme.labels:
        raise ReleaseError(f"item {record.id!r}: {intended!r} is not one of CAP's classes")
    answer = CapAnswer(
        Pair(record.question, record.context, record.references, record.candidate),
        label,
        human_label=None,
        system="",
        scores={},
        id=record.id,
        corpus=record.document,
        labels=labels,
    )
    if intended:
        yield replace(answer, label=intended, human_label=label if is_peoples else None)
    elif is_peoples and not models and not dataset.has_intended:
        yield answer
    for name in models if is_peoples else ():
        yield replace(answer, system=name)


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


LABELS = ("correct", "syntactic", "semantic", "wrong")
_GENERAL = "General knowledge"
_SPLITS = {
    "Train": ("train",),
    "Validation": ("validation", "valid", "val", "dev"),
    "Test": ("test",),
}
"""The names of splits by the paper's."""
_TYPES = {
    "Short question": "short-question",
    "Long context": "long-question",
    "Sentence completion": "sentence-to-complete",
    "Blank-space task": "blank-spaces-task",
}


class JudgedStatement(NamedTuple):
    """`question` is what intervals are over; `splits` are those that a release has it in, `id` is
    the item's."""

    question: str
    question_type: str
    subject: str
    label: str
    splits: tuple[str, ...] = ()
    id: str = ""


class WrittenStatements(NamedTuple):
    """The quality of a generator's statements on `n` held-out questions, shares from 0 to 1;
    ROUGE-L is None where it was not computed. `chose_epoch` if they are those that its epoch was
    chosen by."""

    n: int
    bleu: float
    rouge_l: float | None
    exact: float
    chose_epoch: bool = False


def statements_of(dataset: Dataset) -> list[JudgedStatement]:
    """Those of a release of statements, without those whose label was drawn by lot in a tie."""
    return [
        JudgedStatement(
            item.record.question_id,
            item.record.question_type,
            subject_of(item.record),
            item.label.label,
            item.splits,
            item.record.id,
        )
        for item in dataset.items
        if item.label.source != "tie"
    ]


def written_cells(given: WrittenStatements | None) -> Cells:
    """§4."""

    def share(of: Callable[[WrittenStatements], float | None]) -> Estimate:
        if given is None:
            raise Needed(
                "needs generator=FILE, what train_statements --test RELEASE:test --json printed"
            )
        if given.chose_epoch:
            raise Needed(
                "generator=FILE is of the split that chose the epoch; needs train_statements --test"
            )
        if not given.n:
            raise Needed("generator=FILE is of no held-out question; needs train_statements --test")
        value = of(given)
        if value is None:
            raise Needed("train_statements had no package rouge-score")
        return Estimate(value=value, n=given.n)

    yield ("sec4", "mT5", "BLEU"), partial(share, lambda given: given.bleu)
    yield ("sec4", "mT5", "ROUGE-L"), partial(share, lambda given: given.rouge_l)
    yield ("sec4", "mT5", "Exact match"), partial(share, lambda given: given.exact)


def subjects_table(given: Sequence[JudgedStatement], source: str) -> PaperTable:
    """The number of statements of each subject and of each type of question (CAP Fig. 6 and 7)."""
    subjects = Counter(one.subject for one in given if one.subject)
    types = Counter(one.question_type for one in given if one.question_type)
    rows = [
        (by, name, n, counts.total())
        for by, counts in (("subject", subjects), ("type of question", types))
        for name, n in sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    ]
    return table_of(
        "subjects",
        "Statements by subject and by type of question",
        rows,
        text("by", "By", itemgetter(0)),
        text("name", "Name", itemgetter(1)),
        count("statements", "Statements", itemgetter(2)),
        percent("share", "Share", lambda row: row[2] / row[3]),
        notes="The paper prints no counts of its figures",
        source=source,
        reasons=() if rows else ["needs statements with a subject or a type of question"],
    )


def statement_cells(given: Sequence[JudgedStatement], bootstrap: Bootstrap) -> Cells:
    """Tab. 1, Tab. 15, Fig. 7 and Fig. 8."""

    def share(column: str, value: str, of: Sequence[JudgedStatement], lacking: str) -> Estimate:
        if not of:
            raise Needed(lacking)
        flags = np.array([getattr(one, column) == value for one in of])
        return judged_share([one.question for one in of], flags, bootstrap)

    for split, names in _SPLITS.items():
        n = sum(not set(names).isdisjoint(one.splits) for one in given)
        needed = f"needs a release of statements with the split {names[0]}"
        yield ("tab1", "CAP-Statements", split), partial(size, n, needed)
    for row, kind in _TYPES.items():
        of_type = [one for one in given if one.question_type == kind]
        for label in LABELS[1:]:
            lacking = f"needs statements of the type {kind}"
            yield ("tab15", row, label), partial(share, "label", label, of_type, lacking)
    for label in LABELS:
        lacking = "needs statements: a release of the protocol statement, or statements=FILE"
        yield ("fig8", label, "Share"), partial(share, "label", label, given, lacking)
    known = [one for one in given if one.subject]
    lacking = "needs statements with a subject: generated ones"
    yield ("fig7", _GENERAL, "Share"), partial(share, "subject", _GENERAL, known, lacking)
