"""Labels of answers: every spelling, and those that a matcher may have given."""

from typing import Any

import pytest

from tasks.protocols import protocols
from tomahto.matching.human_labels import VERDICTS, HumanLabelError, MatcherVerdicts, is_right

PAIR: dict[str, Any] = {"question": "Who?", "reference": "Ada", "candidate": "Ada L."}


def test_words_are_those_of_the_protocols_and_mean_the_same() -> None:
    found = {
        label: label in protocol.accepted_labels
        for protocol in protocols().values()
        if protocol.accepted_labels
        for label in protocol.scheme.labels
    }
    assert found == VERDICTS


RIGHT = [True, 1, 1.0, "correct", "equivalent", "overinclusive-valid"]
WRONG = [False, 0, 0.0, "incorrect", "not-equivalent", "partial"]


def test_labels_are_right_or_wrong_in_every_spelling() -> None:
    assert [is_right(value) for value in [*RIGHT, *WRONG]] == [True] * 6 + [False] * 6


@pytest.mark.parametrize("value", ["yes", "Correct", "syntactic", "", 2, 0.5, [1], None])
def test_what_is_no_label_is_refused(value: object) -> None:
    fault = (
        "is missing" if value is None else ("is not one of true, false, 1, 0, correct, incorrect,")
    )
    with pytest.raises(HumanLabelError, match=fault):
        is_right(value)


@pytest.mark.parametrize(
    ("rows", "fields", "line"),
    [
        # true just from some score on: they may be a matcher's
        ([(0.2, False), (0.5, True), (0.4, False)], {}, 3),
        ([(0.2, True)], {}, 3),
        ([(0.2, "correct"), (0.2, False)], {}, 4),
        ([(0.2, False), (0.8, True)], {"candidate": None}, 3),
        # no threshold explains them
        ([(0.5, False), (0.5, True)], {}, None),
        ([(0.6, False), (0.5, True)], {}, None),
        # score_pairs never wrote such
        ([(0.2, "incorrect"), (0.8, "correct")], {}, None),
        ([(0.2, 0), (0.8, 1)], {}, None),
        ([(0.2, False), (0.8, True)], {"accepted": True}, None),
        ([(0.2, False), (0.8, True)], {"score": "high"}, None),
    ],
)
def test_labels_are_a_matchers_where_score_pairs_may_have_written_them(
    rows: list[tuple[float, object]], fields: dict[str, object], line: int | None
) -> None:
    verdicts = MatcherVerdicts()
    for number, (score, label) in enumerate(rows, start=3):
        verdicts.add(number, {**PAIR, "score": score, "label": label, **fields})
    assert verdicts.line == line


def test_lines_without_texts_are_peoples() -> None:
    verdicts = MatcherVerdicts()
    verdicts.add(1, {"score": 0.5, "label": True})
    assert verdicts.line is None
