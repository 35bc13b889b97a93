"""The answerers by name: those built in, and those the site has configured.

A new built-in answerer is one module and one line here; a new kind of configured ones is one
module and one line in configured.py.
"""

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path

from tomahto.answerers.configured import Loader, read_answerers
from tomahto.answerers.endpoint import load_endpoint_answerer
from tomahto.answerers.interface import Answerer
from tomahto.answerers.lexical.answerer import LexicalAnswerer

_BUILT_IN: Mapping[str, Loader] = {
    "lexical": LexicalAnswerer,
}
_configured: dict[str, Loader] = {}


class UnknownAnswererError(ValueError):
    """There is no answerer of that name; the message lists those there are."""


def configure_answerers(path: Path | None) -> None:
    """Replace the configured answerers by those in the file; None stands for no file.

    Raises AnswerersFileError and then changes nothing.
    """
    found = read_answerers(path, taken=_BUILT_IN) if path else {}
    _configured.clear()
    _configured.update(found)
    load_answerer.cache_clear()


def answerer_names() -> tuple[str, ...]:
    """The names `load_answerer` knows: the built-in ones first, then in the file's order."""
    return (*_BUILT_IN, *_configured)


def endpoint_names() -> tuple[str, ...]:
    """Those of the configured answerers that ask a model at an endpoint."""
    return tuple(
        name
        for name, load in _configured.items()
        if isinstance(load, partial) and load.func is load_endpoint_answerer
    )


@cache
def load_answerer(name: str) -> Answerer:
    """The answerer of that name, loaded once per process.

    Raises UnknownAnswererError; ModelError if a model it needs is not there or not to be used;
    and OSError if one cannot be fetched.
    """
    loader = _BUILT_IN.get(name) or _configured.get(name)
    if loader is None:
        raise UnknownAnswererError(f"no answerer {name!r}; known: {', '.join(answerer_names())}")
    return loader()
