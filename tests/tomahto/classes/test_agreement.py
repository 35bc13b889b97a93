"""Golden values: scikit-learn, each replicate computed anew; the rest by hand."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, cohen_kappa_score, confusion_matrix

from tomahto.classes.agreement import ClassAgreement
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("good", "fair", "bad"), (2, 1, 0), "ordinal")
RANK = {"good": 2, "fair": 1, "bad": 0}


def test_class_agreement_equals_scikit_learn_in_every_replicate() -> None:
    generator = np.random.default_rng(3)
    labels = [SCHEME.labels[place] for place in generator.integers(0, 3, 60)]
    given = [
        label if generator.random() < 0.6 else SCHEME.labels[generator.integers(0, 3)]
        for label in labels
    ]
    questions = (np.arange(60) % 25).tolist()
    agreement = ClassAgreement.of(
        labels, given, questions, SCHEME, Bootstrap(60, 9, is_widened=False)
    )
    names = list(SCHEME.labels)
    assert agreement.confusion.tolist() == confusion_matrix(labels, given, labels=names).tolist()

    drawn = np.random.default_rng(9).integers(0, 25, size=(60, 25))
    accuracies, kappas, recalls = [], [], []
    for sample in drawn:
        rows = [row for place in sample for row in range(60) if questions[row] == place]
        one, two = [labels[row] for row in rows], [given[row] for row in rows]
        accuracies.append(accuracy_score(one, two))
        kappas.append(
            cohen_kappa_score([RANK[x] for x in one], [RANK[x] for x in two], weights="quadratic")
        )
        right = [second for first, second in zip(one, two, strict=True) if first == "fair"]
        recalls.append(right.count("fair") / len(right))
    for estimate, values in (
        (agreement.accuracy(), accuracies),
        (agreement.quadratic_kappa(), kappas),
        (agreement.recall("fair"), recalls),
    ):
        bounds = tuple(np.quantile(values, [0.025, 0.975]))
        assert (estimate.low, estimate.high) == pytest.approx(bounds, abs=1e-12)
    assert agreement.accuracy().value == accuracy_score(labels, given)
    assert agreement.recall("fair").n == labels.count("fair")


def test_class_agreement_says_why_it_is_undefined() -> None:
    one = ClassAgreement.of(["good"], ["good"], ["q"], SCHEME, Bootstrap(9, seed=1))
    reason = "one question cannot be resampled into an interval"
    assert one.accuracy() == Estimate(value=1.0, n=1, reason=reason, seed=1)
    assert one.quadratic_kappa() == undefined(
        "expected agreement is 1: both used one rank only", n=1, seed=1
    )
    assert one.recall("bad") == undefined("no item is bad", n=0, seed=1)
    with pytest.raises(ValueError, match="there is no item with a class"):
        ClassAgreement.of([], [], [], SCHEME, Bootstrap(9, seed=1))
