"""CAP, bidirectional inference between statements made of the answers (CAP §4, App. C.2)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tomahto.matching.cap import NLI, STATEMENTS, CapOptions, CapScore, NliProbabilities, cap_value
from tomahto.matching.interface import Pair, best_rows, require_references
from tomahto.pretrained.classifier import SequenceClassifier, load_classifier
from tomahto.pretrained.files import ModelFilesError, digest_folder, model_folder, model_location
from tomahto.statements.generator import QuestionAnswer, StatementMaker, load_statement_generator

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
    """The positions of entailment, neutral and contradiction among the labels."""
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


class Cap:
    """Scores how far the statements of reference and candidate entail each other.

    A pair's score is the highest over its references. The context is not read.
    """

    name = "cap"

    def __init__(
        self, statements: StatementMaker, nli: NliModel, options: CapOptions | None = None
    ) -> None:
        self._statements = statements
        self._nli = nli
        self._options = options or CapOptions()
        self.threshold = self._options.threshold
        self.version = (
            f"cap|alpha:{self._options.alpha:g}|lambda:{self._options.neutral:g}"
            f"|thr:{self.threshold:g}|agg:max-ref"
            f"|statements:{statements.signature}|nli:{nli.digest}|v1"
        )

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        return [explained.score for explained in self.explain(pairs)]

    def explain(self, pairs: Sequence[Pair]) -> list[CapScore]:
        """Each pair's score with its statements and probabilities, for its best reference.

        Raises MissingReferenceError.
        """
        require_references(pairs)
        rows = self._rows(pairs)
        return [rows[row] for row in best_rows(pairs, np.array([row.score for row in rows]))]

    def _rows(self, pairs: Sequence[Pair]) -> list[CapScore]:
        """A score for every reference, pair after pair."""
        compared = [(pair, reference) for pair in pairs for reference in pair.references]
        references = [QuestionAnswer(pair.question, reference) for pair, reference in compared]
        candidates = [QuestionAnswer(pair.question, pair.candidate) for pair, _ in compared]
        written = self._statements.statements([*references, *candidates])
        gold, predicted = written[: len(compared)], written[len(compared) :]
        forward = list(zip(gold, predicted, strict=True))
        backward = list(zip(predicted, gold, strict=True))
        inferred = self._nli.probabilities([*forward, *backward])
        return [
            CapScore(cap_value(ahead, back, self._options), reference, *statements, ahead, back)
            for (_, reference), statements, ahead, back in zip(
                compared,
                forward,
                inferred[: len(compared)],
                inferred[len(compared) :],
                strict=True,
            )
        ]


def load_cap(statements: str | None = None, nli: str | None = None) -> Cap:
    """CAP with the two models, each in a folder or on the hub, else those that the site names.

    Raises ModelError, and OSError if the hub cannot be reached.
    """
    locations = statements or model_location(STATEMENTS), nli or model_location(NLI)
    return Cap(load_statement_generator(locations[0]), load_nli(locations[1]))
