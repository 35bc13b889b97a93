"""The matchers that learn: how they are trained and read again, and their weights by name.

What is learned is either readable JSON, made in seconds, or a folder of files, made from a model.
Weights have names of their own, such as `cfmatch:nq`. The site keeps them in a folder,
`KIND/NAME.json` (for bem a folder `KIND/NAME`): who may write there decides which there are. A
command may name any file, as `cfmatch:PATH`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Protocol, TypeAlias

from tomahto.matching.human_labels import LabelledPair, require_both_labels
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.table import CurvePlan, JsonWeights, ModelFolder, Weights, matchers_by_name
from tomahto.pretrained.files import (
    ModelFilesError,
    ModelVariable,
    decisive_files,
    model_folder,
    model_location,
)
from tomahto.pretrained.folders import ContentFolder
from tomahto.pretrained.runtime import require_torch

Step: TypeAlias = Callable[[], None]

OF_CAMPAIGN = "@"
"""Between the kind of a matcher that a campaign has trained and the campaign's slug."""


@dataclass(frozen=True, slots=True)
class TrainedWeights:
    """A trained matcher, its weights as text, and the digest that its version carries."""

    matcher: Matcher
    text: str
    digest: str


class TrainedModel(Protocol):
    """A trained matcher whose weights are files; `save` writes them into a folder."""

    @property
    def matcher(self) -> Matcher: ...

    def save(self, folder: Path) -> None: ...


@dataclass(frozen=True, slots=True)
class NamedMatcher:
    """A matcher under a name of its own."""

    matcher: Matcher
    name: str

    @property
    def version(self) -> str:
        return self.matcher.version

    @property
    def threshold(self) -> float:
        return self.matcher.threshold

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        return self.matcher.score(pairs)


def campaign_of(name: str) -> str:
    """The campaign on whose labels a matcher of this name was trained, "" if on none's."""
    kind, _, campaign = name.partition(OF_CAMPAIGN)
    return campaign if kind in trainable_kinds() else ""


def trainable_kinds() -> tuple[str, ...]:
    """The names of the kinds, as of the matchers that are made alike."""
    return tuple(name for name, matcher in matchers_by_name().items() if matcher.weights)


def kinds_trainable_here() -> tuple[str, ...]:
    """The kinds whose packages are installed; whether a model is there shows when it is loaded."""
    return tuple(name for name in trainable_kinds() if matchers_by_name()[name].is_installed)


def require_trainable(kind: str) -> None:
    """Raises ModelError if a package or a model that the training needs is not there."""
    weights = _weights(kind)
    if isinstance(weights, ModelFolder):
        base_model(weights.base)


def base_model(variable: ModelVariable) -> Path:
    """The folder of the model to train. Raises ModelError if torch or the model is not there."""
    require_torch()
    location = model_location(variable)
    try:
        return model_folder(location)
    except OSError as error:
        raise ModelFilesError(f"the model to train, {variable.name}: {error}") from error


def curve_plan(kind: str) -> CurvePlan:
    """Few points in few folds where one training takes minutes or hours."""
    return _weights(kind).plan


def train_matcher(
    kind: str, examples: Sequence[LabelledPair], *, seed: int, step: Step = lambda: None
) -> TrainedWeights | TrainedModel:
    """Train a matcher of that kind; the same examples and seed give the same weights.

    A long training calls `step` now and then; what that raises ends it. Raises
    MissingReferenceError, ModelError, and ValueError if all examples have the same label.
    """
    require_both_labels(examples)
    weights = _weights(kind)
    train = resolve_name(weights.train)
    if isinstance(weights, ModelFolder):
        model: TrainedModel = train(examples, seed=seed, step=step)
        return model
    learned, file = train(examples, seed=seed), resolve_name(weights.file)
    matcher: Matcher = resolve_name(weights.matcher)(learned)
    return TrainedWeights(matcher, file.text_of(learned), file.digest(learned))


def read_matcher(kind: str, content: str, place: str) -> Matcher:
    """The matcher of that kind with these weights. Raises WeightsError, naming the place."""
    weights = _weights(kind)
    if not isinstance(weights, JsonWeights):
        raise TypeError(f"the weights of {kind} are not a text")
    return weights.parse(content, place)


def read_model(kind: str, folder: ContentFolder) -> Matcher:
    """The matcher of that kind whose weights are in the folder. Raises ModelError, naming it,
    also if the files are not those that the digest tells of."""
    weights = _weights(kind)
    if not isinstance(weights, ModelFolder):
        raise TypeError(f"the weights of {kind} are not a folder")
    matcher: Matcher = resolve_name(weights.read)(folder)
    return matcher


def _weights(kind: str) -> Weights:
    weights = matchers_by_name()[kind].weights
    if weights is None:
        raise TypeError(f"{kind} does not learn")
    return weights


OF = ":"  # between the kind and the name
_NAME = re.compile(r"[\w.-]{1,60}", re.ASCII)
_SUFFIX = ".json"

_folder: list[Path] = []
_files: dict[str, Path] = {}


def configure_weights(folder: Path | None) -> None:
    """Take the site's weights from this folder from now on; it need not be there."""
    _folder[:] = [folder] if folder else []
    _files.clear()


def own_weights() -> tuple[str, ...]:
    """The names of those in the folder, in alphabetical order, kind by kind."""
    return tuple(_in_folder())


def is_loadable(name: str) -> bool:
    """Whether the packages for its kind are installed."""
    return matchers_by_name()[kind_of(name)].is_installed


def kind_of(name: str) -> str:
    """The matcher that the weights belong to: `cfmatch` of `cfmatch:nq`."""
    return name.partition(OF)[0]


def use_file(name: str, place: Path | None = None) -> bool:
    """Know the weights at the place, or those of `KIND:PATH`, by that name in this process.

    False if there are none.
    """
    kind, _, path = name.partition(OF)
    place = place or Path(path)
    if kind not in trainable_kinds() or not path or not place.exists():
        return False
    _files[name] = place
    return True


def place_of(name: str) -> Path | None:
    """The place of the weights of that name; None without any."""
    return _files.get(name) or _in_folder().get(name)


def load_own(name: str, place: Path) -> Matcher:
    """The matcher with these weights, under that name; its version carries their digest.

    Loaded once for as long as the file stays as it is. Raises as
    `MatcherDescription.load`.
    """
    return _load_once(name, place, tuple(path.stat().st_mtime_ns for path in files_of(place)))


def files_of(place: Path) -> list[Path]:
    """The file, or those of the folder that decide the scores."""
    return decisive_files(place) if place.is_dir() else [place]


@cache
def _load_once(name: str, place: Path, _changed: tuple[int, ...]) -> Matcher:
    return NamedMatcher(matchers_by_name()[kind_of(name)].load(place), name)


def _in_folder() -> dict[str, Path]:
    return {
        f"{kind}{OF}{path.name.removesuffix(_SUFFIX)}": path
        for kind in trainable_kinds()
        for folder in _folder
        for path in _entries(folder / kind, kind)
    }


def _entries(folder: Path, kind: str) -> Iterator[Path]:
    is_folder = isinstance(matchers_by_name()[kind].weights, ModelFolder)
    for path in sorted(folder.glob("*")):
        fits = path.is_dir() if is_folder else path.is_file() and path.suffix == _SUFFIX
        if fits and _NAME.fullmatch(path.name):
            yield path
