"""Which labels the items have, and how word overlap goes with them."""

from collections.abc import Iterator
from typing import Any

from tasks.models import Campaign
from tasks.votes.items import live_items
from tasks.votes.patterns import labels_by_question_type, majority_labels, votes_by_item
from tomahto.ranking.system_answers import TIE
from tomahto.scoring.f1_histogram import f1_histogram
from tomahto.text.normalisation import best_overlap


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
