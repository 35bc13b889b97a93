"""Training BEM on labelled pairs (Bulian et al. 2022, §4.1 and App. B)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tomahto.learning.examples import Examples
from tomahto.matching.bem.fitting import (
    BemTrainingOptions,
    Fit,
    fit_bem,
    score_examples,
)
from tomahto.matching.bem.matcher import LABELS, Bem
from tomahto.matching.references import require_references
from tomahto.matching.training.accuracy import Accuracy, measure_accuracy
from tomahto.matching.training.cross_validation import Comparison, compare, tuned_threshold
from tomahto.matching.training.labelled_pairs import (
    LabelledPair,
    require_both_labels,
)
from tomahto.pretrained.card import write_card
from tomahto.pretrained.classifier import SequenceClassifier
from tomahto.pretrained.files import digest_folder, model_folder
from tomahto.pretrained.loading import load_for_training, load_tokenizer
from tomahto.pretrained.output_folder import output_folder, require_free
from tomahto.pretrained.runtime import require_torch
from tomahto.pretrained.training import Progress, provenance, silent

_HALF = 0.5


@dataclass(frozen=True, slots=True)
class BemTrainingReport:
    """What was trained, from what, and how well it does.

    The threshold is the best for the dev examples, or for the training examples where there are
    no others (`tuned_on`), as in the paper; both accuracies, at 0.5 and at the threshold, are of
    the same examples. `transfer` is the accuracy at the threshold on test examples, which chose
    nothing, where there are any.
    """

    examples: int
    dev_examples: int
    options: BemTrainingOptions
    fit: Fit
    tuned_on: str
    threshold: float
    accuracy: Accuracy
    accuracy_tuned: Accuracy
    version: str
    transfer: Comparison | None


def train_bem(
    train: Examples[LabelledPair],
    out: Path,
    *,
    base: str,
    dev: Examples[LabelledPair] | None = None,
    test: Examples[LabelledPair] | None = None,
    options: BemTrainingOptions | None = None,
    progress: Progress = silent,
) -> BemTrainingReport:
    """Trains the base model on the examples and saves it in the folder `out`.

    Of several references the one closest by token F1 is learned from. With `test` the report says
    how the model does there, beside token F1 with the best threshold for training and dev examples.
    Nothing is written if anything fails. Raises LabelledPairsError, also for labels that are all
    alike, MissingReferenceError, ModelError, OSError, and ValueError if no test example has a
    question of its own.
    """
    require_torch()
    require_free(out)
    options = options or BemTrainingOptions()
    examples, dev_examples = train.rows, dev.rows if dev else ()
    tests = test.rows if test else ()
    require_references([example.pair for example in (*examples, *dev_examples, *tests)])
    require_both_labels(examples, train.name)
    folder = model_folder(base)
    classifier = untrained_classifier(folder, options)
    fit = fit_bem(classifier, examples, dev_examples, options, progress)
    with output_folder(out) as partial:
        classifier.model.save_pretrained(partial)
        classifier.tokenizer.save_pretrained(partial)
        digest = digest_folder(partial)
        report = _report(classifier, examples, dev_examples, tests, options, fit, digest)
        card = {
            "matcher": Bem.name,
            "options": replace(options.scoring, threshold=report.threshold).as_json(),
            "base": {"model": Path(base).name, "digest": digest_folder(folder)},
            "training": asdict(report),
            **provenance({"train": train, "dev": dev, "test": test}),
        }
        write_card(partial, card)
    return report


def middle_threshold(scores: Sequence[float], correct: Sequence[bool]) -> float:
    """The best threshold halfway to the next lower score (or 0).

    No score lies on it, so another machine's last digits do not turn a label over.
    """
    best = tuned_threshold(scores, correct)
    below = max((score for score in scores if score < best), default=0.0)
    middle = (best + below) / 2
    return middle if middle > below else best  # there may be no number between them


def untrained_classifier(folder: Path, options: BemTrainingOptions) -> SequenceClassifier:
    """The base model with a head for BEM's two classes, drawn by the seed. Raises ModelError."""
    from transformers import AutoModelForSequenceClassification

    model = load_for_training(
        AutoModelForSequenceClassification,
        folder,
        seed=options.seed,
        num_labels=len(LABELS),
        id2label=dict(enumerate(LABELS)),
        label2id={label: index for index, label in enumerate(LABELS)},
    )
    return SequenceClassifier(model, load_tokenizer(folder))


def _report(
    classifier: SequenceClassifier,
    examples: Sequence[LabelledPair],
    dev: Sequence[LabelledPair],
    tests: Sequence[LabelledPair],
    options: BemTrainingOptions,
    fit: Fit,
    digest: str,
) -> BemTrainingReport:
    judged = dev or examples
    scores = score_examples(classifier, judged, options.scoring)
    threshold = middle_threshold(scores, [example.correct for example in judged])
    accuracies = [
        measure_accuracy(judged, [score >= limit for score in scores], seed=options.seed)
        for limit in (_HALF, threshold)
    ]
    bem = Bem(classifier, replace(options.scoring, threshold=threshold), digest=digest)
    known = (*examples, *dev)
    transfer = compare(known, tests, train=lambda _: bem, seed=options.seed) if tests else None
    return BemTrainingReport(
        examples=len(examples),
        dev_examples=len(dev),
        options=options,
        fit=fit,
        tuned_on="dev" if dev else "train",
        threshold=threshold,
        accuracy=accuracies[0],
        accuracy_tuned=accuracies[1],
        version=bem.version,
        transfer=transfer,
    )
