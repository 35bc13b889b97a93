"""The answerers by name: those built in, and those the site names itself in a TOML file.

The file has one table per answerer:

    [squad-deberta]
    kind = "extractive"
    model = "deepset/deberta-v3-base-squad2"

The table's name is the answerer's, and so that of the system whose candidates they are. `kind`
says what answers; all other keys are that kind's options. The file is checked as a whole when it
is read; models are loaded when an answerer is first needed. A new built-in answerer, or a new kind
of configured ones, is one module and one line here.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias

from tomahto.answerers.endpoint import EndpointAnswerer, load_endpoint_answerer
from tomahto.answerers.extractive.answerer import ExtractiveOptions, load_extractive
from tomahto.answerers.generative import GenerativeOptions, load_generative
from tomahto.answerers.interface import Answerer
from tomahto.answerers.lexical import LexicalAnswerer
from tomahto.endpoint.chat import ChatEndpoint
from tomahto.endpoint.options import EndpointOptions
from tomahto.options import OptionError, options_from

Loader: TypeAlias = Callable[[], Answerer]
Kind: TypeAlias = Callable[[str, Mapping[str, Any]], Loader]


def _kind(options: type[Any], load: Callable[[str, Any], Answerer]) -> Kind:
    """Checks the options of the answerer it is to make (OptionError) and gives what loads it."""
    return lambda name, values: partial(load, name, options_from(options, values))


# A new kind is one line here.
_KINDS: Mapping[str, Kind] = {
    "endpoint": _kind(EndpointOptions, load_endpoint_answerer),
    "extractive": _kind(ExtractiveOptions, load_extractive),
    "generative": _kind(GenerativeOptions, load_generative),
}

_NAME = re.compile(r"\w[\w.:/@+-]{0,99}")


class AnswerersFileError(ValueError):
    """A fault in the file of answerers; the message names file, table and key."""


def read_answerers(
    path: Path, *, taken: Collection[str], kinds: Mapping[str, Kind] = _KINDS
) -> dict[str, Loader]:
    """The loader of each answerer of the file, by name and in the file's order.

    `taken` are names that answerers have already. Raises AnswerersFileError.
    """
    loaders = {}
    for name, table in _tables(path).items():
        try:
            _check_name(name, taken)
            loaders[name] = _loader(name, table, kinds)
        except OptionError as error:
            raise AnswerersFileError(
                f"{path}, table [{name}], key {error.key}: {error.reason}"
            ) from error
        except ValueError as error:
            raise AnswerersFileError(f"{path}, table [{name}]: {error}") from error
    return loaders


def _tables(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise AnswerersFileError(f"{path}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError) as error:
        raise AnswerersFileError(f"{path}: is not TOML in UTF-8 ({error})") from error


def _check_name(name: str, taken: Collection[str]) -> None:
    if name in taken:
        raise ValueError("the name is that of a built-in answerer")
    if not _NAME.fullmatch(name):
        raise ValueError(
            "is not a name for an answerer: use up to 100 letters, digits and . _ : / @ + -, the "
            "first a letter or digit"
        )


def _loader(name: str, table: Any, kinds: Mapping[str, Kind]) -> Loader:
    if not isinstance(table, dict):
        raise ValueError("is a value; every answerer is a table")  # noqa: TRY004 -- the file's fault
    if "kind" not in table:
        hint = ""
        if any(isinstance(value, dict) for value in table.values()):
            hint = '; a name with a point in it is written in quotes, as ["name-1.5"]'
        raise OptionError("kind", f"is missing{hint}")
    kind = table["kind"]
    if not isinstance(kind, str) or kind not in kinds:
        raise OptionError("kind", f"{kind!r} is not one of {', '.join(kinds)}")
    return kinds[kind](name, {key: value for key, value in table.items() if key != "kind"})


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


def load_endpoint(name: str) -> ChatEndpoint:
    """The endpoint of the answerer of that name; both share its limit of requests.

    Raises UnknownAnswererError, also for an answerer of another kind, and EndpointRefused.
    """
    if name in endpoint_names() and isinstance(answerer := load_answerer(name), EndpointAnswerer):
        return answerer.endpoint
    raise UnknownAnswererError(
        f"no endpoint {name!r}; known: {', '.join(endpoint_names()) or 'none configured'}"
    )
