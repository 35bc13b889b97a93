"""The sweep's tables from stored scores with their explanations."""

from dataclasses import replace

import numpy as np
import pytest

from tests.tomahto.lab.classes_of_answers import SCHEME, cap_input, metric
from tests.tomahto.lab.sections import cells_of, number
from tomahto.lab.order.cap_sweep import cap_sweep_section
from tomahto.lab.report import LabInput
from tomahto.matching.cap import CapOptions, CapScore, NliProbabilities, cap_value
from tomahto.ranking.monotonicity import monotonicity
from tomahto.votes.scheme import LabelScheme


@pytest.fixture(scope="module")
def given() -> LabInput:
    return scored_by_cap(cap_input())


def scored_by_cap(given: LabInput) -> LabInput:
    generator = np.random.default_rng(2)

    def probabilities(chance: float) -> NliProbabilities:
        return NliProbabilities(*generator.dirichlet([4 * chance + 0.2, 1, 4.2 - 4 * chance]))

    scores = []
    for item in given.data.items:
        chance = SCHEME.rank_of[item.label] / 7
        ahead, back = probabilities(chance), probabilities(chance)
        score = cap_value(ahead, back, CapOptions())
        scores.append(CapScore(score, "here", "It is here.", "It is there.", ahead, back))
    return replace(given, cap_scores=scores)


def stored(given: LabInput) -> np.ndarray:
    return np.array([one.score for one in given.cap_scores or ()])


def test_the_default_cell_is_the_stored_score(given: LabInput) -> None:
    section = cap_sweep_section(given, alphas=(0.0, 0.85), neutrals=(0.0, 0.3))
    rows = cells_of(section, "cap_sweep")
    assert [(row["alpha"], row["lambda"]) for row in rows] == [
        (0, 0), (0, 0.3), (0.85, 0), (0.85, 0.3),
    ]  # fmt: skip
    labels = [item.label for item in given.data.items]
    report = monotonicity(labels, stored(given), SCHEME)
    assert number(rows[3]["spearman"]) == report.spearman.value
    assert number(rows[3]["pairwise_accuracy"]) == report.outcomes.accuracy.value
    assert "default" in str(rows[3]["remark"])
    best = max(rows, key=lambda row: number(row["spearman"]))
    assert [row for row in rows if "best" in str(row["remark"])] == [best]
    by_alpha = cells_of(section, "cap_sweep_by_alpha")
    assert number(by_alpha[1]["lambda_0.3"]) == report.spearman.value
    [chart] = section.charts
    assert set(chart.series) == {"lambda_0", "lambda_0.3"}
    ablation = cells_of(section, "cap_ablation")
    assert number(ablation[-1]["difference"]) == 0
    assert number(ablation[-1]["spearman"]) == report.spearman.value
    in_sample, held_out = cells_of(section, "cap_choice")
    assert number(in_sample["best"]) == number(best["spearman"])
    assert (in_sample["n"], held_out["n"]) == (48, 48)
    assert "cross-validation over questions, 5 folds" in section.tables[2].notes[1]


def test_weights_are_swept_on_the_split_and_judged_elsewhere() -> None:
    given = scored_by_cap(cap_input(tune_on="dev"))
    section = cap_sweep_section(given, alphas=(0.0, 1.0), neutrals=(0.3,))
    in_sample, held_out = cells_of(section, "cap_choice")
    assert (in_sample["n"], held_out["n"]) == (24, 24)
    labels = [item.label for item in given.data.items]
    report = monotonicity(labels[24:], stored(given)[24:], SCHEME)
    assert number(held_out["default"]) == pytest.approx(report.spearman.value)
    assert "on the split dev and judged on the others" in section.tables[2].notes[1]


def test_the_sweep_says_why_there_is_none(given: LabInput) -> None:
    assert cap_sweep_section(replace(given, cap_scores=None)).reason == (
        "cap has not scored the items, or its scores have no explanations"
    )
    assert cap_sweep_section(replace(given, tune_on="train")).reason == (
        "the split train has no item, or all of them"
    )
    two = replace(given.data, protocol="ae", scheme=LabelScheme(("yes", "no"), (1, 0)))
    assert cap_sweep_section(replace(given, data=two)).reason == (
        "the labels of the protocol ae are no order of three or more ranks"
    )
    with pytest.raises(ValueError, match="47 explained scores of 48 items"):
        cap_sweep_section(replace(given, cap_scores=(given.cap_scores or ())[1:]))


def test_the_sweep_needs_no_metric(given: LabInput) -> None:
    only = replace(given, scores=(metric("m", np.zeros(48)),))
    one = cap_sweep_section(only, alphas=(0.85,), neutrals=(0.3,))
    none = cap_sweep_section(replace(given, scores=()), alphas=(0.85,), neutrals=(0.3,))
    assert one == none
