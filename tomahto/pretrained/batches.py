"""Inputs of unlike length in batches of like length, so that little is computed for padding."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    import torch


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
    """What is computed of each input, in their order, for `length_batches` of them at once."""
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
