"""BEM, a BERT that tells whether two answers are equivalent (Bulian et al. 2022, §4.1)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from tomahto.matching.bem import MODEL
from tomahto.matching.interface import Pair, best_rows, require_references
from tomahto.pretrained.classifier import SequenceClassifier, load_classifier
from tomahto.pretrained.files import ModelFilesError, digest_folder, model_folder, model_location
from tomahto.pretrained.folders import CARD, read_options
from tomahto.pretrained.runtime import require_torch
from tomahto.types import Floats

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

EQUIVALENT = "equivalent"
LABELS = ("not-equivalent", EQUIVALENT)
_UNNAMED = ("LABEL_0", "LABEL_1")  # what transformers calls two classes without names


class Bem:
    """Scores the probability that candidate and reference are equivalent answers.

    A pair's score is the highest over its references. At most 512 tokens are read: of longer
    input the longest parts are cut, so that a context gives way before the answers do.

    Raises ModelFilesError if the classifier's labels do not say which of them is equivalence.
    """

    name = "bem"

    def __init__(self, classifier: SequenceClassifier, options: BemOptions, *, digest: str) -> None:
        self._classifier = classifier
        self.options = options
        self._digest = digest
        self._equivalent = _index_of_equivalence(classifier.labels)
        self.threshold = options.threshold
        self.version = f"bem|{options.signature}|agg:max-ref|model:{digest}|v1"

    def symmetrised(self) -> "Bem":
        """The same model asked in both directions."""
        options = replace(self.options, symmetrised=True)
        return Bem(self._classifier, options, digest=self._digest)

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One probability per pair. Raises MissingReferenceError."""
        require_references(pairs)
        if not pairs:
            return []
        rows = [(pair, reference) for pair in pairs for reference in pair.references]
        scores = self._probabilities([sections(p, r, self.options) for p, r in rows])
        if self.options.symmetrised:
            swapped = [
                sections(replace(p, candidate=r), p.candidate, self.options) for p, r in rows
            ]
            scores = (scores + self._probabilities(swapped)) / 2
        best: list[float] = scores[best_rows(pairs, scores)].tolist()
        return best

    def _probabilities(self, rows: Sequence[Sequence[str]]) -> Floats:
        encoded = self._classifier.encode_sections(rows)
        equivalent: Floats = self._classifier.probabilities(encoded)[:, self._equivalent]
        return equivalent


def sections(pair: Pair, reference: str, options: BemOptions) -> tuple[str, ...]:
    """The texts between the markers: `[CLS] candidate [SEP] reference [SEP] question [SEP]`."""
    answers = (pair.candidate, reference)
    if options.variant == "answers":
        return answers
    if options.variant == "question":
        return (*answers, pair.question)
    return (*answers, pair.question, pair.context)


def load_bem(location: str | None = None) -> Bem:
    """BEM with the model in the folder or on the hub, else the one that the site names, used as its
    card.json says.

    A model without a card is read as one of the default variant with the threshold 0.5.
    Raises ModelError, and OSError if the hub cannot be reached.
    """
    location = location or model_location(MODEL)
    require_torch()
    folder = model_folder(location)
    return read_bem(folder, digest=digest_folder(folder))


def read_bem(folder: Path, *, digest: str) -> Bem:
    """BEM with the model in the folder, as `load_bem`; the version carries the digest."""
    require_torch()
    try:
        options = BemOptions.from_json(read_options(folder))
    except ModelFilesError:
        raise
    except ValueError as error:
        raise ModelFilesError(f"{folder / CARD}, field options: {error}") from error
    classifier = load_classifier(folder)
    if options.int8:
        classifier.round_to_int8()
    return Bem(classifier, options, digest=digest)


def _index_of_equivalence(labels: Sequence[str]) -> int:
    if tuple(labels) == _UNNAMED:
        return 1
    if len(labels) != 2 or EQUIVALENT not in labels:
        raise ModelFilesError(
            f"the model's labels are {', '.join(labels)}; BEM needs two, one of them {EQUIVALENT!r}"
        )
    return list(labels).index(EQUIVALENT)
