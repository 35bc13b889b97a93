"""Training the statement generator on triples (CAP §4 and App. C.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tomahto.extras import is_installed
from tomahto.learning.files import Examples
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
)
from tomahto.statements.generator import StatementGenerator, Triple, hold_out

if TYPE_CHECKING:
    import torch

_HELD_OUT = 0.1  # as large a share as the paper's validation set (App. B.5)


@dataclass(frozen=True, slots=True)
class StatementTrainingOptions(EpochOptions):
    """Defaults as in the paper. Training stops early once `patience` epochs in a row brought no
    better BLEU; the paper does not say how many it waited."""

    epochs: int = 10
    learning_rate: float = 5e-4
    patience: int = 2


@dataclass(frozen=True, slots=True)
class StatementEpoch:
    """The mean loss of an epoch's triples, and the BLEU (0 to 1) of the held-out ones."""

    epoch: int
    loss: float
    bleu: float


@dataclass(frozen=True, slots=True)
class WritingScores:
    """The quality of `n` written statements: BLEU (0 to 1), the share that is written letter for
    letter, and ROUGE, None without the package rouge-score."""

    n: int
    bleu: float
    exact: float
    rouge: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class StatementTrainingReport:
    """A training: its result, its data, and its quality on held-out questions.

    `bleu`, `exact` and `rouge` are the best epoch's on the dev triples, which it was chosen by, as
    `WritingScores` has them; `test` are those on triples that chose nothing, where there are any.
    """

    examples: int
    dev_examples: int
    options: StatementTrainingOptions
    epochs: tuple[StatementEpoch, ...]
    best_epoch: int
    bleu: float
    exact: float
    rouge: Mapping[str, float] | None
    test: WritingScores | None
    digest: str


def train_statements(
    train: Examples[Triple],
    out: Path,
    *,
    base: str,
    dev: Examples[Triple] | None = None,
    test: Examples[Triple] | None = None,
    options: StatementTrainingOptions | None = None,
    progress: Progress = silent,
) -> StatementTrainingReport:
    """Trains the base model, a T5 or mT5, on the triples and saves it in the folder `out`.

    The epoch of the highest BLEU on the dev triples is kept, of equally good ones the first;
    without dev triples a tenth of the questions is held out. With test triples the report says how
    well it writes those too. Nothing is written if anything fails.
    Raises ModelError, OSError, and ValueError if nothing can be held out.
    """
    require_torch()
    from transformers import AutoModelForSeq2SeqLM

    require_free(out)
    options = options or StatementTrainingOptions()
    if dev:
        training, held_out = train.rows, dev.rows
    else:
        training, held_out = hold_out(train.rows, share=_HELD_OUT, seed=options.seed)
    folder = model_folder(base)
    model = load_for_training(AutoModelForSeq2SeqLM, folder, seed=options.seed)
    generator = StatementGenerator(model, load_tokenizer(folder), digest="in-training")
    epochs = fit_generator(generator, training, held_out, options, progress)
    with output_folder(out) as partial:
        generator.model.save_pretrained(partial)
        generator.tokenizer.save_pretrained(partial)
        best = max(epochs, key=lambda epoch: epoch.bleu)
        scores = score_writing(generator, held_out)
        report = StatementTrainingReport(
            examples=len(training),
            dev_examples=len(held_out),
            options=options,
            epochs=tuple(epochs),
            best_epoch=best.epoch,
            bleu=best.bleu,
            exact=scores.exact,
            rouge=scores.rouge,
            test=score_writing(generator, test.rows) if test else None,
            digest=digest_folder(partial),
        )
        card = {
            "model": "statements",
            "base": {"model": Path(base).name, "digest": digest_folder(folder)},
            "training": asdict(report),
            **provenance({"train": train, "dev": dev, "test": test}),
        }
        write_card(partial, card)
    return report


def fit_generator(
    generator: StatementGenerator,
    triples: Sequence[Triple],
    dev: Sequence[Triple],
    options: StatementTrainingOptions,
    progress: Progress = silent,
) -> list[StatementEpoch]:
    """Trains the generator in place and leaves it with the best epoch's weights."""
    import torch

    model = generator.model
    adamw = torch.optim.AdamW(model.parameters(), lr=options.learning_rate)
    inputs = generator.encode([triple.pair for triple in triples])

    def loss_of(batch: Sequence[int]) -> "torch.Tensor":
        return generator.loss([inputs[i] for i in batch], [triples[i].statement for i in batch])

    epochs: list[StatementEpoch] = []
    best, weights = 0, copy_weights(model)
    for number, loss in run_epochs(model, len(inputs), loss_of, adamw, options, progress):
        epochs.append(StatementEpoch(number, loss, _bleu(_written(generator, dev), dev)))
        progress(f"epoch {number}: BLEU {epochs[-1].bleu:.4f} on held-out questions")
        if max(epochs, key=lambda epoch: epoch.bleu) is epochs[-1]:
            best, weights = number, copy_weights(model)
        elif number - best >= options.patience:
            break
    model.load_state_dict(weights)
    return epochs


def score_writing(generator: StatementGenerator, triples: Sequence[Triple]) -> WritingScores:
    """The quality of the statements that the generator writes of the triples."""
    written = _written(generator, triples)
    same = sum(text == one.statement for text, one in zip(written, triples, strict=True))
    return WritingScores(
        n=len(triples),
        bleu=_bleu(written, triples),
        exact=same / len(triples),
        rouge=_rouge(written, triples) if is_installed("rouge_score") else None,
    )


def _written(generator: StatementGenerator, triples: Sequence[Triple]) -> list[str]:
    return generator.statements([triple.pair for triple in triples])


def _bleu(written: list[str], wanted: Sequence[Triple]) -> float:
    from sacrebleu.metrics.bleu import BLEU

    bleu = BLEU(tokenize="none", smooth_method="none")
    score = bleu.corpus_score(written, [[triple.statement for triple in wanted]]).score
    return min(float(score) / 100, 1.0)  # rounding inside sacrebleu can leave 100.00000000000004


def _rouge(written: Sequence[str], wanted: Sequence[Triple]) -> dict[str, float]:
    """The mean F-measures (0 to 1) of ROUGE-1, 2 and L by rouge-score, without stemming."""
    from rouge_score.rouge_scorer import RougeScorer

    names = ("rouge1", "rouge2", "rougeL")
    scorer = RougeScorer(names)
    scores = [scorer.score(one.statement, text) for one, text in zip(wanted, written, strict=True)]
    return {name: sum(score[name].fmeasure for score in scores) / len(wanted) for name in names}
