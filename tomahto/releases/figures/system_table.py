"""How good the systems are by this release, as the page *Systems* of a campaign has it."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from tomahto.ranking.system_accuracy import judged_systems
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.figures.system_answers import system_answers
from tomahto.releases.records.records import SETTLED, AnswerRecord


def system_table(
    dataset: Dataset, answers: Sequence[AnswerRecord] | None = None
) -> list[dict[str, Any]]:
    """The systems whose answers are here, or these, the best first
    (tomahto.ranking.system_accuracy): their answers by how they were settled, and what people
    judged of them.

    Judged by the majority of the counted ratings, ties open, whatever labels the release has.
    Accuracies are there where a label means that a candidate is right.
    """
    answers = dataset.answers if answers is None else answers
    settled: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in answers:
        settled[answer.system][answer.settled] += 1
    accepted = frozenset(dataset.terms.accepted_labels)
    systems = system_answers(answers, dataset.majority_labels, accepted)
    rows = []
    for system in judged_systems(systems, accepted, dataset.terms.seed):
        figures = system.figures(dataset.terms.scheme.labels)
        if not accepted:
            del figures["accuracy"], figures["judged_candidates"]
        counts = settled[system.answers.system]
        rows.append(figures | {"answers": {name: counts[name] for name in SETTLED}})
    return rows
