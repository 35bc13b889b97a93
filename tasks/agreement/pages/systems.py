"""How good the systems are, as people judged their answers."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.agreement.pages.dashboard import dashboard
from tasks.agreement.shown.label_colours import label_colours
from tasks.models import Campaign
from tomahto.ranking.system_answers import TIE


@dashboard("systems", 50, gettext_lazy("Systems"))
def systems(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Accuracy, labels and differences of the systems."""
    colours = label_colours(campaign)
    titles = {label.value: label.title for label in campaign.annotation_protocol.labels}
    return {
        "heads": [
            *((titles[label], colours[label]) for label in titles),
            (_("No majority (tie)"), "soft"),
        ],
        "labels": [
            (row["system"], [row["labels"][label] for label in (*titles, TIE)])
            for row in figures["systems"]
        ],
        "unrated": sum(row["unrated_items"] for row in figures["systems"]),
    }
