"""All matchers there are, by name. Every package below this one that defines MATCHERS is asked, and
what other packages offer as entry points of the group `tomahto.matchers`; none is listed here."""

import logging
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from tomahto import matching
from tomahto.matching.description import MatcherDescription, ModelFolder
from tomahto.pretrained.locations import ModelVariable

GROUP = "tomahto.matchers"
_log = logging.getLogger(__name__)


@cache
def matchers_by_name() -> Mapping[str, MatcherDescription]:
    """Simplest first, those of other packages last. None of them takes the name of another."""
    found = {each.name: each for each in sorted(_own(), key=lambda each: each.place)}
    for each in _of_other_packages():
        found.setdefault(each.name, each)
    return found


@cache
def model_variables() -> tuple[ModelVariable, ...]:
    """The variables that name models, those that campaigns train from included."""
    every = (
        variable
        for each in matchers_by_name().values()
        for variable in (
            *each.models,
            *([each.weights.base] if isinstance(each.weights, ModelFolder) else []),
        )
    )
    return tuple(dict.fromkeys(every))


def _own() -> Iterator[MatcherDescription]:
    for info in pkgutil.iter_modules(matching.__path__):
        if info.ispkg:
            package = import_module(f"{matching.__name__}.{info.name}")
            yield from getattr(package, "MATCHERS", ())


def _of_other_packages() -> Iterator[MatcherDescription]:
    """What cannot be imported is logged and left out: the other matchers work without it."""
    for point in entry_points(group=GROUP):
        try:
            each = point.load()
        except Exception:
            _log.exception("the matcher %s (%s) cannot be imported", point.name, point.value)
        else:
            yield each
