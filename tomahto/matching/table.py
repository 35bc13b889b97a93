"""All matchers there are, by name, and what is known of each before it is loaded.

Every package below this one that defines MATCHERS is asked, and what other packages offer as
entry points of the group `tomahto.matchers`; none is listed here. Modules are named as texts,
"module:attribute", so that a matcher can be named without importing it.
"""

import logging
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from pkgutil import resolve_name
from typing import TypeAlias

from tomahto import matching
from tomahto.extras import is_installed
from tomahto.matching.interface import Matcher
from tomahto.pretrained.files import ModelVariable, is_configured

Attribute: TypeAlias = str
"""A name for `pkgutil.resolve_name`: "tomahto.matching.f1:TokenF1"."""


@dataclass(frozen=True, slots=True)
class CurvePlan:
    """The learning curve of the kind: in so many folds, of so many points at most."""

    folds: int = 5
    points: int | None = None

    @property
    def trainings(self) -> int | None:
        """The number of its trainings with that of the matcher itself, where that is known."""
        return None if self.points is None else self.folds * self.points + 1


@dataclass(frozen=True, slots=True)
class JsonWeights:
    """A matcher whose weights are one readable JSON file.

    `train` makes weights of (labelled pairs, seed), `file` is their WeightsFile, and `matcher`
    makes the matcher of weights. `shipped` is the file that comes with the package.
    """

    shipped: Path
    train: Attribute
    file: Attribute
    matcher: Attribute
    plan: CurvePlan = CurvePlan()

    def load(self, place: Path) -> Matcher:
        """Raises WeightsError and OSError."""
        return self._made_of(resolve_name(self.file).read(place))

    def parse(self, content: str, place: str) -> Matcher:
        """The matcher with the weights in a text. Raises WeightsError, naming the place."""
        return self._made_of(resolve_name(self.file).parse(content, place))

    def _made_of(self, weights: object) -> Matcher:
        matcher: Matcher = resolve_name(self.matcher)(weights)
        return matcher


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A matcher whose weights are a folder of files, trained from the model of a variable.

    `train` makes a TrainedModel of (labelled pairs, seed, step), and `read` the matcher of a
    ContentFolder that it has saved.
    """

    base: ModelVariable
    train: Attribute
    read: Attribute
    plan: CurvePlan = CurvePlan()


Weights: TypeAlias = JsonWeights | ModelFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class MatcherDescription:
    """A matcher by its name.

    `loader` makes it, where it is not made of JsonWeights; that of a ModelFolder takes a folder as
    well. `models` are the variables that name what it reads, `files` lists what it is made of on
    disk besides. It can be used where all `packages` are installed and what `is_there` asks for is
    there. The threshold of a baseline means little. `reads_words`: a table of aliases is of use.
    `weights` says how it is trained on labels.
    """

    name: str
    loader: Attribute = ""
    packages: tuple[str, ...] = ()
    is_there: Attribute = ""
    models: tuple[ModelVariable, ...] = ()
    files: Attribute = ""
    weights: Weights | None = None
    is_baseline: bool = False
    reads_words: bool = False

    @property
    def is_usable(self) -> bool:
        """Whether it can be loaded here: all packages are installed, all models are set."""
        return (
            self.is_installed
            and all(map(is_configured, self.models))
            and (not self.is_there or bool(resolve_name(self.is_there)()))
        )

    @property
    def is_installed(self) -> bool:
        return all(map(is_installed, self.packages))

    @property
    def place(self) -> tuple[bool, int, str]:
        """Its place in lists: rules, then weights, then models, and baselines last."""
        made_of = 2 if self.models else 1 if self.files or self.weights else 0
        return (self.is_baseline, made_of, self.name)

    def load(self, place: Path | None = None) -> Matcher:
        """The site's own, or the one with the weights at the place. Raises as `load_matcher`."""
        if isinstance(self.weights, JsonWeights):
            return self.weights.load(place or self.weights.shipped)
        matcher: Matcher = resolve_name(self.loader)(*([str(place)] if place else []))
        return matcher

    def own_files(self) -> list[Path]:
        """Its files on disk, its models aside. Raises what `files` raises."""
        if isinstance(self.weights, JsonWeights):
            return [self.weights.shipped]
        return list(resolve_name(self.files)()) if self.files else []


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
    """A matcher that cannot be imported is logged and left out: the others work without it."""
    for point in entry_points(group=GROUP):
        try:
            each = point.load()
        except Exception:
            _log.exception("the matcher %s (%s) cannot be imported", point.name, point.value)
        else:
            yield each
