"""Natural language inference: does one statement entail another (CAP §4, App. C.2)?"""

from collections.abc import Sequence
from typing import Protocol

from tomahto.matching.cap.score import NliProbabilities
from tomahto.pretrained.classifier import SequenceClassifier, load_classifier
from tomahto.pretrained.errors import ModelFilesError
from tomahto.pretrained.files import digest_folder, model_folder

_BATCH = 16  # App. C.2
_CLASSES = ("entail", "neutral", "contradict")


class NliModel(Protocol):
    """Gives ordered pairs (premise, hypothesis) their probabilities, in order."""

    @property
    def digest(self) -> str: ...

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[NliProbabilities]: ...


class TransformerNli:
    """An inference model of three classes, in whatever order its configuration lists them.

    Raises ModelFilesError if its labels (id2label) do not name entailment, neutral and
    contradiction.
    """

    def __init__(self, classifier: SequenceClassifier, *, digest: str) -> None:
        self._classifier = classifier
        self._columns = _columns(classifier.labels)
        self.digest = digest

    def probabilities(self, pairs: Sequence[tuple[str, str]]) -> list[NliProbabilities]:
        """Each pair is read up to a joint length of 512 tokens."""
        if not pairs:
            return []
        table = self._classifier.probabilities(self._classifier.encode_pairs(pairs))
        return [NliProbabilities(*row) for row in table[:, self._columns].tolist()]


def load_nli(location: str) -> TransformerNli:
    """The model in the folder or on the hub. Raises ModelError, and OSError from the hub."""
    folder = model_folder(location)
    classifier = load_classifier(folder, batch_size=_BATCH)
    return TransformerNli(classifier, digest=digest_folder(folder))


def _columns(labels: Sequence[str]) -> list[int]:
    """Where entailment, neutral and contradiction stand among the labels."""
    columns = [
        [place for place, label in enumerate(labels) if label.lower().startswith(name)]
        for name in _CLASSES
    ]
    if len(labels) != len(_CLASSES) or any(len(places) != 1 for places in columns):
        raise ModelFilesError(
            f"the model's labels are {', '.join(labels)}; CAP needs entailment, neutral and "
            "contradiction (id2label in config.json)"
        )
    return [places[0] for places in columns]
