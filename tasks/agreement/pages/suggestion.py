"""Whether the suggestion steers the raters."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.agreement.figures.sides import CORRECT
from tasks.agreement.pages.dashboard import dashboard
from tasks.agreement.workflow.looks import next_look_at
from tasks.models import Campaign, Look

CONCLUSIVE = ("steers", "steers-away", "no-larger-effect")


@dashboard(
    "suggestion", 80, gettext_lazy("Suggestion"), help="dashboards.md#does-the-suggestion-steer"
)
def suggestion(campaign: Campaign, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Both arms side by side, and what the looks have found."""
    titles = campaign.annotation_protocol.titles
    looks = [
        {**look, "made_at": datetime.fromisoformat(look["made_at"])} for look in figures["looks"]
    ]
    latest = looks[0] if looks else None
    found = next((look for look in looks if look["verdict"] in CONCLUSIVE), None)
    effects = [figures["overall"], *figures["by_side"]] if figures["overall"] else []
    return {
        "effects": [(_title(effect["suggested"]), effect) for effect in effects],
        "labels": [(titles[shift["label"]], shift) for shift in figures["labels"]],
        "has_two_labels": len(titles) == 2,
        "correct_titles": [
            title
            for label, title in titles.items()
            if label in campaign.annotation_protocol.correct_labels
        ],
        "looks": looks,
        "latest": latest,
        # what an earlier look has found stays found
        "earlier": found if found is not latest else None,
        "next_look_at": next_look_at(Look.objects.filter(campaign=campaign).first()),
    }


def _title(suggested: str | None) -> str:
    if suggested is None:
        return _("All suggestions")
    return _("Suggested: correct") if suggested == CORRECT else _("Suggested: not correct")
