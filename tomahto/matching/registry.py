"""The matchers by name. A new matcher is one module and one line here.

Where the site has a table of aliases, those that read words come a second time, as `em+aliases`.
Weights of the site's own come as `cfmatch:NAME` (own_weights.py).
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

from tomahto.extras import PackageMissingError, is_installed
from tomahto.learning.weights_file import WeightsError
from tomahto.matching.aliases import SUFFIX, AliasesError, WithAliases, read_alias_table
from tomahto.matching.baselines.bertscore import load_configured_bertscore
from tomahto.matching.baselines.bleu import Bleu
from tomahto.matching.baselines.meteor import has_wordnet, load_meteor, wordnet_files
from tomahto.matching.baselines.rouge_l import RougeL
from tomahto.matching.bem.matcher import load_configured_bem
from tomahto.matching.cap.matcher import load_configured_cap
from tomahto.matching.cfmatch.matcher import SHIPPED_WEIGHTS as CFMATCH_WEIGHTS
from tomahto.matching.cfmatch.matcher import load_cfmatch
from tomahto.matching.em import ExactMatch
from tomahto.matching.f1 import TokenF1
from tomahto.matching.feather.matcher import SHIPPED_WEIGHTS as FEATHER_WEIGHTS
from tomahto.matching.feather.matcher import load_feather
from tomahto.matching.interface import Matcher
from tomahto.matching.own_weights import (
    files_of,
    is_loadable,
    load_own,
    own_weights,
    place_of,
    use_file,
)
from tomahto.pretrained.errors import ModelError
from tomahto.pretrained.files import decisive_files, model_folder
from tomahto.pretrained.locations import ModelRole, is_configured, model_location
from tomahto.pretrained.runtime import has_torch

_LOADERS: Mapping[str, Callable[[], Matcher]] = {
    "em": ExactMatch,
    "f1": TokenF1,
    "cfmatch": load_cfmatch,
    "feather": load_feather,
    "bem": load_configured_bem,
    "cap": load_configured_cap,
    "bleu": Bleu,
    "rouge-l": RougeL,
    "meteor": load_meteor,
    "bertscore": load_configured_bertscore,
}
_MODELS: Mapping[str, tuple[ModelRole, ...]] = {
    "bem": (ModelRole.BEM,),
    "cap": (ModelRole.CAP_STATEMENTS, ModelRole.CAP_NLI),
    "bertscore": (ModelRole.BERTSCORE,),
}
_FILES: Mapping[str, Callable[[], list[Path]]] = {
    "cfmatch": lambda: [CFMATCH_WEIGHTS],
    "feather": lambda: [FEATHER_WEIGHTS],
    "meteor": wordnet_files,
}
# the baselines, each with whether what implements it is installed
_BASELINES: Mapping[str, Callable[[], bool]] = {
    "bleu": partial(is_installed, "sacrebleu"),
    "rouge-l": partial(is_installed, "rouge_score"),
    "meteor": has_wordnet,
    "bertscore": partial(is_installed, "bert_score"),
}


_READING_WORDS = ("em", "f1", "cfmatch", "feather")
_aliases: list[Path] = []


class UnknownMatcherError(ValueError):
    """There is no matcher of that name; the message lists those there are."""


CANNOT_BE_USED: tuple[type[Exception], ...] = (
    UnknownMatcherError,
    AliasesError,
    PackageMissingError,
    WeightsError,
    ModelError,
)
"""What loading or using a matcher raises that trying again cannot mend."""


def configure_aliases(path: Path | None) -> None:
    """Take other names from this table from now on; None stands for no table."""
    _aliases[:] = [path] if path else []
    _load_named.cache_clear()


def matcher_names() -> tuple[str, ...]:
    """The names `load_matcher` knows, simplest matcher first."""
    return (*_LOADERS, *_with_aliases(), *own_weights())


def available_matchers() -> tuple[str, ...]:
    """The names of those that can be loaded here: all models are set, all packages installed."""
    plain = (name for name in _LOADERS if _has_models(name) and _is_installed(name))
    return (*plain, *_with_aliases(), *filter(is_loadable, own_weights()))


def suggesting_matchers() -> tuple[str, ...]:
    """The available ones whose threshold means something: all but the baselines."""
    return tuple(name for name in available_matchers() if name not in _BASELINES)


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
    return _load_named(name)


@cache
def _load_named(name: str) -> Matcher:
    if name in _LOADERS:
        return _LOADERS[name]()
    return WithAliases(load_matcher(name.removesuffix(SUFFIX)), read_alias_table(_aliases[0]))


def files_on_disk(name: str) -> list[Path]:
    """The files that the matcher of that name is made of: weights, models, tables.

    None for those that are rules alone. Libraries do not count. Raises as `load_matcher` does, and
    LookupError if NLTK does not find WordNet.
    """
    place = place_of(name)
    if place:
        return files_of(place)
    _require_known(name)
    if name not in _LOADERS:
        return [*files_on_disk(name.removesuffix(SUFFIX)), _aliases[0]]
    folders = [model_folder(model_location(role)) for role in _MODELS.get(name, ())]
    own = _FILES[name]() if name in _FILES else []
    return [*own, *(path for folder in folders for path in decisive_files(folder))]


def _require_known(name: str) -> None:
    if name not in matcher_names():
        raise UnknownMatcherError(f"no matcher {name!r}; there are {', '.join(matcher_names())}")


def _with_aliases() -> list[str]:
    return [f"{name}{SUFFIX}" for name in _READING_WORDS] if _aliases else []


def _has_models(name: str) -> bool:
    roles = _MODELS.get(name, ())
    return not roles or (has_torch() and all(map(is_configured, roles)))


def _is_installed(name: str) -> bool:
    return name not in _BASELINES or _BASELINES[name]()
