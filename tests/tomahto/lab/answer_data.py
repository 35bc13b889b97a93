"""Small reports: a few judged answers and what metrics say of them."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tasks.protocols import ae
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.judged import JudgedData, JudgedItem, answers_of_items
from tomahto.lab.report import LabInput, MetricScores
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord

BOOTSTRAP = Bootstrap(100, seed=3)


class Said(NamedTuple):
    """An item in short: the systems' letters, question, candidate, reference, people's verdict."""

    systems: str
    question: str
    candidate: str
    reference: str
    is_right: bool
    split: str = ""


def judged_data(said: Sequence[Said], exact: Sequence[tuple[str, str, str]] = ()) -> JudgedData:
    """`exact` are system, question and answer, which is the question's only reference there."""
    items = tuple(_item(place, each) for place, each in enumerate(said))
    return JudgedData(
        name="small",
        protocol="ae",
        scheme=ae.PROTOCOL.scheme,
        correct_labels=frozenset({"equivalent"}),
        digest="0123",
        items=items,
        all_answers=(
            *answers_of_items(items),
            *(
                AnswerRecord(
                    AnsweredQuestion(question, "d", question, "", (text,)), system, text, "exact"
                )
                for system, question, text in exact
            ),
        ),
    )


def _item(place: int, said: Said) -> JudgedItem:
    return JudgedItem(
        id=str(place),
        question_id=said.question,
        document="d",
        question=said.question,
        context="",
        references=(said.reference,) if said.reference else (),
        candidate=said.candidate,
        systems=tuple(said.systems),
        split=said.split,
        label="equivalent" if said.is_right else "not-equivalent",
        is_right=said.is_right,
    )


def lab_input(
    data: JudgedData,
    scores: Mapping[str, Sequence[float]],
    *,
    threshold: float = 0.5,
    tune_on: str | None = None,
    bootstrap: Bootstrap = BOOTSTRAP,
) -> LabInput:
    """`scores` by metric, all of one threshold."""
    metrics = [
        MetricScores(name, "v1", threshold, np.array(values, dtype=np.float64))
        for name, values in scores.items()
    ]
    return LabInput(data, metrics, bootstrap, tune_on)
