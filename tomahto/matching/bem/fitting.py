"""The epochs of a BEM training, and which of them is kept (Bulian et al. 2022, App. B)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from tomahto.matching.bem.matcher import Bem, sections
from tomahto.matching.bem.options import BemOptions, BemVariant
from tomahto.matching.references import closest_reference
from tomahto.matching.training.labelled_pairs import LabelledPair
from tomahto.pretrained.batches import Encoded
from tomahto.pretrained.classifier import SequenceClassifier
from tomahto.pretrained.runtime import wide_range_precision
from tomahto.pretrained.training import (
    EpochOptions,
    Progress,
    copy_weights,
    run_epoch,
    seeded,
    shuffled_batches,
    silent,
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
    with seeded(options.seed) as order:
        for number in range(1, options.epochs + 1):
            batches = shuffled_batches(len(inputs), options.batch_size, order)
            loss = run_epoch(model, batches, loss_of, optimiser, epoch=number, progress=progress)
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
    """What the model in training would answer."""
    matcher = Bem(classifier, options, digest="in-training")
    return matcher.score([example.pair for example in examples])


def optimiser_of(
    model: "PreTrainedModel", options: BemTrainingOptions
) -> "torch.optim.Adam | torch.optim.AdamW":
    """What `options` say, for the weights of the model."""
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
