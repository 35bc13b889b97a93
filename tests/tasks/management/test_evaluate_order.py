"""`manage.py evaluate monotonicity` and `cap_sweep` with what they compare and draw."""

import json
from typing import Any

import numpy as np
import pytest

from tests.tasks.management.conftest import Evaluate
from tests.tomahto.interchange.files import Write
from tomahto.classes.cap_sweep import DEFAULT
from tomahto.matching.cap import CapOptions, NliProbabilities, cap_value

PLAIN = [
    {"class": "exact", "score": 0.9, "question": "a"},
    {"class": "partial", "score": 0.4, "question": "a"},
    {"class": "invalid", "score": 0.4, "question": "b"},
    {"class": "contradictory", "score": 0.1, "question": "c"},
]
COMPARED: list[dict[str, Any]] = [
    {
        "classes": {"majority": majority, "expert": expert},
        "scores": {"cap": score, "flipped": 1 - score},
    }
    for majority, expert, score in (
        ("exact", "exact", 0.9),
        ("partial", "equivalent", 0.8),
        ("invalid", "invalid", 0.2),
        ("contradictory", "contradictory", 0.1),
    )
]


def _explained(label: str, ahead: tuple[float, float], back: tuple[float, float]) -> dict[str, Any]:
    """A line as `score_pairs --explain` writes it."""

    def probabilities(entailment: float, neutral: float) -> dict[str, float]:
        return {
            "entailment": entailment,
            "neutral": neutral,
            "contradiction": 1 - entailment - neutral,
        }

    forward, backward = probabilities(*ahead), probabilities(*back)
    score = cap_value(NliProbabilities(**forward), NliProbabilities(**backward), CapOptions())
    return {
        "question": "Where?",
        "class": label,
        "score": score,
        "label": score >= 0.5,
        "explanation": {
            "score": score,
            "reference": "r",
            "reference_statement": "R.",
            "candidate_statement": "C.",
            "forward": forward,
            "backward": backward,
        },
    }


@pytest.fixture
def explained() -> list[dict[str, Any]]:
    """30 answers to 15 questions."""
    generator = np.random.default_rng(1)
    lines = []
    for place in range(30):
        label, chance = (("exact", 0.8), ("partial", 0.5), ("invalid", 0.2))[place % 3]
        drawn = generator.dirichlet([6 * chance, 1, 6 - 6 * chance], size=2)[:, :2]
        ahead, back = map(tuple, drawn.tolist())
        lines.append({**_explained(label, ahead, back), "question": f"q{place // 2}"})
    return lines


def test_monotonicity_of_plain_lines_has_intervals_only_on_request(
    evaluate: Evaluate, write: Write
) -> None:
    path = write("m.jsonl", PLAIN)
    plain = evaluate.json("monotonicity", path)
    assert "intervals" not in plain
    # Of six pairs partial and invalid tie.
    assert (plain["n"], plain["pairwise_accuracy"]) == (4, 5 / 6)
    violations = plain["violations"]
    assert [violations[name] for name in ("count", "judged", "counted")] == [1, 6, 27]
    assert plain["violations_without_ambiguous"]["counted"] == 26
    assert [pair["higher"] for pair in plain["hard_pairs"]] == [
        *("equivalent", "alternative-correct", "overinclusive-valid", "overinclusive-valid")
    ]
    lines = evaluate("monotonicity", path).splitlines()
    assert lines[4] == "violations: 1 of 6 (27 counted) partial > invalid"
    more = evaluate.json("monotonicity", path, "--replicates", "40", "--sample-pairs", "3")
    assert {key: more[key] for key in plain} == plain
    intervals = more["intervals"]
    assert (intervals["resampled"], intervals["questions"]) == ("questions", 3)
    assert intervals["spearman"]["value"] == plain["spearman"]
    assert intervals["spearman"]["replicates"] == 40
    # partial and invalid tie, in every replicate that has both.
    pair = next(
        one for one in intervals["pairs"] if (one["higher"], one["lower"]) == ("partial", "invalid")
    )
    assert pair["violation_probability"]["value"] == 1
    sampled = more["sampled_pairs"]
    assert (sampled["n"], sampled["available"], sampled["seed"]) == (3, 6, 0)
    lines = evaluate("monotonicity", path, "--replicates", "40", "--sample-pairs", "3").splitlines()
    assert lines[-1].startswith("pairwise accuracy of 3 of 6 pairs (seed 0): ")
    assert "partial > invalid: violated in 1.0 of the replicates" in lines


def test_monotonicity_compares_sources_and_metrics(evaluate: Evaluate, write: Write) -> None:
    path = write("m.jsonl", COMPARED)
    values = evaluate.json("monotonicity", path, "--replicates", "30", "--sample-pairs", "2")
    assert (values["sources"], values["metrics"]) == (["majority", "expert"], ["cap", "flipped"])
    assert values["resampled"] == "items"
    reports = {(one["source"], one["metric"]): one for one in values["reports"]}
    accuracies = {key: one["pairwise_accuracy"] for key, one in reports.items()}
    assert accuracies == {
        ("majority", "cap"): 1.0,
        ("majority", "flipped"): 0.0,
        ("expert", "cap"): 1.0,
        ("expert", "flipped"): 0.0,
    }
    assert reports["majority", "cap"]["sampled_pairs"]["n"] == 2
    assert values["differing_labels"] == [
        {"sources": ["majority", "expert"], "n": 4, "differ": 1, "share": 0.25}
    ]
    assert values["differences_of_metrics"][0]["spearman"]["value"] == pytest.approx(-2)
    plain = write("p.jsonl", [
        {"class": line["classes"]["expert"], "score": line["scores"]["cap"]} for line in COMPARED
    ])  # fmt: skip
    alone = evaluate.json("monotonicity", plain)
    assert {key: reports["expert", "cap"][key] for key in alone} == alone
    lines = evaluate("monotonicity", path, "--replicates", "30").splitlines()
    assert lines[:3] == [
        "4 items of 4 resampled items",
        "labels that differ between majority and expert: 1 of 4",
        "cap by majority:",
    ]
    assert "expert less majority, cap:" in lines
    assert "flipped less cap, majority:" in lines


@pytest.mark.parametrize(
    ("line", "field", "message"),
    [
        ({"classes": {"a": "exact"}, "score": 1}, "classes", "must name what line 1 names: a, b"),
        ({"classes": {"a": "exact", "b": "odd"}, "score": 1}, "classes.b", "'odd' is not one of "),
        ({"classes": {"a": "exact", "b": "exact"}, "score": 1, "question": "q"}, "question",
         "must be on all lines or on none; compare line 1"),
    ],
)  # fmt: skip
def test_monotonicity_refuses_lines_that_differ(
    evaluate: Evaluate, write: Write, line: dict[str, Any], field: str, message: str
) -> None:
    first = {"classes": {"a": "exact", "b": "partial"}, "score": 0.5}
    path = write("m.jsonl", [first, line])
    error = evaluate.error("monotonicity", path)
    assert error.startswith(f"CommandError: {path}, line 2, field {field}: {message}")


def test_cap_sweep_of_stored_explanations(
    evaluate: Evaluate, write: Write, explained: list[dict[str, Any]]
) -> None:
    path = write("c.jsonl", explained)
    arguments = ("--alphas", "0,0.85", "--lambdas", "0,0.3", "--replicates", "20", "--seed", "3")
    values = evaluate.json("cap_sweep", path, *arguments)
    assert (values["n"], values["questions"], values["resampled"]) == (30, 15, "questions")
    grid = [(cell["alpha"], cell["lambda"]) for cell in values["grid"]]
    assert grid == [(0, 0), (0, 0.3), (0.85, 0), (0.85, 0.3)]
    plain = write("p.jsonl", [
        {"class": line["class"], "score": line["score"]} for line in explained
    ])  # fmt: skip
    report = evaluate.json("monotonicity", plain)
    default = values["default"]
    assert (default["alpha"], default["lambda"]) == DEFAULT
    for name in ("spearman", "kendall_tau_b", "pairwise_accuracy"):
        assert default[name]["value"] == report[name]
    assert default["violations"] == report["violations"]["count"]
    best = max(values["grid"], key=lambda cell: cell["spearman"]["value"])
    assert {key: values["best"][key] for key in best} == best
    gain = values["best_less_default"]
    assert gain["value"] == best["spearman"]["value"] - default["spearman"]["value"]
    assert 0 <= gain["share_of_replicates_better"] <= 1
    judged = values["cross_validated"]
    assert judged["folds"] == len(judged["chosen"]) == 5
    assert judged["difference"]["value"] == pytest.approx(
        judged["value"]["value"] - judged["default"]["value"]
    )
    assert len(values["ablation"]) == 7
    assert values["ablation"][-1]["spearman_less_full"]["value"] == 0
    lines = evaluate("cap_sweep", path, *arguments).splitlines()
    assert lines[0] == "30 items of 15 resampled questions"
    assert lines[1].startswith("alpha 0, lambda 0: spearman ")
    assert lines[-1].startswith("full CAP: spearman ")


@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ({"class": None}, "class", "is missing"),
        ({"explanation": None}, "explanation", "is missing"),
        ({"explanation": {"forward": {}}}, "explanation.forward", "is empty"),
        (
            {"explanation": {"forward": {"entailment": 0.5, "neutral": 0.1, "contradiction": 0.1}}},
            "explanation.forward.entailment",
            "the three probabilities sum to 0.7, not to 1",
        ),
        (
            {"explanation": {"forward": {"entailment": 2, "neutral": 0, "contradiction": 0}}},
            "explanation.forward.entailment",
            "must be between 0 and 1",
        ),
    ],
)
def test_cap_sweep_names_the_field_that_is_wrong(
    evaluate: Evaluate, write: Write, change: dict[str, Any], field: str, message: str
) -> None:
    line = {**_explained("exact", (0.9, 0.1), (0.8, 0.1)), **change}
    path = write("c.jsonl", [json.loads(json.dumps(line))])
    error = evaluate.error("cap_sweep", path)
    assert error == f"CommandError: {path}, line 1, field {field}: {message}\n"


def test_cap_sweep_refuses_weights_beyond_1(evaluate: Evaluate, write: Write) -> None:
    path = write("c.jsonl", [_explained("exact", (0.9, 0.1), (0.8, 0.1))])
    assert "1.2" in evaluate.error("cap_sweep", path, "--alphas", "1.2", code=2)
