"""How good the systems are, as people judged their answers (Bulian et al. 2022, Tab. 11)."""

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from measures.bootstrap import Bootstrap
from measures.estimate import Estimate, estimate_as_json
from tasks.models import Campaign
from tasks.queries.system_accuracy import (
    accuracy,
    accuracy_of_items,
    accuracy_with_exact,
    bootstrap_of,
    difference,
)
from tasks.queries.system_answers import TIE, SystemAnswers, system_answers

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _System:
    """A system's answers and its accuracy by three ways of counting."""

    answers: SystemAnswers
    of_items: Estimate
    of_candidates: Estimate
    with_exact: Estimate


def system_figures(campaign: Campaign) -> JsonObject:
    """Every system, best first, and the differences of neighbours in this order.

    Accuracy is the share of rated items with a correct majority label, ties left out; how right
    the candidates are that people judge; and that with the exact matches, which count as correct
    and are never rated. The order is that of the last.
    """
    bootstrap = bootstrap_of(campaign)
    correct = campaign.annotation_protocol.correct_labels
    systems = [
        _System(
            answers,
            accuracy_of_items(answers, correct, bootstrap),
            accuracy(answers, bootstrap),
            accuracy_with_exact(answers, bootstrap),
        )
        for answers in system_answers(campaign)
    ]
    ranked = sorted(systems, key=_place)
    return {
        "systems": [_system(campaign, system) for system in ranked],
        "differences": [
            _difference(better.answers, worse.answers, bootstrap)
            for better, worse in pairwise(ranked)
        ],
    }


def _place(system: _System) -> tuple[bool, float, str]:
    value = system.with_exact.value
    return value is None, -(value or 0.0), system.answers.system


def _system(campaign: Campaign, system: _System) -> JsonObject:
    answers = system.answers
    labels = Counter(item.label for item in answers.rated)
    return {
        "system": answers.system,
        "candidates": len(answers.exact) + len(answers.answers),
        "exact_matches": len(answers.exact),
        "judged_candidates": sum(answer.value is not None for answer in answers.answers.values()),
        "items": answers.items,
        "rated_items": len(answers.rated),
        "unrated_items": answers.items - len(answers.rated),
        "labels": {
            label: labels[label] for label in (*campaign.annotation_protocol.scheme.labels, TIE)
        },
        "accuracy": {
            "items": estimate_as_json(system.of_items),
            "candidates": estimate_as_json(system.of_candidates),
            "with_exact_matches": estimate_as_json(system.with_exact),
        },
    }


def _difference(better: SystemAnswers, worse: SystemAnswers, bootstrap: Bootstrap) -> JsonObject:
    return {
        "better": better.system,
        "worse": worse.system,
        "shared": len(better.questions & worse.questions),
        **estimate_as_json(difference(better, worse, bootstrap)),
    }
