"""What EM and F1 gain from references that people's judgements add (Bulian 2022, section 3.7)."""

from collections.abc import Mapping, Sequence

import numpy as np

from exporters.paper.table import Cell, Column, PaperTable
from lab.answers import (
    PEOPLE,
    Answer,
    answer_notes,
    answer_scores,
    best_values,
    exact_answers,
    rated_answers,
)
from lab.metric_notes import interval_note, source_of
from lab.reference_sets import LeftOut, Overlaps, ReferenceSets
from lab.report import LabInput, Section
from lab.scores import Floats
from measures.system_scores import SystemMeans

_TITLE = "More references"
_LEAD = (
    "Exact match and F1 miss right answers that are not among the references. How much nearer to"
    " people's verdict do they come when candidates that people accepted become references?"
)
_MEASURES = {"em": "EM", "f1": "F1"}
_TITLES: Mapping[LeftOut, str] = {
    "other": "EM and F1 with other accepted answers as references",
    "new": "EM and F1 with accepted answers as references, of each system as if it were new",
}
_KEYS: Mapping[LeftOut, str] = {"other": "more_references", "new": "more_references_new_system"}
_WAYS: Mapping[LeftOut, str] = {
    "other": (
        "The references of an answer grow by every other candidate to its question that people"
        " accepted and that another system gave. No judgement of a candidate that is word for word"
        " the answer is used, whichever system gave it."
    ),
    "new": (
        "The references of an answer grow by every candidate to its question that people accepted"
        " and that another system gave, word for word the answer itself or not: what a system that"
        " nobody has judged would find."
    ),
}


def more_references_section(given: LabInput) -> Section:
    """Tables `more_references` and `more_references_new_system`: EM and F1 of each system before
    and after, the difference, and the share of people's verdict that each reaches.
    """
    sets = ReferenceSets(given.data)
    answers = [
        answer
        for answer in (*rated_answers(given.data), *exact_answers(given.data))
        if sets.references[answer.question_id]
    ]
    if reason := _why_not(given, answers):
        return Section("more_references", _TITLE, _LEAD, (), reason=reason)
    grown: dict[LeftOut, list[Sequence[str]]] = {
        left_out: [sets.added(answer, left_out) for answer in answers] for left_out in _KEYS
    }
    means = _means(given, sets, answers, grown)
    tables = tuple(_table(given, means, answers, left_out, grown[left_out]) for left_out in _KEYS)
    return Section("more_references", _TITLE, _LEAD, tables)


def _why_not(given: LabInput, answers: Sequence[Answer]) -> str:
    if not given.data.systems:
        return "no answer is of a named system"
    if not answers:
        return "no question has a reference"
    if len({answer.system for answer in answers}) < 2:
        return "there is one system only, so no other's answers can become references"
    return ""


def _means(
    given: LabInput,
    sets: ReferenceSets,
    answers: Sequence[Answer],
    grown: Mapping[LeftOut, Sequence[Sequence[str]]],
) -> SystemMeans:
    """Of people, of EM and F1 before, and of both after each way to add references."""
    is_right = np.array([item.is_right for item in given.data.items], dtype=np.float64)
    values = {PEOPLE: best_values(is_right, answers)}
    values |= _columns([sets.overlaps(answer) for answer in answers], "before")
    for left_out, added in grown.items():
        pairs = zip(answers, added, strict=True)
        values |= _columns([sets.overlaps(answer, texts) for answer, texts in pairs], left_out)
    return SystemMeans(answer_scores(values, answers), given.bootstrap)


def _columns(overlaps: Sequence[Overlaps], when: str) -> dict[str, Floats]:
    table = np.array(overlaps)
    return {f"{name} {when}": table[:, place] for place, name in enumerate(_MEASURES)}


def _table(
    given: LabInput,
    means: SystemMeans,
    answers: Sequence[Answer],
    left_out: LeftOut,
    added: Sequence[Sequence[str]],
) -> PaperTable:
    return PaperTable(
        key=_KEYS[left_out],
        title=_TITLES[left_out],
        columns=(
            Column("system", "System", "text"),
            Column("measure", "Measure", "text"),
            Column("n", "n"),
            Column("added", "References added per answer", "number"),
            Column("people", "People", "percent"),
            Column("before", "Before", "percent"),
            Column("after", "After", "percent"),
            Column("difference", "Difference", "percent"),
            Column("reached_before", "Of people's verdict, before", "percent"),
            Column("reached_after", "and after", "percent"),
        ),
        rows=tuple(
            _row(means, system, measure, left_out, _added_to(system, answers, added))
            for system in means.answers.systems
            for measure in _MEASURES
        ),
        notes=(_WAYS[left_out], *_notes(given, answers)),
        source=source_of(given.data, "Bulian et al. (2022), sections 3.7 and 4.2"),
    )


def _added_to(system: str, answers: Sequence[Answer], added: Sequence[Sequence[str]]) -> float:
    """How many references an answer of the system gains on average."""
    gains = [
        len(texts) for answer, texts in zip(answers, added, strict=True) if answer.system == system
    ]
    return sum(gains) / len(gains)


def _row(
    means: SystemMeans, system: str, measure: str, left_out: LeftOut, added: float
) -> tuple[Cell, ...]:
    before, after = f"{measure} before", f"{measure} {left_out}"
    people = means.mean(system, PEOPLE)
    return (
        system,
        _MEASURES[measure],
        people.n,
        added,
        people,
        means.mean(system, before),
        means.mean(system, after),
        means.difference(system, after, before),
        means.share(system, before, PEOPLE),
        means.share(system, after, PEOPLE),
    )


def _notes(given: LabInput, answers: Sequence[Answer]) -> tuple[str, ...]:
    every = len(rated_answers(given.data)) + len(given.data.exact or ())
    return (
        (
            "n is the number of answers; left out, as their questions have no reference:"
            f" {every - len(answers):,}. EM is 1 where the normal forms of the answer and of a"
            " reference are the same, F1 is that of the closest reference. Before, the references"
            " are those of the question's items."
        ),
        "The last columns are EM or F1 over the share of answers that people judged right.",
        *answer_notes(given.data),
        interval_note(given.bootstrap),
    )
