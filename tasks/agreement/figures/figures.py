"""The figures of the dashboards: each a function of the campaign, under the name of its page.

The one source of page, API and command. Figures are JSON objects: they are kept as text where a
campaign is large. Those of a page NAME are found by being there: the function `NAME_figures` in
the module of that name.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pkgutil import iter_modules

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
