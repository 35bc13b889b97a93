"""The matchers by name. A new matcher is one module and one line here."""

from collections.abc import Callable, Mapping
from functools import cache

from inference.matchers.bem import load_configured_bem
from inference.matchers.cap import load_configured_cap
from inference.matchers.cfmatch import load_cfmatch
from inference.matchers.em import ExactMatch
from inference.matchers.f1 import TokenF1
from inference.matchers.feather import load_feather
from inference.matchers.interface import Matcher
from inference.pretrained.locations import ModelRole, is_configured
from inference.pretrained.runtime import has_torch

_LOADERS: Mapping[str, Callable[[], Matcher]] = {
    "em": ExactMatch,
    "f1": TokenF1,
    "cfmatch": load_cfmatch,
    "feather": load_feather,
    "bem": load_configured_bem,
    "cap": load_configured_cap,
}
_MODELS: Mapping[str, tuple[ModelRole, ...]] = {
    "bem": (ModelRole.BEM,),
    "cap": (ModelRole.CAP_STATEMENTS, ModelRole.CAP_NLI),
}


class UnknownMatcherError(ValueError):
    """There is no matcher of that name; the message lists those there are."""


def matcher_names() -> tuple[str, ...]:
    """The names `load_matcher` knows, simplest matcher first."""
    return tuple(_LOADERS)


def available_matchers() -> tuple[str, ...]:
    """The names of those that can be loaded here: without models, or with all of them set."""
    return tuple(name for name in _LOADERS if name not in _MODELS or _has_models(_MODELS[name]))


@cache
def load_matcher(name: str) -> Matcher:
    """The matcher of that name, loaded once per process.

    Raises UnknownMatcherError; ModelError if a model it needs is not set, not there or not to be
    used; and OSError if one cannot be fetched.
    """
    if name not in _LOADERS:
        raise UnknownMatcherError(f"no matcher {name!r}; there are {', '.join(_LOADERS)}")
    return _LOADERS[name]()


def _has_models(roles: tuple[ModelRole, ...]) -> bool:
    return has_torch() and all(map(is_configured, roles))
