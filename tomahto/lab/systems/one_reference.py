"""The loss of systems under metrics with one reference only (Bulian 2022, Tab. 7)."""

from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from tomahto.figures.rows import count, percent, text
from tomahto.figures.table import PaperTable
from tomahto.lab.judged import JudgedData
from tomahto.lab.metric_notes import interval_note, lab_table
from tomahto.lab.report import LabInput
from tomahto.lab.systems.answers import (
    PEOPLE,
    Answer,
    answer_scores,
    answers_in,
    best_values,
    judges,
    metric_values,
    people_values,
)
from tomahto.ranking.system_scores import SystemMeans

_ONE = ", one reference"


def one_reference_table(given: LabInput) -> PaperTable | None:
    """`systems_one_reference`, or None where no answer has items of several references."""
    judged = [answer for answer in answers_in(given.data) if answer.is_judged]
    pairs = list(_pairs(given.data, judged))
    if not any(one.items != every.items for one, every in pairs):
        return None
    means = _means(given, [one for one, _ in pairs], [every for _, every in pairs])
    return lab_table(
        given,
        "systems_one_reference",
        "Systems with one reference and with all",
        product(means.answers.systems, (PEOPLE, *judges(given.scores))),
        text("system", "System", lambda row: row[0]),
        text("judge", "Judge", lambda row: row[1]),
        count("n", "n", lambda row: means.mean(*row).n),
        percent("one", "One reference", lambda row: means.mean(row[0], f"{row[1]}{_ONE}")),
        percent("all", "All references", lambda row: means.mean(*row)),
        percent("difference", "Difference", lambda row: means.difference(*row, f"{row[1]}{_ONE}")),
        notes=(
            (
                "n is the number of judged answers that were compared with the first reference of"
                " their question, and have a majority there; left out:"
                f" {len(judged) - len(pairs):,}."
                " With all references an answer counts by the best of its items, and in EM and F1"
                " by the best of its question's references."
            ),
            (
                "The table is about references, not about all of a system's answers: those that are"
                " a reference word for word are not in, as no metric has compared them with the"
                " first reference alone, and empty and open ones are not in either."
            ),
            f"The difference is paired. {interval_note(given.bootstrap)}",
        ),
        after="Bulian et al. (2022), Tab. 7",
    )


def _pairs(data: JudgedData, answers: Sequence[Answer]) -> Iterator[tuple[Answer, Answer]]:
    """Every answer of which each text has a majority on its question's first reference: with the
    items of that reference alone, and with all."""
    first: dict[str, tuple[str, ...]] = {}
    for item in data.items:
        for question in () if item.reference_index else data.questions_of(item):
            first.setdefault(question, item.references)
    for answer in answers:
        references = first.get(answer.question_id, ())
        items = tuple(
            tuple(
                place
                for place in places
                if data.items[place].references == references
                and data.voted_labels[data.items[place].id] is not None
            )
            for places in answer.items
        )
        if all(items):
            yield answer._replace(items=items, references=references), answer


def _means(given: LabInput, one: Sequence[Answer], every: Sequence[Answer]) -> SystemMeans:
    voted, correct = given.data.voted_labels, given.data.correct_labels
    is_right = [float(voted[item.id] in correct) for item in given.data.items]
    with_one = metric_values(given.scores, one)
    values = {
        PEOPLE: people_values(every),
        f"{PEOPLE}{_ONE}": best_values(np.array(is_right), one),
        **metric_values(given.scores, every),
        **{f"{judge}{_ONE}": said for judge, said in with_one.items()},
    }
    return SystemMeans(answer_scores(values, every), given.bootstrap)
