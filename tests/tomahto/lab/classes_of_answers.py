"""Judged answers in CAP's eight classes, and metrics that order them more or less."""

import numpy as np

from tasks.protocols import cap
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.lab.judged import JudgedData, JudgedItem
from tomahto.lab.report import LabInput, MetricScores

SCHEME = cap.PROTOCOL.scheme
CORRECT = cap.PROTOCOL.correct_labels


def judged_item(place: int, label: str, *, systems: tuple[str, ...] = ()) -> JudgedItem:
    """Two items share a question; the first half of the questions is the split dev."""
    return JudgedItem(
        id=f"i{place}",
        question_id=f"q{place // 2}",
        document="d",
        question="Where?",
        context="",
        references=("here",),
        candidate="there",
        systems=systems or (("one", "two")[place % 2],),
        split="dev" if place < 24 else "test",
        label=label,
        is_right=label in CORRECT,
    )


def cap_data(items: tuple[JudgedItem, ...]) -> JudgedData:
    return JudgedData("answers", "cap", SCHEME, CORRECT, "0" * 64, items)


def metric(name: str, scores: np.ndarray) -> MetricScores:
    return MetricScores(name, f"{name}|v1", 0.5, np.asarray(scores, dtype=np.float64))


def cap_input(*, tune_on: str | None = None) -> LabInput:
    """48 items, six of each class; `good` follows the ranks, `noise` does not."""
    generator = np.random.default_rng(4)
    places = generator.permutation(np.arange(48) % 8)
    ranks = np.array(SCHEME.ranks)[places] / 7
    items = tuple(judged_item(place, SCHEME.labels[label]) for place, label in enumerate(places))
    scores = (
        metric("good", np.clip(ranks + generator.normal(0, 0.2, 48), 0, 1)),
        metric("noise", generator.random(48)),
    )
    return LabInput(cap_data(items), scores, Bootstrap(30, seed=5), tune_on)
