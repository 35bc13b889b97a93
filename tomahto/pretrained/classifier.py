"""A transformer with a head for classes, and inputs of unlike length in batches of like length, so
that little is computed for padding."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from tomahto.pretrained.files import ModelError, ModelFilesError
from tomahto.pretrained.runtime import (
    load_tokenizer,
    load_trained,
    require_torch,
    scoring_precision,
)
from tomahto.types import Floats

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


T = TypeVar("T")
R = TypeVar("R")


class Encoded(NamedTuple):
    """An input as a model reads it: token numbers, and for each the segment it belongs to."""

    tokens: tuple[int, ...]
    segments: tuple[int, ...]


def length_batches(lengths: Sequence[int], *, size: int, tokens: int) -> list[list[int]]:
    """The positions of all inputs, longest first, in batches of at most `size`.

    A batch has at most `tokens` tokens with its padding, unless it is a single input.
    """
    batches: list[list[int]] = []
    room = 0
    for position in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        if not batches or len(batches[-1]) >= room:
            batches.append([])
            room = min(size, tokens // max(lengths[position], 1))
        batches[-1].append(position)
    return batches


def in_batches(
    inputs: Sequence[T],
    compute: Callable[[Sequence[T]], Iterable[R]],
    *,
    lengths: Sequence[int],
    size: int,
    tokens: int,
) -> list[R]:
    """The model's values of each input, in their order, for `length_batches` of them at once."""
    found: dict[int, R] = {}
    for batch in length_batches(lengths, size=size, tokens=tokens):
        found.update(zip(batch, compute([inputs[place] for place in batch]), strict=True))
    return [found[place] for place in range(len(inputs))]


def fit_sections(sections: Sequence[Sequence[int]], room: int) -> list[Sequence[int]]:
    """The sections, all cut to one length where together they have more than `room` tokens.

    So a long context gives way before the answers do.
    """
    lengths = [len(section) for section in sections]
    if sum(lengths) <= room:
        return list(sections)
    limit = max(n for n in range(room + 1) if sum(min(n, length) for length in lengths) <= room)
    return [section[:limit] for section in sections]


def pad(rows: Sequence[Sequence[int]], filler: int) -> "torch.Tensor":
    """The rows as one matrix of whole numbers, filled up on the right."""
    import torch

    width = max(len(row) for row in rows)
    return torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows])


def encoded_fields(
    inputs: Sequence[Encoded], *, filler: int, has_segments: bool
) -> "dict[str, torch.Tensor]":
    """One batch as models take it, filled up to its longest input."""
    rows = [encoded.tokens for encoded in inputs]
    fields = {
        "input_ids": pad(rows, filler),
        "attention_mask": pad([[1] * len(row) for row in rows], 0),
    }
    if has_segments:
        fields["token_type_ids"] = pad([encoded.segments for encoded in inputs], 0)
    return fields


MAX_TOKENS = 512  # BERT's limit, and CAP's joint length (App. C.2)
_BATCH_TOKENS = 8192  # bounds a batch's memory; 64 inputs of 128 tokens


class SequenceClassifier:
    """Gives every input a probability for each class of the model.

    `labels` are the classes by index, as the model's configuration (id2label) has them.
    """

    def __init__(
        self,
        model: "PreTrainedModel",
        tokenizer: "PreTrainedTokenizerBase",
        *,
        batch_size: int = 64,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self._batch_size = batch_size
        names = {int(index): name for index, name in (model.config.id2label or {}).items()}
        self.labels = tuple(names[index] for index in sorted(names))
        positions = getattr(model.config, "max_position_embeddings", None) or MAX_TOKENS
        self.max_tokens = min(MAX_TOKENS, positions)
        self._has_segments = getattr(model.config, "type_vocab_size", 0) > 1

    def encode_sections(self, rows: Sequence[Sequence[str]]) -> list[Encoded]:
        """Each row as `[CLS] first [SEP] second [SEP] … [SEP]`; the first is segment 0.

        What looks like a marker within a text is text.
        """
        texts = list(dict.fromkeys(text for row in rows for text in row))
        if not texts:
            return []
        numbers = self.tokenizer(texts, add_special_tokens=False, split_special_tokens=True)
        tokens_of = dict(zip(texts, numbers["input_ids"], strict=True))
        return [self._join([tokens_of[text] for text in row]) for row in rows]

    def encode_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[Encoded]:
        """Each pair the way the model's own tokenizer joins two texts."""
        if not pairs:
            return []
        first, second = zip(*pairs, strict=True)
        encoded = self.tokenizer(
            list(first),
            list(second),
            truncation=True,
            max_length=self.max_tokens,
            split_special_tokens=True,
            return_token_type_ids=True,
        )
        return [
            Encoded(tuple(tokens), tuple(segments))
            for tokens, segments in zip(
                encoded["input_ids"], encoded["token_type_ids"], strict=True
            )
        ]

    def probabilities(self, inputs: Sequence[Encoded]) -> Floats:
        """One line per input, in order, one column per label. Equal inputs are computed once.

        Raises ModelError if the model gives something that is no number.
        """
        import torch

        place_of = {encoded: place for place, encoded in enumerate(dict.fromkeys(inputs))}
        lengths = [len(encoded.tokens) for encoded in place_of]
        device = next(self.model.parameters()).device
        with torch.inference_mode(), scoring_precision(device):
            rows = in_batches(
                list(place_of),
                lambda batch: self.logits(batch).double().softmax(dim=-1).cpu().numpy(),
                lengths=lengths,
                size=self._batch_size,
                tokens=_BATCH_TOKENS,
            )
        result = np.array(rows, dtype=np.float64).reshape(len(place_of), len(self.labels))
        if not np.isfinite(result).all():
            raise ModelError("the model gave a probability that is not a number")
        return result[[place_of[encoded] for encoded in inputs]]

    def logits(self, inputs: Sequence[Encoded]) -> "torch.Tensor":
        """The model's values of one batch, padded to its longest input."""
        device = next(self.model.parameters()).device
        fields = encoded_fields(
            inputs, filler=self.tokenizer.pad_token_id or 0, has_segments=self._has_segments
        )
        output = self.model(**{name: value.to(device) for name, value in fields.items()})
        logits: torch.Tensor = output.logits
        return logits

    def round_to_int8(self) -> None:
        """Linear layers with 8-bit weights, which a processor multiplies faster.

        On CUDA nothing happens: half precision serves there.
        """
        import torch

        if next(self.model.parameters()).device.type != "cpu":
            return
        with warnings.catch_warnings():
            # torch moves quantisation to a package of its own; the pinned version still has it
            warnings.simplefilter("ignore")
            self.model = torch.ao.quantization.quantize_dynamic(
                self.model, {torch.nn.Linear}, dtype=torch.qint8
            )

    def _join(self, sections: Sequence[Sequence[int]]) -> Encoded:
        cls, sep = self.tokenizer.cls_token_id, self.tokenizer.sep_token_id
        if cls is None or sep is None:
            raise ModelFilesError("the model's tokenizer has no [CLS] and [SEP]")
        tokens, segments = [cls], [0]
        for number, section in enumerate(
            fit_sections(sections, self.max_tokens - 1 - len(sections))
        ):
            tokens += [*section, sep]
            segments += [min(number, 1)] * (len(section) + 1)
        return Encoded(tuple(tokens), tuple(segments))


def load_classifier(folder: Path, *, batch_size: int = 64) -> SequenceClassifier:
    """The classifier in the folder, on the best device. Raises ModelError."""
    require_torch()
    from transformers import AutoModelForSequenceClassification

    model = load_trained(AutoModelForSequenceClassification, folder)
    return SequenceClassifier(model, load_tokenizer(folder), batch_size=batch_size)
