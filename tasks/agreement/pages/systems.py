"""How good the systems are, as people judged their answers."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy

from tasks.agreement.pages.dashboard import dashboard
from tasks.agreement.shown.label_colours import label_heads
from tasks.models import Campaign
from tomahto.ranking.system_answers import TIE


@dashboard("systems", 50, gettext_lazy("Systems"), help="dashboards.md#systems")
def systems(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Accuracy, labels and differences of the systems."""
    titles = campaign.annotation_protocol.titles
    return {
        "heads": label_heads(campaign),
        "labels": [
            (row["system"], [row["labels"][label] for label in (*titles, TIE)])
            for row in figures["systems"]
        ],
        "unrated": sum(row["unrated_items"] for row in figures["systems"]),
    }
