"""Two sources of labels and two metrics, counted by hand."""

import numpy as np
import pytest

from tomahto.classes.label_sources import LabelChanges, compare_orders, label_changes
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("good", "fair", "bad"), (2, 1, 0), "ordinal")
LABELS = {
    "majority": ["good", "fair", "bad", "bad"],
    "expert": ["good", "fair", "fair", "bad"],
}
SCORES = {"m": np.array([0.9, 0.5, 0.5, 0.1]), "reverse": np.array([0.1, 0.5, 0.5, 0.9])}


def test_sources_and_metrics_by_hand() -> None:
    compared = compare_orders(LABELS, SCORES, ["a", "a", "b", "c"], SCHEME, Bootstrap(50, seed=1))
    assert compared.differing_labels("majority", "expert") == Estimate(value=0.25, n=4)
    values = compared.as_json()
    assert {key: values[key] for key in ("n", "questions", "resampled", "sources", "metrics")} == {
        "n": 4,
        "questions": 3,
        "resampled": "questions",
        "sources": ["majority", "expert"],
        "metrics": ["m", "reverse"],
    }
    # majority: good beats 3; fair ties 1, beats 1: 4 of 5. expert: good beats 3, fair 2: 5 of 5.
    accuracies = {
        (one["source"], one["metric"]): (one["pairwise_accuracy"], one["item_pairs"]["n"])
        for one in values["reports"]
    }
    assert accuracies == {
        ("majority", "m"): (0.8, 5),
        ("majority", "reverse"): (0.0, 5),
        ("expert", "m"): (1.0, 5),
        ("expert", "reverse"): (0.0, 5),
    }
    assert values["reports"][0]["intervals"]["pairwise_accuracy"]["value"] == 0.8
    assert values["differing_labels"] == [
        {"sources": ["majority", "expert"], "n": 4, "differ": 1, "share": 0.25}
    ]
    of_sources, of_metrics = values["differences_of_sources"], values["differences_of_metrics"]
    assert [(one["metric"], one["first"], one["second"]) for one in of_sources] == [
        ("m", "majority", "expert"),
        ("reverse", "majority", "expert"),
    ]
    assert of_sources[0]["pairwise_accuracy"]["value"] == pytest.approx(0.2)
    # Means of bad: 0.3 of the majority's two, 0.1 of the expert's one.
    assert of_sources[0]["classes"][2]["class"] == "bad"
    assert of_sources[0]["classes"][2]["value"] == pytest.approx(-0.2)
    assert [(one["source"], one["first"], one["second"]) for one in of_metrics] == [
        ("majority", "m", "reverse"),
        ("expert", "m", "reverse"),
    ]
    assert of_metrics[1]["pairwise_accuracy"]["value"] == -1
    rho = [one["spearman"] for one in values["reports"][:2]]
    assert of_metrics[0]["spearman"]["value"] == pytest.approx(rho[1] - rho[0]) == -2 * rho[0]


def test_a_tie_is_a_label_of_its_own_beside_what_both_sources_label() -> None:
    one, other = ["good", "fair", None, None, "bad"], ["good", "bad", "fair", None, None]
    assert label_changes(one, other) == LabelChanges(
        ties=2,
        other_ties=2,
        settled=Estimate(value=0.5, n=2),
        with_ties=Estimate(value=0.6, n=5),
    )
    assert label_changes([None], ["good"]).settled.reason == "no item has a label of both"


def test_without_questions_items_are_drawn() -> None:
    compared = compare_orders(LABELS, SCORES, None, SCHEME, Bootstrap(50, seed=1))
    assert (compared.as_json()["resampled"], compared.as_json()["questions"]) == ("items", 4)


@pytest.mark.parametrize(
    ("labels", "scores", "message"),
    [
        ({}, SCORES, "there is nothing to compare"),
        (LABELS, {}, "there is nothing to compare"),
        ({"one": []}, {"m": np.array([])}, "there is no item to order"),
        ({"one": ["odd"] * 4}, SCORES, "label 'odd' is not one of good, fair, bad"),
        ({"one": ["good"]}, SCORES, "classes, scores and questions differ in number"),
    ],
)
def test_comparison_refuses_what_it_cannot_compare(
    labels: dict[str, list[str]], scores: dict[str, np.ndarray], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        compare_orders(labels, scores, None, SCHEME, Bootstrap(5, seed=1))
