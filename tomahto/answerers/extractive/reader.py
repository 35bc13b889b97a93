"""A transformer that marks where in a context an answer begins and ends, what it reads, and the
best spans of a context by its logits (Devlin et al. 2019, §4.2 and §4.3)."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tomahto.pretrained.classifier import Encoded, encoded_fields, in_batches
from tomahto.pretrained.files import ModelError, ModelFilesError
from tomahto.pretrained.runtime import (
    load_tokenizer,
    load_trained,
    require_torch,
    scoring_precision,
)
from tomahto.types import Floats, Integers

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class WindowLogits(NamedTuple):
    """A reader's output for one window: for each token of the context the logits of being the
    answer's first and last, and `offsets`, the token's characters in the whole context.

    `null` is the score of there being no answer in the window, None if the reader has none.
    """

    start: Floats  # shape (tokens,)
    end: Floats  # shape (tokens,)
    offsets: Integers  # shape (tokens, 2)
    null: float | None


class ScoredSpan(NamedTuple):
    """`context[start:end]`, without space around it, and the sum of its two logits."""

    start: int
    end: int
    score: float


def best_spans(
    context: str, windows: Sequence[WindowLogits], *, longest: int, count: int
) -> list[ScoredSpan]:
    """The spans with the highest scores over all windows, best first, `count` at most.

    A span has 1 to `longest` tokens, all in one window. Of spans with the same text the best
    counts; of equal scores the earlier span, then the shorter, comes first.
    """
    starts, ends, scores = _all_spans(windows, longest)
    best: dict[str, ScoredSpan] = {}
    for place in np.lexsort((ends, starts, -scores)):
        start, end = _trimmed(context, int(starts[place]), int(ends[place]))
        if start < end and context[start:end] not in best:
            best[context[start:end]] = ScoredSpan(start, end, float(scores[place]))
            if len(best) == count:
                break
    return list(best.values())


def null_score(windows: Sequence[WindowLogits]) -> float | None:
    """The lowest score of "no answer" over the windows: each must see none.

    None if there is no window or the reader has no such score.
    """
    scores = [window.null for window in windows if window.null is not None]
    return min(scores, default=None)


def _all_spans(windows: Sequence[WindowLogits], longest: int) -> tuple[Integers, Integers, Floats]:
    """First character, end and score of every possible span, token by token longer."""
    parts = [
        (
            window.offsets[: n - more, 0],
            window.offsets[more:, 1],
            window.start[: n - more] + window.end[more:],
        )
        for window in windows
        for n in [len(window.start)]
        for more in range(min(longest, n))
    ]
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    starts, ends, scores = zip(*parts, strict=True)
    return np.concatenate(starts), np.concatenate(ends), np.concatenate(scores)


def _trimmed(context: str, start: int, end: int) -> tuple[int, int]:
    """Some tokenizers count the space before a word as part of it."""
    text = context[start:end]
    start += len(text) - len(text.lstrip())
    return start, start + len(text.strip())


_BATCH_TOKENS = 8192  # bounds a batch's memory; 21 windows of 384 tokens


class QuestionTooLongError(ValueError):
    """A question that leaves no room for its context; the message gives the numbers."""


class Window(NamedTuple):
    """A question with a part of its context, as a model reads them.

    The context's tokens begin at position `first`; `offsets` are their characters in the whole
    context. `null` is the position of the token that stands for "no answer", if there is one.
    """

    encoded: Encoded
    first: int
    offsets: tuple[tuple[int, int], ...]
    null: int | None


class SpanReader:
    """Reads contexts in windows of at most `max_length` tokens, of which neighbours share `stride`.

    `max_length` is less where the model reads less. Raises ModelFilesError for a tokenizer that
    does not say where its tokens stand in the text.
    """

    def __init__(
        self,
        model: "PreTrainedModel",
        tokenizer: "PreTrainedTokenizerBase",
        *,
        max_length: int,
        stride: int,
        batch_size: int,
    ) -> None:
        if not tokenizer.is_fast:
            raise ModelFilesError("the model's tokenizer does not give the positions of its tokens")
        self.model = model
        self.tokenizer = tokenizer
        positions = getattr(model.config, "max_position_embeddings", None) or max_length
        self.max_length = int(min(max_length, positions, tokenizer.model_max_length))
        self.stride = stride
        self._batch_size = batch_size
        self._has_segments = (getattr(model.config, "type_vocab_size", None) or 0) > 1

    def windows(self, question: str, context: str, *, room: int = 1) -> list[Window]:
        """The context's windows in order; what looks like a marker within a text is text.

        Raises QuestionTooLongError if less than `room` tokens are left for the context.
        """
        tokens = self.tokenizer(question, add_special_tokens=False, split_special_tokens=True)
        markers = self.tokenizer.num_special_tokens_to_add(pair=True)
        left = self.max_length - markers - len(tokens["input_ids"])
        if left < room:
            raise QuestionTooLongError(
                f"the question leaves {max(left, 0)} of {self.max_length} tokens for its context, "
                f"which needs {room}"
            )
        encoded = self.tokenizer(
            question,
            context,
            truncation="only_second",
            max_length=self.max_length,
            stride=min(self.stride, left // 2),  # a window must bring something new
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            return_token_type_ids=True,
            split_special_tokens=True,
        )
        return [self._window(encoded, place) for place in range(len(encoded["input_ids"]))]

    def read(self, windows: Sequence[Window]) -> list[WindowLogits]:
        """The logits of each window, in order. Raises ModelError if one is no number."""
        import torch

        lengths = [len(window.encoded.tokens) for window in windows]
        with torch.inference_mode(), scoring_precision(self._device):
            return in_batches(
                windows, self._read, lengths=lengths, size=self._batch_size, tokens=_BATCH_TOKENS
            )

    def _read(self, windows: Sequence[Window]) -> list[WindowLogits]:
        start, end = self.logits([window.encoded for window in windows])
        rows = np.stack((start.double().cpu().numpy(), end.double().cpu().numpy()), axis=1)
        return [_logits_of(window, *both) for window, both in zip(windows, rows, strict=True)]

    def logits(self, inputs: Sequence[Encoded]) -> "tuple[torch.Tensor, torch.Tensor]":
        """For each token of one padded batch: of being an answer's first, and its last."""
        fields = encoded_fields(
            inputs,
            filler=self.tokenizer.pad_token_id or 0,
            has_segments=self._has_segments,
        )
        output = self.model(**{name: value.to(self._device) for name, value in fields.items()})
        return output.start_logits, output.end_logits

    @property
    def _device(self) -> "torch.device":
        device: torch.device = next(self.model.parameters()).device
        return device

    def _window(self, encoded: Any, place: int) -> Window:
        """The window at that place of what the tokenizer gives."""
        tokens = encoded["input_ids"][place]
        inside = [n for n, part in enumerate(encoded.sequence_ids(place)) if part == 1]
        first = inside[0] if inside else len(tokens)
        offsets = encoded["offset_mapping"][place][first : first + len(inside)]
        marker = self.tokenizer.cls_token_id
        return Window(
            Encoded(tuple(tokens), tuple(encoded["token_type_ids"][place])),
            first,
            tuple((start, end) for start, end in offsets),
            tokens.index(marker) if marker in tokens else None,
        )


def load_span_reader(folder: Path, *, max_length: int, stride: int, batch_size: int) -> SpanReader:
    """The reader in the folder, on the best device. Raises ModelError."""
    require_torch()
    from transformers import AutoModelForQuestionAnswering

    model = load_trained(AutoModelForQuestionAnswering, folder)
    return SpanReader(
        model, load_tokenizer(folder), max_length=max_length, stride=stride, batch_size=batch_size
    )


def _logits_of(window: Window, starts: Any, ends: Any) -> WindowLogits:
    context = slice(window.first, window.first + len(window.offsets))
    null = None if window.null is None else float(starts[window.null] + ends[window.null])
    found = WindowLogits(
        starts[context], ends[context], np.array(window.offsets, np.int64).reshape(-1, 2), null
    )
    if not np.isfinite([*found.start, *found.end, null or 0.0]).all():
        raise ModelError("the model gave a logit that is not a number")
    return found
