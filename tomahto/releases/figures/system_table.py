"""How good the systems are by this release, as the page *Systems* of a campaign has it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.ranking.system_accuracy import REPLICATES, judged_systems
from tomahto.ranking.system_answers import SystemAnswers, Texts, answers_of
from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.records.records import SETTLED, AnswerRecord

_NOT_HERE = ""  # stands for the items of an answer that are missing


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
    terms = dataset.terms
    accepted = frozenset(terms.accepted_labels)
    bootstrap = Bootstrap(REPLICATES, terms.seed, is_widened=terms.figures_version > 1)
    systems = system_answers(answers, dataset.majority_labels, accepted)
    rows = []
    for system in judged_systems(systems, accepted, bootstrap):
        figures = system.figures(terms.scheme.labels, accepted)
        counts = settled[system.answers.system]
        rows.append(figures | {"answers": {name: counts[name] for name in SETTLED}})
    return rows


def system_answers(
    answers: Iterable[AnswerRecord],
    labels: Mapping[str, str | None],
    accepted: frozenset[str],
) -> list[SystemAnswers[str]]:
    """The answers of every system, by name; those to questions without a reference are left out.

    `labels` has every rated item's label by its id, None where there is none.
    """
    texts: dict[str, Texts[str]] = defaultdict(lambda: defaultdict(dict))
    exact: dict[str, set[str]] = defaultdict(set)
    for answer in answers:
        if not answer.question.references:
            continue
        question, items = answer.question.id, list(answer.items)
        if answer.settled == "exact":
            exact[answer.system].add(question)
        elif answer.settled == "not-rated":
            items.append(_NOT_HERE)
        texts[answer.system][question][answer.candidate] = items
    return [
        answers_of(system, given, frozenset(exact[system]), labels, accepted)
        for system, given in sorted(texts.items())
    ]
