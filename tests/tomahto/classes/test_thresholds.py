import math
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from tomahto.classes.thresholds import ClassThresholds, calibrate_classes
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("right", "partial", "wrong"), (4, 2, 0), "ordinal")


def test_thresholds_by_hand() -> None:
    scores = [0.125, 0.25, 0.5, 0.625, 0.75, 0.875]
    labels = ["wrong", "wrong", "partial", "wrong", "right", "right"]
    # 5 of 6 in three ways: 0.625 is partial or 0.5 is wrong, both two ranks off, or 0.625 is right,
    # four ranks off; of the first two the one with the lower beginning of partial
    assert calibrate_classes(scores, labels, SCHEME) == ClassThresholds(
        starts=(("wrong", 0.0), ("partial", 0.375), ("right", 0.6875)),
        objective="accuracy",
        value=5 / 6,
        n=6,
    )


def test_a_class_that_would_only_cost_is_never_given() -> None:
    found = calibrate_classes([0.2, 0.3, 0.7], ["wrong", "wrong", "right"], SCHEME)
    assert found.starts == (("wrong", 0.0), ("right", 0.5))


def test_equal_scores_get_one_class() -> None:
    found = calibrate_classes([0.5] * 3, ["partial", "partial", "right"], SCHEME)
    assert (found.starts, found.value) == ((("partial", 0.0),), 2 / 3)


def test_a_score_belongs_to_the_highest_class_that_begins_at_or_below_it() -> None:
    thresholds = ClassThresholds((("wrong", 0.0), ("right", 0.5)), "accuracy", 1.0, 2)
    assert [thresholds.class_of(score) for score in (0.0, 0.49, 0.5, 1.0)] == [
        "wrong",
        "wrong",
        "right",
        "right",
    ]


def test_thresholds_survive_json() -> None:
    found = calibrate_classes([0.25, 0.75], ["wrong", "right"], SCHEME, "quadratic-kappa")
    assert found.as_json() == {
        "objective": "quadratic-kappa",
        "value": 1.0,
        "n": 2,
        "classes": [{"class": "wrong", "from": 0.0}, {"class": "right", "from": 0.5}],
    }
    assert ClassThresholds.from_json(found.as_json()) == found


examples = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), st.sampled_from(SCHEME.labels)),
    min_size=1,
    max_size=12,
)


def every_assignment(scores: list[float]) -> list[dict[float, str]]:
    """All ways to give distinct scores classes that do not fall as scores rise."""
    distinct = sorted(set(scores))
    worst_first = SCHEME.labels[::-1]
    return [
        dict(zip(distinct, labels, strict=True))
        for labels in combinations_with_replacement(worst_first, len(distinct))
    ]


@given(examples)
def test_no_thresholds_are_more_accurate(rows: list[tuple[float, str]]) -> None:
    scores, labels = [score for score, _ in rows], [label for _, label in rows]
    found = calibrate_classes(scores, labels, SCHEME)
    hits = max(
        sum(given[score] == label for score, label in rows) for given in every_assignment(scores)
    )
    assert found.value == pytest.approx(hits / len(rows))
    assert sum(found.class_of(score) == label for score, label in rows) == hits


@settings(max_examples=20)
@given(examples.filter(lambda rows: len({label for _, label in rows}) > 1))
def test_no_thresholds_have_a_higher_kappa(rows: list[tuple[float, str]]) -> None:
    scores, labels = [score for score, _ in rows], [label for _, label in rows]

    def kappa(given: list[str]) -> float:
        return float(cohen_kappa_score(labels, given, labels=SCHEME.labels, weights="quadratic"))

    found = calibrate_classes(scores, labels, SCHEME, "quadratic-kappa")
    best = max(kappa([given[score] for score in scores]) for given in every_assignment(scores))
    assert found.value == pytest.approx(best)
    assert kappa([found.class_of(score) for score in scores]) == pytest.approx(best)


@pytest.mark.parametrize(
    ("scores", "labels", "error"),
    [
        ([], [], "at least one example"),
        ([0.1], ["good"], "'good' is not one of right, partial, wrong"),
        ([0.1, 0.2], ["right", "right"], "kappa is undefined: all labels have one rank"),
    ],
)
def test_what_cannot_be_calibrated_is_refused(
    scores: list[float], labels: list[str], error: str
) -> None:
    with pytest.raises(ValueError, match=error):
        calibrate_classes(scores, labels, SCHEME, "quadratic-kappa")


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ([], "lacks some of the fields"),
        ({"classes": [{}], "objective": "accuracy", "value": 1, "n": 1}, "classes: {} is not"),
        ({"classes": [], "objective": "f1", "value": 1, "n": 1}, "objective: is not one of"),
        ({"classes": [], "objective": "accuracy", "value": 1, "n": 1}, "starts: no class"),
        (
            {
                "classes": [{"class": "a", "from": 0.5}, {"class": "b", "from": 0.5}],
                "objective": "accuracy",
                "value": 1,
                "n": 1,
            },
            "do not ascend",
        ),
    ],
)
def test_json_that_is_no_thresholds_is_refused(values: object, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        ClassThresholds.from_json(values)


def test_neighbouring_scores_are_told_apart() -> None:
    low, high = 0.5, math.nextafter(0.5, 1)
    found = calibrate_classes([low, high], ["wrong", "right"], SCHEME)
    assert [found.class_of(score) for score in (low, high)] == ["wrong", "right"]
