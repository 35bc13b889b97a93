"""The matchers that can be trained on a campaign's labels: how they are trained and read again.

What is learned is either readable JSON, made in seconds, or a folder of files, made from a model.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Protocol, TypeAlias

from tomahto.matching.description import CurvePlan, JsonWeights, ModelFolder, Weights
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.table import matchers_by_name
from tomahto.matching.training.labelled_pairs import LabelledPair, require_both_labels
from tomahto.pretrained.content_folder import ContentFolder
from tomahto.pretrained.errors import ModelFilesError
from tomahto.pretrained.files import model_folder
from tomahto.pretrained.locations import ModelVariable, model_location
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
