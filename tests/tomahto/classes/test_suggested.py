import numpy as np
import pytest

from tomahto.classes.thresholds import NoThresholds, suggested_classes
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("good", "fair", "bad"), (2, 1, 0), "ordinal")


def test_suggested_classes_follow_scores_that_tell_the_labels_apart() -> None:
    labels = ["bad", "fair", "good"] * 40
    scores = np.array([{"bad": 0.1, "fair": 0.5, "good": 0.9}[label] for label in labels])
    groups = [f"document {number % 15}" for number in range(120)]
    assert suggested_classes(scores, labels, groups, SCHEME) == tuple(labels)


def test_suggested_classes_learn_nothing_from_their_own_document() -> None:
    # One document calls good what all others call bad: its own labels must not be found.
    labels = ["bad", "good"] * 50 + ["good", "bad"] * 10
    scores = np.array([0.1, 0.9] * 60)
    groups = [f"document {number % 20}" for number in range(100)] + ["odd"] * 20
    assert suggested_classes(scores, labels, groups, SCHEME)[100:] == ("bad", "good") * 10


def test_suggested_classes_of_scores_that_say_nothing_agree_by_chance_only() -> None:
    generator = np.random.default_rng(2)
    labels = [SCHEME.labels[number] for number in generator.integers(0, 3, 900)]
    groups = [f"document {number % 60}" for number in range(900)]
    found = suggested_classes(generator.random(900), labels, groups, SCHEME)
    right = sum(one == other for one, other in zip(found, labels, strict=True))
    assert right / 900 == pytest.approx(1 / 3, abs=0.05)


@pytest.mark.parametrize(
    ("labels", "groups"),
    [(["good", "bad"], ["one", "one"]), (["good", "good"], ["one", "other"])],
    ids=["one document", "one label"],
)
def test_suggested_classes_say_that_there_is_nothing_to_choose_from(
    labels: list[str], groups: list[str]
) -> None:
    with pytest.raises(NoThresholds, match="too few for thresholds"):
        suggested_classes(np.array([0.2, 0.8]), labels, groups, SCHEME)
