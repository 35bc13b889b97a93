"""Training BEM on labelled pairs (Bulian et al. 2022, §4.1 and App. B)."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tomahto.learning.files import Examples
from tomahto.matching.accuracy import (
    Accuracy,
    Comparison,
    compare,
    measure_accuracy,
    tuned_threshold,
)
from tomahto.matching.bem.matcher import LABELS, Bem, BemOptions, BemVariant, sections
from tomahto.matching.human_labels import LabelledPair, require_both_labels
from tomahto.matching.interface import closest_reference, require_references
from tomahto.pretrained.classifier import Encoded, SequenceClassifier
from tomahto.pretrained.files import digest_folder, model_folder
from tomahto.pretrained.folders import output_folder, require_free, write_card
from tomahto.pretrained.runtime import (
    EpochOptions,
    Progress,
    copy_weights,
    load_for_training,
    load_tokenizer,
    provenance,
    require_torch,
    run_epochs,
    silent,
    wide_range_precision,
)

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel


Optimiser = Literal["adam", "adamw"]

_SMALLEST = 1e-12  # so that the logarithm of a probability stays finite


@dataclass(frozen=True, slots=True)
class BemTrainingOptions(EpochOptions):
    """Defaults as in the paper. Symmetrising concerns scoring alone.

    CFMatch's BERTs (footnote 5) have a `weight_decay` of 0.01, which is torch's of the optimiser: a
    penalty in Adam, decoupled in AdamW. Biases and the weights of normalisations do not decay.
    """

    batch_size: int = 64
    learning_rate: float = 1e-4
    variant: BemVariant = "question"
    symmetrised: bool = False
    optimiser: Optimiser = "adam"
    weight_decay: float = 0.0

    @property
    def scoring(self) -> BemOptions:
        return BemOptions(self.variant, self.symmetrised)


@dataclass(frozen=True, slots=True)
class DevScore:
    """Accuracy at 0.5 and mean negative log likelihood (nats) on held-out examples."""

    accuracy: float
    log_loss: float


@dataclass(frozen=True, slots=True)
class Epoch:
    """The mean loss of an epoch's examples; `dev` where there are held-out examples."""

    epoch: int
    loss: float
    dev: DevScore | None


@dataclass(frozen=True, slots=True)
class Fit:
    """All epochs, and the number (from 1) of the one whose weights were kept."""

    epochs: tuple[Epoch, ...]
    best_epoch: int


def fit_bem(
    classifier: SequenceClassifier,
    examples: Sequence[LabelledPair],
    dev: Sequence[LabelledPair],
    options: BemTrainingOptions,
    progress: Progress = silent,
) -> Fit:
    """Trains the classifier in place and leaves it with the best epoch's weights.

    The best epoch has the highest accuracy on the dev examples, among equals the lowest log loss;
    without dev examples it is the last.
    """
    model = classifier.model
    optimiser = optimiser_of(model, options)
    inputs = classifier.encode_sections(
        [sections(e.pair, closest_reference(e.pair), options.scoring) for e in examples]
    )

    def loss_of(batch: Sequence[int]) -> "torch.Tensor":
        return _loss(classifier, [inputs[i] for i in batch], [examples[i].correct for i in batch])

    epochs: list[Epoch] = []
    best, weights = 0, None
    for number, loss in run_epochs(model, len(inputs), loss_of, optimiser, options, progress):
        epochs.append(Epoch(number, loss, _judge(classifier, dev, options)))
        if not dev or max(epochs, key=_quality) is epochs[-1]:
            best = number
            weights = copy_weights(model) if dev and number < options.epochs else None
    if weights is not None:
        model.load_state_dict(weights)
    return Fit(tuple(epochs), best)


def score_examples(
    classifier: SequenceClassifier, examples: Sequence[LabelledPair], options: BemOptions
) -> list[float]:
    """The answers of the model in training."""
    matcher = Bem(classifier, options, digest="in-training")
    return matcher.score([example.pair for example in examples])


def optimiser_of(
    model: "PreTrainedModel", options: BemTrainingOptions
) -> "torch.optim.Adam | torch.optim.AdamW":
    """The values of `options` for the weights of the model."""
    import torch

    weights = list(model.parameters())
    groups: list[dict[str, Any]] = [
        {"params": [one for one in weights if one.ndim > 1], "weight_decay": options.weight_decay},
        {"params": [one for one in weights if one.ndim <= 1], "weight_decay": 0.0},
    ]
    kind = torch.optim.AdamW if options.optimiser == "adamw" else torch.optim.Adam
    return kind(groups, lr=options.learning_rate)


def _loss(
    classifier: SequenceClassifier, inputs: Sequence[Encoded], correct: Sequence[bool]
) -> "torch.Tensor":
    """Cross-entropy; equivalence is the second label."""
    import torch

    device = next(classifier.model.parameters()).device
    with wide_range_precision(device):
        logits = classifier.logits(inputs)
    wanted = torch.tensor([int(is_correct) for is_correct in correct], device=device)
    return torch.nn.functional.cross_entropy(logits.float(), wanted)


def _judge(
    classifier: SequenceClassifier, dev: Sequence[LabelledPair], options: BemTrainingOptions
) -> DevScore | None:
    if not dev:
        return None
    scores = score_examples(classifier, dev, options.scoring)
    right = sum((s >= 0.5) == e.correct for s, e in zip(scores, dev, strict=True))
    likelihoods = [s if e.correct else 1 - s for s, e in zip(scores, dev, strict=True)]
    log_loss = -sum(math.log(max(p, _SMALLEST)) for p in likelihoods) / len(dev)
    return DevScore(right / len(dev), log_loss)


def _quality(epoch: Epoch) -> tuple[float, float]:
    return (epoch.dev.accuracy, -epoch.dev.log_loss) if epoch.dev else (0.0, 0.0)


_HALF = 0.5


@dataclass(frozen=True, slots=True)
class BemTrainingReport:
    """The trained weights, their origin, and their quality.

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
            "options": asdict(replace(options.scoring, threshold=report.threshold)),
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
