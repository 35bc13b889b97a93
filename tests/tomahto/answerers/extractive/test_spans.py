from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tomahto.answerers.extractive.reader import ScoredSpan, WindowLogits, best_spans, null_score

CONTEXT = "a bb  a ccc"
OFFSETS = [(0, 1), (2, 4), (6, 7), (8, 11)]


def window(
    start: Sequence[float],
    end: Sequence[float],
    offsets: Sequence[tuple[int, int]] = OFFSETS,
    null: float | None = None,
) -> WindowLogits:
    return WindowLogits(
        np.array(start, float), np.array(end, float), np.array(offsets, int).reshape(-1, 2), null
    )


def test_spans_are_ranked_by_the_sum_of_their_first_and_last_token() -> None:
    # starts 0 5 1 0, ends 0 1 4 3: bb…a = 9, bb…ccc = 8, bb = 6, a = 5; of the last, with the
    # same text at 0 (0 + 0) and 6 (1 + 4), the better counts.
    found = best_spans(CONTEXT, [window([0, 5, 1, 0], [0, 1, 4, 3])], longest=3, count=4)
    assert found == [
        ScoredSpan(2, 7, 9.0),
        ScoredSpan(2, 11, 8.0),
        ScoredSpan(2, 4, 6.0),
        ScoredSpan(6, 7, 5.0),
    ]


def test_space_that_a_tokenizer_counts_as_part_of_a_word_is_left_out() -> None:
    offsets = [(0, 1), (1, 4), (4, 6)]  # "a", " bb", "  "
    found = best_spans(CONTEXT, [window([0, 2, 9], [0, 2, 9], offsets)], longest=1, count=9)
    assert found == [ScoredSpan(2, 4, 4.0), ScoredSpan(0, 1, 0.0)]


def test_there_is_no_span_without_a_token() -> None:
    assert best_spans("", [], longest=3, count=3) == []
    assert best_spans("", [window([], [], [])], longest=3, count=3) == []


def test_no_answer_scores_as_in_the_window_that_least_believes_in_it() -> None:
    windows = [window([], [], [], null) for null in (3.0, -1.0, 2.0)]
    assert null_score(windows) == -1.0
    assert null_score([window([], [], [])]) is None


@st.composite
def readings(draw: st.DrawFn) -> tuple[str, list[WindowLogits]]:
    """A text of words, and windows over runs of them that share some."""
    words = draw(st.lists(st.sampled_from(["a", "bb", "é", "日本", "😀"]), min_size=1, max_size=8))
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    offsets = [(int(end) - len(word), int(end)) for word, end in zip(words, ends, strict=True)]
    logit = st.integers(-4, 4).map(float)
    windows = []
    for first in range(0, len(words), draw(st.integers(1, 3))):
        part = offsets[first : first + 4]
        logits = st.lists(logit, min_size=len(part), max_size=len(part))
        windows.append(window(draw(logits), draw(logits), part))
    return " ".join(words), windows


@given(readings(), st.integers(1, 4), st.integers(1, 12))
def test_spans_are_those_of_trying_all(
    reading: tuple[str, list[WindowLogits]], longest: int, count: int
) -> None:
    context, windows = reading
    tried = [
        (-(one.start[i] + one.end[j]), int(one.offsets[i, 0]), int(one.offsets[j, 1]))
        for one in windows
        for i in range(len(one.start))
        for j in range(len(one.start))
        if i <= j < i + longest
    ]
    wanted: dict[str, ScoredSpan] = {}
    for negative, start, end in sorted(tried):
        wanted.setdefault(context[start:end], ScoredSpan(start, end, -negative))
    assert (
        best_spans(context, windows, longest=longest, count=count)
        == (list(wanted.values())[:count])
    )
