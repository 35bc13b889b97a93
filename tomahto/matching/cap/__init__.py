"""CAP: entailment between statements, as a score of correctness (CAP §4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tomahto.matching.table import MatcherDescription
from tomahto.pretrained.files import ModelVariable

_DIRECTIONS = ("forward", "backward")


@dataclass(frozen=True, slots=True)
class NliProbabilities:
    """The output of an inference model for an ordered pair of statements; the three sum to 1."""

    entailment: float
    neutral: float
    contradiction: float


@dataclass(frozen=True, slots=True)
class CapOptions:
    """The weights of the formula, found best in the paper's sweep (App. C.3).

    `alpha` weighs reference → candidate against candidate → reference, `neutral` (the paper's λ)
    is the credit for the neutral class. The paper gives no `threshold`; 0.5 is the middle of the
    scale.

    Raises ValueError for a number outside 0 … 1.
    """

    alpha: float = 0.85
    neutral: float = 0.30
    threshold: float = 0.5

    def __post_init__(self) -> None:
        for name in ("alpha", "neutral", "threshold"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}: {getattr(self, name)!r} is not from 0 to 1")


@dataclass(frozen=True, slots=True)
class CapScore:
    """A score and all that it comes from.

    `forward` is the inference from the reference's statement to the candidate's, `backward` the
    other direction.
    """

    score: float
    reference: str
    reference_statement: str
    candidate_statement: str
    forward: NliProbabilities
    backward: NliProbabilities

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "CapScore":
        """From the object that is stored as a suggestion's explanation.

        Raises ValueError if it is not one of CAP's.
        """
        try:
            directions = {name: NliProbabilities(**values[name]) for name in _DIRECTIONS}
            return cls(**{**values, **directions})
        except (KeyError, TypeError) as error:
            raise ValueError(f"is not what CAP says of a score: {error}") from error


def directional_score(probabilities: NliProbabilities, options: CapOptions) -> float:
    """D(a → b) = P(entailment) + λ · P(neutral) (eq. 2)."""
    return probabilities.entailment + options.neutral * probabilities.neutral


def cap_value(forward: NliProbabilities, backward: NliProbabilities, options: CapOptions) -> float:
    """CAP = α · D(g → p) + (1 - α) · D(p → g) (eq. 3), from 0 to 1 (App. A)."""
    ahead, back = directional_score(forward, options), directional_score(backward, options)
    value = options.alpha * ahead + (1 - options.alpha) * back
    return min(max(value, 0.0), 1.0)  # rounding may leave the interval by its last digit


STATEMENTS = ModelVariable(
    "TOMAHTO_CAP_STATEMENTS_MODEL",
    "a folder made by `./run --models manage train_statements` (the paper trains google/mt5-base)",
)
NLI = ModelVariable(
    "TOMAHTO_CAP_NLI_MODEL",
    "the paper's cross-encoder/nli-deberta-v3-large, or another model of entailment, neutral and "
    "contradiction",
)
MATCHERS = (
    MatcherDescription(
        name="cap",
        loader=f"{__name__}.matcher:load_cap",
        packages=("torch",),
        models=(STATEMENTS, NLI),
    ),
)
