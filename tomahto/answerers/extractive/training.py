"""Training a reader to mark answers in their contexts (Devlin et al. 2019, §4.2 and §4.3):
questions with their answers, the folds they are split into, and the epochs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from tomahto.answerers.extractive.reader import QuestionTooLongError, SpanReader, Window
from tomahto.answerers.interface import QuestionToAnswer
from tomahto.estimates.bootstrap import numbered
from tomahto.options import OptionError, require_least
from tomahto.pretrained.classifier import Encoded
from tomahto.pretrained.runtime import (
    EpochOptions,
    Progress,
    load_for_training,
    load_tokenizer,
    require_torch,
    run_epochs,
    silent,
    wide_range_precision,
)
from tomahto.text.same_question import question_form

if TYPE_CHECKING:
    import torch


SplitBy = Literal["question", "document"]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question whose answers are known; without references it has none.

    `starts` are the characters where the references begin in the context, one each, None where a
    file does not say. A question without a document is one of its own.
    """

    key: str
    question: str
    context: str
    references: tuple[str, ...]
    starts: tuple[int | None, ...]
    document: str | None = None

    @property
    def to_answer(self) -> QuestionToAnswer:
        """The part of it that its answerer may see."""
        return QuestionToAnswer(self.key, self.question, self.context)

    def place(self) -> tuple[int, int] | None:
        """First character and end of an answer in the context.

        That of the first reference with a place, otherwise the first occurrence of the first
        reference that occurs; None where none does.
        """
        for reference, start in zip(self.references, self.starts, strict=True):
            if start is not None:
                return start, start + len(reference)
        for reference in self.references:
            if (found := self.context.find(reference)) >= 0:
                return found, found + len(reference)
        return None


def assign_folds(
    questions: Sequence[LabelledQuestion], *, folds: int, by: SplitBy, seed: int
) -> list[int]:
    """The fold (from 0) of each question, drawn at random (Bulian et al. 2022, §3.2).

    Questions that belong together share a fold: by question those that are the same
    however spelled, by document those of a document. Folds differ by at most one such group.
    Raises ValueError for fewer than two folds, or fewer groups than folds.
    """
    group = numbered([_group(question, by) for question in questions])
    groups = len(set(group.tolist()))
    if not 2 <= folds <= groups:
        raise ValueError(f"{folds} folds of {groups} {by}s: take 2 or more, but no more")
    fold_of: list[int] = (np.random.default_rng(seed).permutation(groups) % folds)[group].tolist()
    return fold_of


def _group(question: LabelledQuestion, by: SplitBy) -> tuple[str, str]:
    if by == "question":
        return "question", question_form(question.question)
    if question.document is None:
        return "own", question.key
    return "document", question.document


_READ_AT_ONCE = 32


@dataclass(frozen=True, slots=True)
class SpanTrainingOptions(EpochOptions):
    """Epochs, batches of windows and learning rate as in Devlin et al. 2019, §4.2, for SQuAD 1.1.
    Windows are those of ExtractiveOptions."""

    epochs: int = 3
    batch_size: int = 32
    max_length: int = 384
    stride: int = 128

    def __post_init__(self) -> None:
        require_least(self, {"epochs": 1, "batch_size": 1, "max_length": 8, "stride": 0})
        if self.stride >= self.max_length:
            raise OptionError("stride", f"must be less than max_length, {self.max_length}")


class MarkedWindow(NamedTuple):
    """The input, and the positions of the first and last token that are to be marked in it."""

    encoded: Encoded
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class TrainingWindows:
    """The training examples, and the number of questions that give none: those whose references do
    not occur in the context, and those that leave no room for it."""

    windows: tuple[MarkedWindow, ...]
    without_place: int
    too_long: int


def untrained_reader(folder: Path, options: SpanTrainingOptions) -> SpanReader:
    """The base model; the head for spans is drawn where it has none. Raises ModelError."""
    require_torch()
    from transformers import AutoModelForQuestionAnswering

    return SpanReader(
        load_for_training(AutoModelForQuestionAnswering, folder, seed=options.seed),
        load_tokenizer(folder),
        max_length=options.max_length,
        stride=options.stride,
        batch_size=_READ_AT_ONCE,
    )


def training_windows(reader: SpanReader, questions: Sequence[LabelledQuestion]) -> TrainingWindows:
    """All windows of the questions' contexts. One that does not hold the whole answer, or whose
    question has none, is marked at its "no answer"; it is left out if it has no such token."""
    marked: list[MarkedWindow] = []
    without_place = too_long = 0
    for question in questions:
        place = question.place()
        if question.references and place is None:
            without_place += 1
            continue
        try:
            windows = reader.windows(question.question, question.context)
        except QuestionTooLongError:
            too_long += 1
            continue
        found = [_marked(window, place) for window in windows]
        marked.extend(one for one in found if one is not None)
    return TrainingWindows(tuple(marked), without_place, too_long)


def fit_reader(
    reader: SpanReader,
    windows: Sequence[MarkedWindow],
    options: SpanTrainingOptions,
    progress: Progress = silent,
) -> tuple[float, ...]:
    """Trains the reader in place; each epoch's mean loss (nats) over the windows.

    Raises ValueError if there is no window.
    """
    import torch

    if not windows:
        raise ValueError("no question to train on: no answer occurs in its context")
    model = reader.model
    adamw = torch.optim.AdamW(model.parameters(), lr=options.learning_rate)

    def loss_of(batch: Sequence[int]) -> "torch.Tensor":
        return _loss(reader, [windows[place] for place in batch])

    epochs = run_epochs(model, len(windows), loss_of, adamw, options, progress)
    return tuple(loss for _, loss in epochs)


def _marked(window: Window, place: tuple[int, int] | None) -> MarkedWindow | None:
    if place is not None:
        inside = [
            position
            for position, (start, end) in enumerate(window.offsets, start=window.first)
            if start < place[1] and end > place[0]
        ]
        is_whole = (
            bool(inside) and window.offsets[0][0] <= place[0] and window.offsets[-1][1] >= place[1]
        )
        if is_whole:
            return MarkedWindow(window.encoded, inside[0], inside[-1])
    return None if window.null is None else MarkedWindow(window.encoded, window.null, window.null)


def _loss(reader: SpanReader, batch: Sequence[MarkedWindow]) -> "torch.Tensor":
    """The mean cross-entropy of first and last token; padding is no choice."""
    import torch

    lengths = torch.tensor([[len(one.encoded.tokens)] for one in batch])
    device = next(reader.model.parameters()).device
    with wide_range_precision(device):
        logits = reader.logits([one.encoded for one in batch])
    total = torch.zeros((), device=device)
    wanted_of_both = ([one.first for one in batch], [one.last for one in batch])
    for scores, wanted in zip(logits, wanted_of_both, strict=True):
        padding = (torch.arange(scores.shape[1])[None] >= lengths).to(device)
        masked = scores.float().masked_fill(padding, float("-inf"))
        total = total + torch.nn.functional.cross_entropy(
            masked, torch.tensor(wanted, device=device)
        )
    return total / 2
