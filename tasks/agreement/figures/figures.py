"""The figures of the dashboards: each a function of the campaign, under the name of its page.

The one source of page, API and command. Figures are JSON objects: they are kept as text where a
campaign is large. Those of a page NAME are found by being there: the function `NAME_figures` in
the module of that name.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from tasks.agreement import figures
from tasks.models import Campaign
from tomahto.types import JsonObject

_END = "_figures"

FIGURES: Mapping[str, Callable[[Campaign], JsonObject]] = {
    module.name.removesuffix(_END): getattr(
        import_module(f"{figures.__name__}.{module.name}"), module.name
    )
    for module in iter_modules(figures.__path__)
    if module.name.endswith(_END)
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
