"""BEM trained on a campaign's labels, which are far fewer than the paper's 9,090.

The paper's batches of 64 would be a handful of steps. Here the batches are small, as the learning
rate is (Devlin et al. 2019, App. A.3: 16 and 3e-5), and a few labels are gone through several
times, up to as many steps as the paper takes in its one epoch.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tomahto.matching.bem import BASE
from tomahto.matching.bem.matcher import Bem, read_bem
from tomahto.matching.bem.training import BemTrainingOptions, Fit, fit_bem, untrained_classifier
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.trainable import base_model
from tomahto.pretrained.classifier import SequenceClassifier
from tomahto.pretrained.files import digest_folder
from tomahto.pretrained.folders import ContentFolder, write_card
from tomahto.pretrained.runtime import provenance

BATCH_SIZE = 16
LEARNING_RATE = 3e-5
STEPS = 143  # 9,090 examples in batches of 64 (Bulian et al. 2022, Tab. 2 and App. B)
MAX_EPOCHS = 10
_VERSION_DIGITS = 12


@dataclass(frozen=True, slots=True)
class BemOnLabels:
    """BEM as it was trained, in memory."""

    classifier: SequenceClassifier
    options: BemTrainingOptions
    fit: Fit
    labels: int
    base: Path

    @property
    def matcher(self) -> Bem:
        """It decides at 0.5: a threshold tuned on so few labels would follow chance."""
        return Bem(self.classifier, self.options.scoring, digest="in-training")

    def save(self, folder: Path) -> None:
        """Weights, tokenizer and card, into a folder that is there. Equal ones are equal bytes."""
        self.classifier.model.save_pretrained(folder)
        self.classifier.tokenizer.save_pretrained(folder)
        card = {
            "matcher": Bem.name,
            "options": asdict(self.options.scoring),
            "base": {"model": self.base.name, "digest": digest_folder(self.base)},
            "training": {
                "labels": self.labels,
                "options": asdict(self.options),
                "fit": asdict(self.fit),
            },
            "libraries": provenance({})["libraries"],
        }
        write_card(folder, card)


def train_bem_on_labels(
    examples: Sequence[LabelledPair], *, seed: int, step: Callable[[], None]
) -> BemOnLabels:
    """Train the site's base model; `step` is called now and then, and what it raises ends it.

    On a processor the same examples, seed and number of threads give the same bytes. Raises
    ModelError and MissingReferenceError.
    """
    base = base_model(BASE)
    options = BemTrainingOptions(
        epochs=epochs_for(len(examples)),
        batch_size=BATCH_SIZE,
        learning_rate=LEARNING_RATE,
        seed=seed,
    )
    classifier = untrained_classifier(base, options)
    fit = fit_bem(classifier, examples, (), options, progress=lambda _line: step())
    return BemOnLabels(classifier, options, fit, len(examples), base)


def epochs_for(labels: int) -> int:
    """So many that there are STEPS steps, and MAX_EPOCHS at most."""
    return min(MAX_EPOCHS, math.ceil(STEPS * BATCH_SIZE / labels))


def read_bem_folder(folder: ContentFolder) -> Bem:
    """The matcher in a folder that `BemOnLabels.save` wrote. Raises ModelError."""
    folder.require_whole()
    return read_bem(folder.path, digest=folder.digest[:_VERSION_DIGITS])
