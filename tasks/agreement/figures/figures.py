"""The figures of the dashboards: each a function of the campaign, under the name of its page.

The one source of page, API and command. Figures are JSON objects: they are kept as text where a
campaign is large.
"""

from collections.abc import Callable, Mapping
from typing import Final

from tasks.agreement.figures.agreement_figures import agreement_figures, alpha_figures, time_figures
from tasks.agreement.figures.classes_figures import classes_figures, labels_figures
from tasks.agreement.figures.more_figures import more_figures
from tasks.agreement.figures.progress_figures import progress_figures
from tasks.agreement.figures.raters_figures import raters_figures
from tasks.agreement.figures.suggestion_figures import suggestion_figures
from tasks.agreement.figures.systems_figures import systems_figures
from tasks.models import Campaign
from tomahto.types import JsonObject

FIGURES: Mapping[str, Callable[[Campaign], JsonObject]] = {
    "agreement": agreement_figures,
    "alpha": alpha_figures,
    "classes": classes_figures,
    "labels": labels_figures,
    "more": more_figures,
    "progress": progress_figures,
    "raters": raters_figures,
    "suggestion": suggestion_figures,
    "systems": systems_figures,
    "time": time_figures,
}

NARROWED: Final = frozenset({"agreement", "alpha", "classes", "raters", "time"})
"""Those that can be worked out of a part of the ratings (`Campaign.narrowed_to`)."""


class NotNarrowedError(ValueError):
    """Figures that are always of all ratings were asked for of a part of them."""


def require_narrowed(campaign: Campaign, name: str) -> None:
    """Raises NotNarrowedError if the campaign is narrowed and these figures cannot be."""
    if campaign.narrowed_to and campaign.narrowed_to.key and name not in NARROWED:
        known = ", ".join(sorted(NARROWED & FIGURES.keys()))
        raise NotNarrowedError(
            f"the figures {name!r} cover all ratings only; figures for a part of the ratings: "
            f"{known}"
        )
