"""The labels of the items, and the places where disagreement concentrates."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tasks.agreement.figures.suggestion_figures import newest_suggestions
from tasks.models import Campaign, Document
from tasks.storing.database import batches
from tasks.votes.columns import columns_of
from tasks.votes.items import live_items
from tasks.votes.labels import VotesByItem, labels_by_question_type, votes_by_item
from tasks.votes.patterns import labels_by_rank, vote_patterns
from tomahto.classes.thresholds import NoThresholds, suggested_classes
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import estimate_as_json
from tomahto.estimates.two_way_clusters import mean_with_interval
from tomahto.ranking.system_answers import TIE
from tomahto.reliability.alpha import label_disagreement
from tomahto.reliability.chance_corrected import KAPPA_WEIGHTS, cohen_kappa
from tomahto.scoring.judged_scores import f1_histogram
from tomahto.text.normalisation import best_overlap
from tomahto.types import Flags, Floats, Integers, JsonObject
from tomahto.votes.majority import TIED, UNRATED, majority_totals
from tomahto.votes.patterns import PairTable


def labels_figures(campaign: Campaign) -> dict[str, Any]:
    """Votes, items by majority label, votes by type of question, and the histogram of token F1.

    An item without a majority label counts as "tie".
    """
    votes = votes_by_item(campaign)
    labels = votes.scheme.labels
    places = {label: place for place, label in enumerate(labels)} | {TIE: TIED}
    return {
        "items": len(votes.items),
        "ratings": int(votes.counts.sum()),
        "votes": dict(zip(labels, votes.counts.sum(axis=0).tolist(), strict=True)),
        "majority": {label: int((votes.majority == places[label]).sum()) for label in places},
        "by_question_type": labels_by_question_type(campaign),
        "f1_histogram": f1_histogram(tuple(places), _overlaps(campaign, votes)),
    }


def _overlaps(campaign: Campaign, votes: VotesByItem) -> Iterator[tuple[str, float | None]]:
    """The majority label and the F1 of every rated item, some thousand texts at a time."""
    label_at = dict(enumerate(votes.scheme.labels)) | {TIED: TIE}
    texts = live_items(campaign).order_by().values_list("id", "candidate", "references")
    for rows in batches(texts.iterator(chunk_size=2000), 2000):
        items = np.array([item for item, *_texts in rows], dtype=np.int64)
        places = votes.majority_of(items).tolist()
        for place, (_item, candidate, references) in zip(places, rows, strict=True):
            if place != UNRATED:
                yield (
                    label_at[place],
                    best_overlap(candidate, references).f1 if references else None,
                )


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


@dataclass(frozen=True, eq=False)
class _Judged:
    """Items with a majority label and a score of the campaign's matcher (N,): the places of their
    labels, the scores and whether they call the item correct, the ids of questions and documents.
    """

    labels: Integers
    scores: Floats
    is_correct: Flags
    questions: Integers
    documents: Integers


def _suggestions(campaign: Campaign, order: Sequence[str]) -> JsonObject:
    judged, scheme = _judged(campaign), campaign.annotation_protocol.scheme
    return {
        "matcher": campaign.suggestion_matcher,
        "items": len(judged.labels),
        "labels": [_scores(judged, judged.labels == scheme.index_of[label]) for label in order],
        "classes": _classes(campaign, judged, order),
    }


def _judged(campaign: Campaign) -> _Judged:
    suggested = newest_suggestions(campaign)
    labels = votes_by_item(campaign).majority_of(suggested.items)
    chosen = labels >= 0
    rows = live_items(campaign).values_list("id", "question_id", "question__document_id")
    items, questions, documents = columns_of(rows, int, int, int)
    order = np.argsort(items)
    places = order[np.searchsorted(items[order], suggested.items[chosen])]
    return _Judged(
        labels[chosen],
        suggested.scores[chosen],
        suggested.is_correct[chosen],
        questions[places],
        documents[places],
    )


def _scores(judged: _Judged, chosen: Flags) -> JsonObject:
    """Of the items with one label: how many are suggested as correct, and their scores."""
    correct, n = int(judged.is_correct[chosen].sum()), int(chosen.sum())
    mean = mean_with_interval(judged.scores[chosen], judged.questions[chosen])
    return {"correct": correct, "incorrect": n - correct, "mean_score": estimate_as_json(mean)}


def _classes(campaign: Campaign, judged: _Judged, order: Sequence[str]) -> JsonObject | None:
    """Majority labels by the classes that thresholds on the score make; None without an order.

    Thresholds come from other documents (`tomahto.classes.thresholds`).
    """
    scheme = campaign.annotation_protocol.scheme
    if scheme.level == "nominal":
        return None
    labels = [scheme.labels[place] for place in judged.labels.tolist()]
    keys = dict(Document.objects.filter(campaign=campaign).values_list("pk", "key"))
    documents = [keys[document] for document in judged.documents.tolist()]
    try:
        classes = suggested_classes(judged.scores, labels, documents, scheme)
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
