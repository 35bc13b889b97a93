"""The answerers by name. A new answerer is one module and one line here."""

from collections.abc import Callable, Mapping
from functools import cache

from inference.answerers.interface import Answerer
from inference.answerers.lexical import LexicalAnswerer

_LOADERS: Mapping[str, Callable[[], Answerer]] = {
    "lexical": LexicalAnswerer,
}


class UnknownAnswererError(ValueError):
    """There is no answerer of that name; the message lists those there are."""


def answerer_names() -> tuple[str, ...]:
    """The names `load_answerer` knows."""
    return tuple(_LOADERS)


@cache
def load_answerer(name: str) -> Answerer:
    """The answerer of that name, loaded once per process. Raises UnknownAnswererError."""
    if name not in _LOADERS:
        raise UnknownAnswererError(f"no answerer {name!r}; there are {', '.join(_LOADERS)}")
    return _LOADERS[name]()
