"""How a BEM model reads a pair and where it draws the line."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

BemVariant = Literal["answers", "question", "context"]
BEM_VARIANTS: tuple[BemVariant, ...] = get_args(BemVariant)


@dataclass(frozen=True, slots=True)
class BemOptions:
    """Options stored beside the weights, which decide scores and labels with them.

    `variant` says what stands after candidate and reference in the input: nothing, the question
    (best in the paper, §4.1.1), or the question and the context. `symmetrised` takes the mean of
    both directions, candidate for reference and reference for candidate (§4.1.2). `int8` rounds
    the weights of linear layers to 8 bits, on a processor only.

    Raises ValueError, naming the field.
    """

    variant: BemVariant = "question"
    symmetrised: bool = False
    threshold: float = 0.5
    int8: bool = False

    def __post_init__(self) -> None:
        if self.variant not in BEM_VARIANTS:
            raise ValueError(f"variant: {self.variant!r} is not one of {', '.join(BEM_VARIANTS)}")
        if not 0 <= self.threshold <= 1:
            raise ValueError(f"threshold: {self.threshold!r} is not from 0 to 1")

    @property
    def signature(self) -> str:
        """The options as part of a version."""
        parts = [f"in:candidate-reference{_AFTER_REFERENCE[self.variant]}"]
        parts += ["symmetrised"] * self.symmetrised + ["int8"] * self.int8
        return "|".join([*parts, f"thr:{self.threshold:g}"])

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "BemOptions":
        """Raises ValueError for a field that is wrong or unknown."""
        for name, value in values.items():
            if name not in _TYPES:
                raise ValueError(f"{name}: no such option")
            if type(value) not in _TYPES[name]:
                raise ValueError(f"{name}: {value!r} is not {_TYPE_NAMES[name]}")
        return cls(**values)

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


_AFTER_REFERENCE: Mapping[BemVariant, str] = {
    "answers": "",
    "question": "-question",
    "context": "-question-context",
}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "variant": (str,),
    "symmetrised": (bool,),
    "threshold": (int, float),
    "int8": (bool,),
}
_TYPE_NAMES: Mapping[str, str] = {
    "variant": "a text",
    "symmetrised": "true or false",
    "threshold": "a number",
    "int8": "true or false",
}
