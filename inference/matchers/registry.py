"""The matchers by name. A new matcher is one module and one line here."""

from collections.abc import Callable, Mapping
from functools import cache

from inference.matchers.cfmatch import load_cfmatch
from inference.matchers.em import ExactMatch
from inference.matchers.f1 import TokenF1
from inference.matchers.interface import Matcher

_LOADERS: Mapping[str, Callable[[], Matcher]] = {
    "em": ExactMatch,
    "f1": TokenF1,
    "cfmatch": load_cfmatch,
}


class UnknownMatcherError(ValueError):
    """There is no matcher of that name; the message lists those there are."""


def matcher_names() -> tuple[str, ...]:
    """The names `load_matcher` knows, simplest matcher first."""
    return tuple(_LOADERS)


@cache
def load_matcher(name: str) -> Matcher:
    """The matcher of that name, loaded once per process. Raises UnknownMatcherError."""
    if name not in _LOADERS:
        raise UnknownMatcherError(f"no matcher {name!r}; there are {', '.join(_LOADERS)}")
    return _LOADERS[name]()
