"""BEM, a BERT that tells whether two answers are equivalent (Bulian et al. 2022, §4.1)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tomahto.matching.bem import MODEL
from tomahto.matching.bem.options import BemOptions
from tomahto.matching.interface import Pair
from tomahto.matching.references import best_rows, require_references
from tomahto.pretrained.card import CARD, read_options
from tomahto.pretrained.classifier import SequenceClassifier, load_classifier
from tomahto.pretrained.errors import ModelFilesError
from tomahto.pretrained.files import digest_folder, model_folder
from tomahto.pretrained.locations import model_location
from tomahto.pretrained.runtime import require_torch
from tomahto.types import Floats

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
            swapped = [_swap(sections(p, r, self.options)) for p, r in rows]
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


def _swap(row: Sequence[str]) -> tuple[str, ...]:
    candidate, reference, *rest = row
    return (reference, candidate, *rest)


def _index_of_equivalence(labels: Sequence[str]) -> int:
    if tuple(labels) == _UNNAMED:
        return 1
    if len(labels) != 2 or EQUIVALENT not in labels:
        raise ModelFilesError(
            f"the model's labels are {', '.join(labels)}; BEM needs two, one of them {EQUIVALENT!r}"
        )
    return list(labels).index(EQUIVALENT)
