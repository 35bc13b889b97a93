"""Which labels the items have, and how word overlap goes with them."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from tasks.models import Campaign
from tasks.votes.items import live_items
from tasks.votes.patterns import labels_by_question_type, majority_labels, votes_by_item
from tomahto.scoring.f1_histogram import f1_histogram
from tomahto.text.normalisation import best_of, tokens

TIE = "tie"


def labels_figures(campaign: Campaign) -> dict[str, Any]:
    """Votes, items by majority label, votes by type of question, and the histogram of token F1.

    An item without a majority label counts as "tie".
    """
    labels = campaign.annotation_protocol.scheme.labels
    votes = votes_by_item(campaign)
    labelled = majority_labels(campaign, votes)
    winners = {item: winner or TIE for item, winner in labelled.items()}
    patterns, majority = Counter(votes.values()), Counter(winners.values())
    return {
        "items": len(winners),
        "ratings": sum(sum(counts) * items for counts, items in patterns.items()),
        "votes": {
            label: sum(counts[place] * items for counts, items in patterns.items())
            for place, label in enumerate(labels)
        },
        "majority": {label: majority[label] for label in (*labels, TIE)},
        "by_question_type": labels_by_question_type(campaign),
        "f1_histogram": f1_histogram((*labels, TIE), _overlaps(campaign, winners)),
    }


def _overlaps(campaign: Campaign, winners: dict[int, str]) -> Iterator[tuple[str, float | None]]:
    """The F1 of each rated item, None without a reference. References are read where they are
    others than the item's before: those of one question follow each other."""
    listed = live_items(campaign).order_by("id").annotate(listed=Cast("references", TextField()))
    items = listed.values_list("id", "candidate", "listed")
    known, bags = "", []
    for item, candidate, text in items.iterator(chunk_size=2000):
        if item in winners:
            if text != known:
                known, bags = text, [tokens(reference) for reference in json.loads(text)]
            yield winners[item], best_of(tokens(candidate), bags).f1 if bags else None
