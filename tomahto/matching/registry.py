"""The matchers by name: those of the table, and what the site makes of them.

Where the site has a table of aliases, those that read words come a second time, as `em+aliases`.
Weights of the site's own come as `cfmatch:NAME` (own_weights.py).
"""

from pathlib import Path

from tomahto.extras import PackageMissingError
from tomahto.learning.files import WeightsError
from tomahto.matching.aliases import SUFFIX, AliasesError, WithAliases, read_alias_table
from tomahto.matching.interface import Matcher
from tomahto.matching.table import matchers_by_name
from tomahto.matching.trainable import (
    files_of,
    is_loadable,
    load_own,
    own_weights,
    place_of,
    use_file,
)
from tomahto.pretrained.files import ModelError, decisive_files, model_folder, model_location

_aliases: list[Path] = []
_loaded: dict[tuple[str, ...], Matcher] = {}


class UnknownMatcherError(ValueError):
    """There is no matcher of that name; the message lists those there are."""


CANNOT_BE_USED: tuple[type[Exception], ...] = (
    UnknownMatcherError,
    AliasesError,
    PackageMissingError,
    WeightsError,
    ModelError,
)
"""Errors of loading or using a matcher that trying again cannot repair."""


def configure_aliases(path: Path | None) -> None:
    """Take other names from this table from now on; None stands for no table."""
    _aliases[:] = [path] if path else []
    _loaded.clear()


def matcher_names() -> tuple[str, ...]:
    """The names `load_matcher` knows, simplest matcher first."""
    return (*matchers_by_name(), *_with_aliases(), *own_weights())


def available_matchers() -> tuple[str, ...]:
    """The names of those that can be loaded here: all models are set, all packages installed."""
    plain = (name for name, matcher in matchers_by_name().items() if matcher.is_usable)
    return (*plain, *_with_aliases(), *filter(is_loadable, own_weights()))


def suggesting_matchers() -> tuple[str, ...]:
    """The available ones whose threshold means something: all but the baselines."""
    baselines = {name for name, matcher in matchers_by_name().items() if matcher.is_baseline}
    return tuple(name for name in available_matchers() if name not in baselines)


def matcher_or_file(text: str) -> str:
    """The name, for a command that loads the matcher itself: one that is known, or `KIND:PATH` of
    weights, known in this process from then on. Raises UnknownMatcherError."""
    if text not in matcher_names() and not use_file(text):
        _require_known(text)
    return text


def load_matcher(name: str) -> Matcher:
    """The matcher of that name, loaded once per process, or anew where its own weights changed.

    Raises UnknownMatcherError; WeightsError for a wrong file of weights; ModelError if a model it
    needs is not set, not there or not to be used; PackageMissingError if a baseline's package is
    not installed; AliasesError for a wrong table of aliases; and OSError if a file cannot be read
    or a model cannot be fetched.
    """
    place = place_of(name)
    if place:
        return load_own(name, place)
    _require_known(name)
    key = (name, *_models_of(name))  # from elsewhere it is another matcher
    if key not in _loaded:
        if name in matchers_by_name():
            _loaded[key] = matchers_by_name()[name].load()
        else:
            plain = load_matcher(name.removesuffix(SUFFIX))
            _loaded[key] = WithAliases(plain, read_alias_table(_aliases[0]))
    return _loaded[key]


def _models_of(name: str) -> tuple[str, ...]:
    """The models that it needs. Raises ModelNotSetError."""
    matcher = matchers_by_name()[name.removesuffix(SUFFIX)]
    return tuple(model_location(variable) for variable in matcher.models)


def files_on_disk(name: str) -> list[Path]:
    """The files that the matcher of that name is made of: weights, models, tables.

    None for those that are rules alone. Libraries do not count. Raises as `load_matcher` does, and
    LookupError if NLTK does not find WordNet.
    """
    place = place_of(name)
    if place:
        return files_of(place)
    _require_known(name)
    if name not in matchers_by_name():
        return [*files_on_disk(name.removesuffix(SUFFIX)), _aliases[0]]
    matcher = matchers_by_name()[name]
    folders = [model_folder(location) for location in _models_of(name)]
    return [*matcher.own_files(), *(path for folder in folders for path in decisive_files(folder))]


def _require_known(name: str) -> None:
    if name not in matcher_names():
        raise UnknownMatcherError(f"no matcher {name!r}; known: {', '.join(matcher_names())}")


def _with_aliases() -> list[str]:
    reading = (name for name, matcher in matchers_by_name().items() if matcher.reads_words)
    return [f"{name}{SUFFIX}" for name in reading] if _aliases else []
