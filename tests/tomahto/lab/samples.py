"""Judged answers whose figures can be computed by hand, and reports of every shape."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from tests.tomahto.charts.tables import NUMBERS, WORDS, paper_tables
from tomahto.charts.chart_data import TableChart
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.judged import JudgedData, JudgedItem, answers_of_items
from tomahto.lab.report import LabInput, LabReport, MetricScores, MetricSignature, Section
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("equivalent", "not-equivalent"), (1, 0))


def judged(
    id_: str, *, right: bool, question: str = "q1", split: str = "", systems: str = ""
) -> JudgedItem:
    return JudgedItem(
        id=id_,
        question_id=question,
        document="D" if question < "q3" else "E",
        question=f"What is {question}?",
        context="",
        references=("two",),
        candidate="2",
        systems=tuple(systems.split()),
        split=split,
        label="equivalent" if right else "not-equivalent",
        is_right=right,
    )


DATA = JudgedData(
    name="demo 1.0.0",
    protocol="ae",
    scheme=SCHEME,
    correct_labels=frozenset({"equivalent"}),
    digest="0123456789abcdef",
    items=(
        judged("a", right=True, question="q1", split="dev", systems="luke bidaf"),
        judged("b", right=False, question="q1", split="dev", systems="bidaf"),
        judged("c", right=True, question="q2", split="test", systems="luke"),
        judged("d", right=True, question="q3", split="test"),
        judged("e", right=False, question="q3", split="dev+test", systems="luke"),
    ),
)
EXACT = AnswerRecord(
    AnsweredQuestion("q1", "D", "What is q1?", "", ("two",)), "xlnet", "two", "exact"
)
WITH_EXACT = replace(DATA, all_answers=(*answers_of_items(DATA.items), EXACT))


def given(data: JudgedData = DATA, tune_on: str | None = None) -> LabInput:
    scores = np.linspace(0, 1, len(data.items))
    metrics = (MetricScores("em", "em|v1", 1.0, scores), MetricScores("f1", "f1|v1", 0.5, scores))
    return LabInput(data, metrics, Bootstrap(20, seed=7), tune_on)


_CHARTS = st.builds(
    TableChart,
    kind=st.sampled_from(("points", "line", "bars", "columns")),
    table=WORDS,
    title=WORDS,
    label=WORDS,
    series=st.lists(WORDS, max_size=2).map(tuple),
    across=WORDS,
    up=WORDS,
    low=st.none() | NUMBERS,
    high=st.none() | NUMBERS,
)
_SECTIONS = st.builds(
    Section,
    key=WORDS,
    title=WORDS,
    lead=WORDS,
    tables=st.lists(paper_tables(), max_size=1).map(tuple),
    charts=st.lists(_CHARTS, max_size=2).map(tuple),
    reason=WORDS,
)
REPORTS = st.builds(
    LabReport,
    name=WORDS,
    protocol=WORDS,
    digest=WORDS,
    items=st.integers(0, 99),
    metrics=st.lists(st.builds(MetricSignature, WORDS, WORDS, NUMBERS), max_size=2).map(tuple),
    seed=st.integers(0, 99),
    replicates=st.integers(1, 99),
    tune_on=st.none() | WORDS,
    sections=st.lists(_SECTIONS, max_size=2).map(tuple),
)
