"""The labels of the items, and the places where disagreement concentrates."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasks.models import Campaign, Suggestion
from tasks.votes.items import live_items
from tasks.votes.patterns import (
    labels_by_question_type,
    labels_by_rank,
    majority_labels,
    vote_patterns,
    votes_by_item,
)
from tomahto.classes.thresholds import NoThresholds, suggested_classes
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import estimate_as_json
from tomahto.estimates.two_way_clusters import mean_with_interval
from tomahto.ranking.system_accuracy import TIE
from tomahto.reliability.alpha import label_disagreement
from tomahto.reliability.chance_corrected import KAPPA_WEIGHTS, cohen_kappa
from tomahto.scoring.judged_scores import f1_histogram
from tomahto.text.normalisation import best_overlap
from tomahto.types import JsonObject
from tomahto.votes.majority import majority_totals
from tomahto.votes.patterns import PairTable
from tomahto.votes.scheme import LabelScheme


def labels_figures(campaign: Campaign) -> dict[str, Any]:
    """Votes, items by majority label, votes by type of question, and the histogram of token F1.

    An item without a majority label counts as "tie".
    """
    labels = campaign.annotation_protocol.scheme.labels
    votes = votes_by_item(campaign)
    labelled = majority_labels(campaign, votes)
    winners = {item: winner or TIE for item, winner in labelled.items()}
    return {
        "items": len(winners),
        "ratings": sum(map(sum, votes.values())),
        "votes": {
            label: sum(counts[place] for counts in votes.values())
            for place, label in enumerate(labels)
        },
        "majority": {
            label: sum(winner == label for winner in winners.values()) for label in (*labels, TIE)
        },
        "by_question_type": labels_by_question_type(campaign),
        "f1_histogram": f1_histogram((*labels, TIE), _overlaps(campaign, winners)),
    }


def _overlaps(campaign: Campaign, winners: dict[int, str]) -> Iterator[tuple[str, float | None]]:
    items = live_items(campaign).order_by().values_list("id", "candidate", "references")
    for item, candidate, references in items.iterator(chunk_size=2000):
        if item in winners:
            f1 = best_overlap(candidate, references).f1 if references else None
            yield winners[item], f1


REPLICATES = 1000


def classes_figures(campaign: Campaign) -> JsonObject:
    """Per label votes, items and disagreement; who is confused with whom; humans and suggestions.

    All tables have the labels in the order of `order`, from the highest rank to the lowest.
    `coincidences` are Krippendorff's, of two votes on one item.
    """
    scheme = campaign.annotation_protocol.scheme
    patterns = vote_patterns(campaign)
    totals, ties = majority_totals(patterns)
    votes = patterns.label_totals()
    found = label_disagreement(patterns, bootstrap=Bootstrap(REPLICATES, campaign.seed))
    order = labels_by_rank(scheme)
    places = [scheme.index_of[label] for label in order]
    return {
        "order": order,
        "items": patterns.items,
        "pairable": patterns.pairable().items,
        "ties": ties,
        "labels": [
            {
                "label": label,
                "votes": votes[label],
                "majority": totals[label],
                "disagreement": estimate_as_json(found.disagreement[place]),
            }
            for label, place in zip(order, places, strict=True)
        ],
        "coincidences": [[found.table[one][other] for other in places] for one in places],
        "suggestions": _suggestions(campaign, order),
    }


@dataclass(frozen=True, slots=True)
class _Judged:
    """An item with a majority label and the score of the campaign's matcher."""

    label: str
    score: float
    is_correct: bool
    question: int
    document: str


def _suggestions(campaign: Campaign, order: Sequence[str]) -> JsonObject:
    judged = _judged(campaign)
    return {
        "matcher": campaign.suggestion_matcher,
        "items": len(judged),
        "labels": [_scores([one for one in judged if one.label == label]) for label in order],
        "classes": _classes(judged, campaign.annotation_protocol.scheme, order),
    }


def _judged(campaign: Campaign) -> list[_Judged]:
    winners = majority_labels(campaign, votes_by_item(campaign))
    rows = (
        Suggestion.objects.filter(item__campaign=campaign, matcher=campaign.suggestion_matcher)
        .order_by("id")
        .values_list(
            "item_id", "score", "is_correct", "item__question", "item__question__document__key"
        )
    )
    newest = {row[0]: row for row in rows}  # the last one of an item stands
    return [
        _Judged(label, score, is_correct, question, document)
        for item, score, is_correct, question, document in newest.values()
        if (label := winners.get(item)) is not None
    ]


def _scores(judged: Sequence[_Judged]) -> JsonObject:
    """Of the items with one label: how many are suggested as correct, and their scores."""
    correct = sum(one.is_correct for one in judged)
    scores = np.array([one.score for one in judged], dtype=np.float64)
    questions = np.array([one.question for one in judged], dtype=np.int64)
    return {
        "correct": correct,
        "incorrect": len(judged) - correct,
        "mean_score": estimate_as_json(mean_with_interval(scores, questions)),
    }


def _classes(
    judged: Sequence[_Judged], scheme: LabelScheme, order: Sequence[str]
) -> JsonObject | None:
    """Majority labels by the classes that thresholds on the score make; None without an order.

    Thresholds come from other documents (`tomahto.classes.thresholds`).
    """
    if scheme.level == "nominal":
        return None
    labels = [one.label for one in judged]
    try:
        classes = suggested_classes(
            [one.score for one in judged], labels, [one.document for one in judged], scheme
        )
    except NoThresholds as error:
        return {"table": None, "reason": str(error)}
    counts = Counter(zip(labels, classes, strict=True))
    table = PairTable(("human", "suggestion"), counts)
    return {
        "table": [[counts[label, other] for other in order] for label in order],
        "kappa": {
            weights: estimate_as_json(cohen_kappa(table, scheme, weights))
            for weights in KAPPA_WEIGHTS
        },
    }
