"""The gain of EM and F1 from references that people's judgements add (Bulian 2022, section 3.7).

An answer's references grow by the candidates to the same question that are right to people and that
some other system gave. What people said of the answer itself must not make it right. There are two
ways to leave it out:

- "other": candidates that are word for word the answer itself are left out, whoever gave them.
- "new": the answer's system is left out, as if nobody had judged it yet. A candidate that is word
  for word the answer is in if another system gave it, too: for a new system it would be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal, NamedTuple

import numpy as np

from tomahto.charts.rows import count, number, percent, text
from tomahto.charts.table import PaperTable
from tomahto.lab.judged import JudgedData
from tomahto.lab.report import LabInput, Section, interval_note, lab_table
from tomahto.lab.system_answers import (
    PEOPLE,
    Answer,
    answer_notes,
    answer_scores,
    answers_in,
    people_estimate,
    people_values,
)
from tomahto.ranking.system_scores import SystemMeans

_TITLE = "More references"
_LEAD = (
    "Exact match and F1 miss right answers that are not among the references. How much nearer to"
    " people's verdict do they come when candidates that people accepted become references?"
)
_MEASURES = {"em": "EM", "f1": "F1"}

LeftOut = Literal["other", "new"]

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
    answers = answers_in(given.data)
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


class Overlaps(NamedTuple):
    """Exact match in normal form (0 or 1) and token F1, with the best of the references
    (tomahto.scoring.squad): of several texts the means."""

    em: float
    f1: float


@dataclass(frozen=True)
class ReferenceSets:
    """The candidates that people accepted, and what answers gain if they become references."""

    data: JudgedData

    @cached_property
    def accepted(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """By question, the accepted candidates and the systems that gave them."""
        found: dict[str, dict[str, frozenset[str]]] = {}
        for item in self.data.items:
            for system, question in self.data.answered(item) if item.is_right else ():
                texts = found.setdefault(question, {})
                texts[item.candidate] = texts.get(item.candidate, frozenset()) | {system}
        return found

    def added(self, answer: Answer, left_out: LeftOut) -> Sequence[str]:
        """The candidates that the answer's references grow by; none that is a reference already."""
        return [
            text
            for text, systems in self.accepted.get(answer.question_id, {}).items()
            if systems - {answer.system}
            and text not in answer.references
            and (left_out == "new" or text not in answer.texts)
        ]

    def overlaps(self, answer: Answer, added: Sequence[str] = ()) -> Overlaps:
        """With the question's references and what was added."""
        found = answer.earned(added)
        return Overlaps(
            em=answer.of_texts([each.exact_match for each in found]),
            f1=answer.of_texts([each.f1 for each in found]),
        )


def _means(
    given: LabInput,
    sets: ReferenceSets,
    answers: Sequence[Answer],
    grown: Mapping[LeftOut, Sequence[Sequence[str]]],
) -> SystemMeans:
    """Of people, of EM and F1 before, and of both after each way to add references."""
    values = {PEOPLE: people_values(answers)}
    nothing: Sequence[Sequence[str]] = [()] * len(answers)
    for when, added in (("before", nothing), *grown.items()):
        pairs = zip(answers, added, strict=True)
        overlaps = np.array([sets.overlaps(answer, texts) for answer, texts in pairs])
        values |= {f"{name} {when}": overlaps[:, place] for place, name in enumerate(_MEASURES)}
    return SystemMeans(answer_scores(values, answers), given.bootstrap)


def _table(
    given: LabInput,
    means: SystemMeans,
    answers: Sequence[Answer],
    left_out: LeftOut,
    added: Sequence[Sequence[str]],
) -> PaperTable:
    people = {
        system: people_estimate(given.data, system, given.bootstrap)
        for system in means.answers.systems
    }
    return lab_table(
        given,
        _KEYS[left_out],
        _TITLES[left_out],
        (
            (system, title, f"{measure} before", f"{measure} {left_out}")
            for system, (measure, title) in product(people, _MEASURES.items())
        ),
        text("system", "System", lambda row: row[0]),
        text("measure", "Measure", lambda row: row[1]),
        count("n", "n", lambda row: people[row[0]].n),
        number(
            "added",
            "References added per answer",
            lambda row: _added_to(row[0], answers, added),
        ),
        percent("people", "People", lambda row: people[row[0]]),
        percent("before", "Before", lambda row: means.mean(row[0], row[2])),
        percent("after", "After", lambda row: means.mean(row[0], row[3])),
        percent("difference", "Difference", lambda row: means.difference(row[0], row[3], row[2])),
        percent(
            "reached_before",
            "Of people's verdict, before",
            lambda row: means.share(row[0], row[2], PEOPLE),
        ),
        percent("reached_after", "and after", lambda row: means.share(row[0], row[3], PEOPLE)),
        notes=(_WAYS[left_out], *_notes(given, answers)),
        after="Bulian et al. (2022), sections 3.7 and 4.2",
    )


def _added_to(system: str, answers: Sequence[Answer], added: Sequence[Sequence[str]]) -> float:
    """The mean number of references that an answer of the system gains, open ones included."""
    gains = [
        len(texts) for answer, texts in zip(answers, added, strict=True) if answer.system == system
    ]
    return sum(gains) / len(gains)


def _notes(given: LabInput, answers: Sequence[Answer]) -> tuple[str, ...]:
    every = {(each.system, each.question.id) for each in given.data.answers}
    return (
        (
            "n is the number of answers that are not open; left out, as their questions have no"
            f" reference: {len(every) - len(answers):,}. EM is 1 where the normal forms of the"
            " answer and of a reference are the same, F1 is that of the closest reference. Before,"
            " the references are those of the question."
        ),
        "The last columns are EM or F1 over the share of answers that people judged right.",
        *answer_notes(given.data, answers),
        interval_note(given.bootstrap),
    )
