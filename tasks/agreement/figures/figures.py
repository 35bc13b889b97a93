"""The figures of the dashboards: each a function of the campaign, under the name of its page.

The one source of page, API and command. Figures are JSON objects: they are kept as text where a
campaign is large.
"""

from collections.abc import Callable, Mapping

from tasks.agreement.figures.agreement_figures import agreement_figures
from tasks.agreement.figures.class_figures import class_figures
from tasks.agreement.figures.label_figures import label_figures
from tasks.agreement.figures.more_figures import more_figures
from tasks.agreement.figures.progress_figures import progress_figures
from tasks.agreement.figures.rater_figures import rater_figures
from tasks.agreement.figures.suggestion_figures import suggestion_figures
from tasks.agreement.figures.system_figures import system_figures
from tasks.agreement.figures.time_figures import time_figures
from tasks.models import Campaign
from tomahto.types import JsonObject

FIGURES: Mapping[str, Callable[[Campaign], JsonObject]] = {
    "agreement": agreement_figures,
    "labels": label_figures,
    "progress": progress_figures,
    "time": time_figures,
    "systems": system_figures,
    "suggestion": suggestion_figures,
    "more": more_figures,
    "raters": rater_figures,
    "classes": class_figures,
}
