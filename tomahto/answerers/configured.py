"""The answerers that a site names itself, in a TOML file: one table per answerer.

    [squad-deberta]
    kind = "extractive"
    model = "deepset/deberta-v3-base-squad2"

The table's name is the answerer's, and so that of the system whose candidates they are. `kind`
says what answers; all other keys are that kind's options. The file is checked as a whole when it
is read; models are loaded when an answerer is first needed.
"""

import re
import tomllib
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from tomahto.answerers.endpoint import load_endpoint_answerer
from tomahto.answerers.extractive.answerer import ExtractiveOptions, load_extractive
from tomahto.answerers.generative.answerer import GenerativeOptions, load_generative
from tomahto.answerers.interface import Answerer
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
