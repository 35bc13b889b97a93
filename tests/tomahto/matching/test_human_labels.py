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
    fault = "is missing" if value is None else "is none of true, false, 1, 0, correct, incorrect,"
    with pytest.raises(HumanLabelError, match=fault):
        is_right(value)


def first_verdict(*rows: tuple[float, object], **fields: object) -> int | None:
    verdicts = MatcherVerdicts()
    for line, (score, label) in enumerate(rows, start=3):
        verdicts.add(line, {**PAIR, "score": score, "label": label, **fields})
    return verdicts.line


def test_labels_that_are_true_just_from_some_score_on_may_be_a_matchers() -> None:
    assert first_verdict((0.2, False), (0.5, True), (0.4, False)) == 3
    assert first_verdict((0.2, True)) == 3
    assert first_verdict((0.2, "correct"), (0.2, False)) == 4


def test_labels_that_no_threshold_explains_are_peoples() -> None:
    assert first_verdict((0.5, False), (0.5, True)) is None
    assert first_verdict((0.6, False), (0.5, True)) is None


def test_labels_that_score_pairs_never_wrote_are_peoples() -> None:
    assert first_verdict((0.2, "incorrect"), (0.8, "correct")) is None
    assert first_verdict((0.2, 0), (0.8, 1)) is None
    assert first_verdict((0.2, False), (0.8, True), accepted=True) is None
    assert first_verdict((0.2, False), (0.8, True), score="high") is None
    assert first_verdict((0.2, False), (0.8, True), candidate=None) == 3


def test_lines_without_texts_are_peoples() -> None:
    verdicts = MatcherVerdicts()
    verdicts.add(1, {"score": 0.5, "label": True})
    assert verdicts.line is None
