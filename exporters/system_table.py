"""How good the systems are by this release, as the page *Systems* of a campaign has it."""

from collections import Counter, defaultdict
from typing import Any

from exporters.dataset import Dataset
from exporters.records import SETTLED
from measures.system_accuracy import judged_systems
from measures.system_answers import SystemAnswers, Texts, answers_of

_NOT_HERE = -1  # stands for the items of an answer that are not in the release


def system_table(dataset: Dataset) -> list[dict[str, Any]]:
    """The systems whose answers are here, the best first (measures.system_accuracy): their answers
    by how they were settled, and what people judged of them.

    Judged by the majority of the counted ratings, ties open, whatever labels the release has.
    Accuracies are there where a label means that a candidate is right.
    """
    settled: dict[str, Counter[str]] = defaultdict(Counter)
    for answer in dataset.answers:
        settled[answer.system][answer.settled] += 1
    accepted = frozenset(dataset.terms.accepted_labels)
    rows = []
    for system in judged_systems(_system_answers(dataset, accepted), accepted, dataset.terms.seed):
        figures = system.figures(dataset.terms.scheme.labels)
        if not accepted:
            del figures["accuracy"], figures["judged_candidates"]
        counts = settled[system.answers.system]
        rows.append(figures | {"answers": {name: counts[name] for name in SETTLED}})
    return rows


def _system_answers(dataset: Dataset, accepted: frozenset[str]) -> list[SystemAnswers]:
    places = {record.id: place for place, record in enumerate(dataset.items.records)}
    labels = {
        place: None if label.outcome.tie else label.majority
        for place, label in enumerate(dataset.items.labels)
    }
    answerable = [answer for answer in dataset.answers if answer.question.references]
    questions: dict[str, int] = {}
    texts: dict[str, Texts] = defaultdict(lambda: defaultdict(dict))
    exact: dict[str, set[int]] = defaultdict(set)
    for answer in answerable:
        question = questions.setdefault(answer.question.id, len(questions))
        items = [places[item] for item in answer.items]
        if answer.settled == "exact":
            exact[answer.system].add(question)
        elif answer.settled == "not-rated":
            items.append(_NOT_HERE)
        texts[answer.system][question][answer.candidate] = items
    return [
        answers_of(system, given, frozenset(exact[system]), labels, accepted)
        for system, given in sorted(texts.items())
    ]
