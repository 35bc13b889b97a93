"""The matchers that can be trained on a campaign's labels: how they are trained and read again.

They learn in seconds and need neither torch nor a model. Their weights are readable JSON.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from inference.matchers import cfmatch_weights, feather_weights
from inference.matchers.cfmatch import CFMatch
from inference.matchers.cfmatch_training import SIGNIFICANT_DIGITS, train_cfmatch
from inference.matchers.feather import Feather
from inference.matchers.feather_training import train_feather
from inference.matchers.interface import Matcher, Pair
from inference.matchers.labelled_pairs import LabelledPair


@dataclass(frozen=True, slots=True)
class TrainedWeights:
    """A trained matcher, its weights as text, and the digest that its version carries."""

    matcher: Matcher
    text: str
    digest: str


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
    train: Callable[[Sequence[LabelledPair], int], TrainedWeights]
    read: Callable[[str, str], Matcher]


def trainable_kinds() -> tuple[str, ...]:
    """The names of the kinds, as of the shipped matchers that are made alike."""
    return tuple(_KINDS)


def train_matcher(kind: str, examples: Sequence[LabelledPair], *, seed: int) -> TrainedWeights:
    """Train a matcher of that kind; the same examples and seed give the same weights.

    Raises MissingReferenceError, and ValueError if all examples have the same label.
    """
    if len({example.correct for example in examples}) < 2:
        raise ValueError("all examples have the same label: there is nothing to learn")
    return _KINDS[kind].train(examples, seed)


def read_matcher(kind: str, weights: str, place: str) -> Matcher:
    """The matcher of that kind with these weights. Raises WeightsError, naming the place."""
    return _KINDS[kind].read(weights, place)


def _train_cfmatch(examples: Sequence[LabelledPair], _seed: int) -> TrainedWeights:
    weights = train_cfmatch(examples).rounded(SIGNIFICANT_DIGITS)
    return TrainedWeights(CFMatch(weights), cfmatch_weights.weights_text(weights), weights.digest)


def _train_feather(examples: Sequence[LabelledPair], seed: int) -> TrainedWeights:
    weights = train_feather([examples], seed=seed)
    return TrainedWeights(Feather(weights), feather_weights.weights_text(weights), weights.digest)


def _read_cfmatch(weights: str, place: str) -> Matcher:
    return CFMatch(cfmatch_weights.parse_weights(weights, place))


def _read_feather(weights: str, place: str) -> Matcher:
    return Feather(feather_weights.parse_weights(weights, place))


_KINDS: Mapping[str, _Kind] = {
    "cfmatch": _Kind(_train_cfmatch, _read_cfmatch),
    "feather": _Kind(_train_feather, _read_feather),
}
