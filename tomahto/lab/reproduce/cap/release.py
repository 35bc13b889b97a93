"""Releases laid out as CAP-Correctness and as CAP-Statements; what people say of statements
(CAP App. B.5)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import NamedTuple

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.figures.rows import count, percent, table_of, text
from tomahto.figures.table import PaperTable
from tomahto.lab.judged import SYNTHETIC
from tomahto.lab.release_data import label_sources, part_sources_of
from tomahto.lab.reproduce.cap.answers import CapAnswer, models_of
from tomahto.lab.reproduce.comparison import Cells, counted, judged_share
from tomahto.matching.interface import Pair
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.dataset.released_items import ReleasedItem
from tomahto.releases.formats.paper_formats import subject_of, systems_answering
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
    """How well a generator writes on `n` held-out questions, shares from 0 to 1; ROUGE-L is None
    where it was not computed. `chose_epoch` if they are those that its epoch was chosen by."""

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


def written_found(given: WrittenStatements | None) -> Cells:
    """§4."""
    lacking = "needs generator=FILE, what train_statements --test RELEASE:test --json printed"
    if given and given.chose_epoch:
        lacking = (
            "generator=FILE is of the split that chose the epoch; needs train_statements --test"
        )
    elif given and not given.n:
        lacking = "generator=FILE is of no held-out question; needs train_statements --test"
    needed = undefined(lacking, n=0)
    values = {"BLEU": needed, "ROUGE-L": needed, "Exact match": needed}
    if given and given.n and not given.chose_epoch:
        rouge = undefined("train_statements had no package rouge-score", n=0)
        values = {
            "BLEU": Estimate(value=given.bleu, n=given.n),
            "ROUGE-L": rouge if given.rouge_l is None else Estimate(value=given.rouge_l, n=given.n),
            "Exact match": Estimate(value=given.exact, n=given.n),
        }
    for column, value in values.items():
        yield ("sec4", "mT5", column), value


def subjects_table(given: Sequence[JudgedStatement], source: str) -> PaperTable:
    """How many statements are of each subject and of each type of question (CAP Fig. 6 and 7)."""
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


def statements_found(given: Sequence[JudgedStatement], bootstrap: Bootstrap) -> Cells:
    """Tab. 1, Tab. 15, Fig. 7 and Fig. 8."""
    for column, names in _SPLITS.items():
        n = sum(not set(names).isdisjoint(one.splits) for one in given)
        reason = f"needs a release of statements with the split {names[0]}"
        yield ("tab1", "CAP-Statements", column), counted(n, n) if n else undefined(reason, n=0)
    for row, kind in _TYPES.items():
        of_type = [one for one in given if one.question_type == kind]
        lacking = f"needs statements of the type {kind}"
        for label in LABELS[1:]:
            yield ("tab15", row, label), _statement_share(of_type, _has(label), bootstrap, lacking)
    lacking = "needs statements: a release of the protocol statement, or statements=FILE"
    for label in LABELS:
        yield ("fig8", label, "Share"), _statement_share(given, _has(label), bootstrap, lacking)
    known = [one for one in given if one.subject]
    lacking = "needs statements with a subject: generated ones"
    general = _statement_share(known, lambda one: one.subject == _GENERAL, bootstrap, lacking)
    yield ("fig7", _GENERAL, "Share"), general


def _has(label: str) -> Callable[[JudgedStatement], bool]:
    return lambda one: one.label == label


def _statement_share(
    of: Sequence[JudgedStatement],
    counts: Callable[[JudgedStatement], bool],
    bootstrap: Bootstrap,
    lacking: str,
) -> Estimate:
    if not of:
        return undefined(lacking, n=0)
    return judged_share([(one.question, counts(one)) for one in of], bootstrap)
