"""From a reader's logits to the best spans of a context (Devlin et al. 2019, §4.2 and §4.3)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tomahto.types import Floats, Integers


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
