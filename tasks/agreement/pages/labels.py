"""Which labels the items have, and how word overlap goes with them."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext_lazy

from tasks.agreement.pages.dashboard import dashboard
from tasks.agreement.shown.label_colours import label_heads
from tasks.models import Campaign
from tomahto.ranking.system_answers import TIE


@dashboard("labels", 20, gettext_lazy("Labels"), help="dashboards.md#labels")
def labels(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Distribution of the labels, and the histogram of token F1 coloured by label."""
    titles = campaign.annotation_protocol.titles
    histogram = figures["f1_histogram"]
    columns = [histogram["labels"][label] for label in (*titles, TIE)]
    return {
        "labels": [
            (title, figures["votes"][label], figures["majority"][label])
            for label, title in titles.items()
        ],
        "ties": figures["majority"][TIE],
        "histogram": {
            "heads": label_heads(campaign),
            "bins": list(
                zip(pairwise(histogram["edges"]), zip(*columns, strict=True), strict=True)
            ),
            "without_references": histogram["without_references"],
        },
        "types": [
            (kind, list(counts.values())) for kind, counts in figures["by_question_type"].items()
        ],
    }
