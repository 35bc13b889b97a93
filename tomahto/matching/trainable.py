"""The matchers that can be trained on a campaign's labels: how they are trained and read again.

`cfmatch` and `feather` learn in seconds, need nothing, and their weights are readable JSON. `bem`
needs torch and a model to begin with; its weights are a folder.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tomahto.matching.bem.on_labels import base_model, read_bem_folder, train_bem_on_labels
from tomahto.matching.cfmatch import weights as cfmatch_weights
from tomahto.matching.cfmatch.matcher import CFMatch
from tomahto.matching.cfmatch.training import SIGNIFICANT_DIGITS, train_cfmatch
from tomahto.matching.feather import weights as feather_weights
from tomahto.matching.feather.matcher import Feather
from tomahto.matching.feather.training import train_feather
from tomahto.matching.interface import Matcher, Pair
from tomahto.matching.training.labelled_pairs import LabelledPair, require_both_labels
from tomahto.pretrained.content_folder import ContentFolder
from tomahto.pretrained.runtime import has_torch

Step: TypeAlias = Callable[[], None]


@dataclass(frozen=True, slots=True)
class TrainedWeights:
    """A trained matcher, its weights as text, and the digest that its version carries."""

    matcher: Matcher
    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A trained matcher whose weights are files; `save` writes them into a folder."""

    matcher: Matcher
    save: Callable[[Path], None]


@dataclass(frozen=True, slots=True)
class CurvePlan:
    """How a learning curve of the kind is drawn: in so many folds, of so many points at most."""

    folds: int
    points: int | None = None

    @property
    def trainings(self) -> int | None:
        """How many trainings it takes with that of the matcher itself, where that is known."""
        return None if self.points is None else self.folds * self.points + 1


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


@dataclass(frozen=True, slots=True)
class _Kind:
    train: Callable[[Sequence[LabelledPair], int, Step], TrainedWeights | TrainedModel]
    plan: CurvePlan = CurvePlan(folds=5)
    needs_torch: bool = False


def trainable_kinds() -> tuple[str, ...]:
    """The names of the kinds, as of the matchers that are made alike."""
    return tuple(_KINDS)


def kinds_trainable_here() -> tuple[str, ...]:
    """The kinds whose packages are installed; whether a model is there shows when it is loaded."""
    return tuple(name for name, kind in _KINDS.items() if has_torch() or not kind.needs_torch)


def require_trainable(kind: str) -> None:
    """Raises ModelError if a package or a model that the training needs is not there."""
    if _KINDS[kind].needs_torch:
        base_model()


def curve_plan(kind: str) -> CurvePlan:
    """Few points in few folds where one training takes minutes or hours."""
    return _KINDS[kind].plan


def train_matcher(
    kind: str, examples: Sequence[LabelledPair], *, seed: int, step: Step = lambda: None
) -> TrainedWeights | TrainedModel:
    """Train a matcher of that kind; the same examples and seed give the same weights.

    A long training calls `step` now and then; what that raises ends it. Raises
    MissingReferenceError, ModelError, and ValueError if all examples have the same label.
    """
    require_both_labels(examples)
    return _KINDS[kind].train(examples, seed, step)


def read_matcher(kind: str, weights: str, place: str) -> Matcher:
    """The matcher of that kind with these weights. Raises WeightsError, naming the place."""
    return _READ_TEXT[kind](weights, place)


def read_model(kind: str, folder: ContentFolder) -> Matcher:
    """The matcher of that kind whose weights are in the folder. Raises ModelError, naming it,
    also if the files are not those that the digest tells of."""
    return _READ_FOLDER[kind](folder)


def _train_cfmatch(examples: Sequence[LabelledPair], _seed: int, _step: Step) -> TrainedWeights:
    weights = train_cfmatch(examples).rounded(SIGNIFICANT_DIGITS)
    return TrainedWeights(CFMatch(weights), cfmatch_weights.weights_text(weights), weights.digest)


def _train_feather(examples: Sequence[LabelledPair], seed: int, _step: Step) -> TrainedWeights:
    weights = train_feather([examples], seed=seed)
    return TrainedWeights(Feather(weights), feather_weights.weights_text(weights), weights.digest)


def _train_bem(examples: Sequence[LabelledPair], seed: int, step: Step) -> TrainedModel:
    trained = train_bem_on_labels(examples, seed=seed, step=step)
    return TrainedModel(trained.matcher, trained.save)


def _read_cfmatch(weights: str, place: str) -> Matcher:
    return CFMatch(cfmatch_weights.parse_weights(weights, place))


def _read_feather(weights: str, place: str) -> Matcher:
    return Feather(feather_weights.parse_weights(weights, place))


_KINDS: Mapping[str, _Kind] = {
    "cfmatch": _Kind(_train_cfmatch),
    "feather": _Kind(_train_feather),
    "bem": _Kind(_train_bem, plan=CurvePlan(folds=3, points=2), needs_torch=True),
}
_READ_TEXT: Mapping[str, Callable[[str, str], Matcher]] = {
    "cfmatch": _read_cfmatch,
    "feather": _read_feather,
}
_READ_FOLDER: Mapping[str, Callable[[ContentFolder], Matcher]] = {"bem": read_bem_folder}
