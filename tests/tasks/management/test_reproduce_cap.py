"""The weights of CAP's formula, Tab. 11 and 13: filled where the inferences are known."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.tasks.management.conftest import Evaluate, run_command
from tests.tasks.management.reproduction import FEW, figures, ours, why
from tests.tomahto.interchange.files import Write
from tomahto.lab.reproduce.cap.answers import CapAnswer
from tomahto.lab.reproduce.cap.figures import explained
from tomahto.matching.cap import CapScore, NliProbabilities
from tomahto.matching.interface import Pair

CLASSES = {
    "exact": 0.9,
    "equivalent": 0.8,
    "alternative-correct": 0.8,
    "overinclusive-valid": 0.7,
    "partial": 0.6,
    "overinclusive-invalid": 0.5,
    "invalid": 0.4,
    "contradictory": 0.3,
}
"""P(entailment) from the reference to an answer of each class: in the order of the ranks."""
NEEDED = (
    'needs the "explanation" of {} of 8 lines (score_pairs --matcher cap --explain;'
    " of a release as scores=FILE), or --matcher cap"
)


def line(label: str, forward: float) -> dict[str, Any]:
    """Back, entailment is half of what is missing ahead: it falls as the ranks rise."""
    backward = (1 - forward) / 2
    return {
        "question": f"Which is {label}?",
        "gold_answer": "Jupiter",
        "candidate_answer": label,
        "correctness_label": label,
        "explanation": {
            "score": 0.85 * forward + 0.15 * backward,
            "forward": {"entailment": forward, "neutral": 0.0, "contradiction": 1 - forward},
            "backward": {"entailment": backward, "neutral": 0.0, "contradiction": 1 - backward},
        },
    }


def test_weights_are_swept_over_the_inferences_of_the_lines(
    evaluate: Evaluate, write: Write
) -> None:
    # With f ahead and (1 - f) / 2 back the score is (1 - α) / 2 + (1.5 α - 0.5) f: it falls with f
    # below α = 1/3 and rises above it. Neutral is never inferred.
    path = write("cap.jsonl", [line(*one) for one in CLASSES.items()])
    found = figures(evaluate.json("reproduce", "cap", path, *FEW))
    sweep = {
        row: [ours(found, "Tab. 11", row, column) for column in columns]
        for row in ("α 0.3, λ 0.0", "α 0.5, λ 0.3", "α 1, λ 0.3")
        for columns in [("Spearman ρ", "PairAcc", "Violations of 27")]
    }
    assert sweep == {
        "α 0.3, λ 0.0": [pytest.approx(-100), 0.0, 27],
        "α 0.5, λ 0.3": [pytest.approx(100), 100.0, 0],
        "α 1, λ 0.3": [pytest.approx(100), 100.0, 0],
    }
    ablation = {
        row: ours(found, "Tab. 13", row, "Kendall τ")
        for row in ("Entailment gold → pred", "Entailment pred → gold", "Full CAP")
    }
    assert ablation == {
        "Entailment gold → pred": pytest.approx(100),
        "Entailment pred → gold": pytest.approx(-100),
        "Full CAP": pytest.approx(100),
    }
    assert found["Tab. 13", "Full CAP", "PairAcc"]["ours"]["n"] == 27
    # the explanation brings CAP's own score along
    assert ours(found, "Tab. 2", "CAP", "Pairwise Acc.") == 100.0


def test_equal_numbers_have_equal_intervals(evaluate: Evaluate, write: Write) -> None:
    """The values of two tables on CAP for the same answers, beside a person's labels that are the
    published ones."""
    places = enumerate(sorted([*CLASSES.items()] * 3))
    lines = [
        {
            **line(label, forward * (1 - place % 5 / 7)),
            "question": f"Which is {place % 6}?",
            "human_label": label,
        }
        for place, (label, forward) in places
    ]
    made = evaluate.json("reproduce", "cap", write("cap.jsonl", lines), *FEW)
    found = figures(made)

    def ours_of(table: str, row: str, column: str) -> object:
        return found[table, row, column]["ours"]

    (metrics,) = (table["rows"] for table in made["tables"] if table["key"] == "metrics")
    for column, name, short in (
        ("Spearman ρ", "spearman", "Spearman ρ"),
        ("Pairwise Acc.", "accuracy", "PairAcc"),
        ("Kendall τ", "kendall", "Kendall τ"),
    ):
        (row,) = (row for row in metrics if row["metric"] == "cap")
        one = ours_of("Tab. 2", "CAP", column)
        assert one == in_percent(row[name]) == ours_of("Tab. 13", "Full CAP", short)
        assert one == ours_of("Tab. 16", "Synthetic", short)
        assert one == ours_of("Tab. 16", "Human-labeled", short)
    assert ours_of("Tab. 11", "α 0.85, λ 0.3", "Spearman ρ") == ours_of(
        "Tab. 2", "CAP", "Spearman ρ"
    )
    lacking = [
        place
        for place, one in found.items()
        if one["ours"]["value"] is not None and one["ours"]["low"] is None
    ]
    counted = {
        *[("Tab. 1", "CAP-Correctness", "Test"), ("Tab. 12", "CAP", "Violating pairs of 27")],
        *[place for place in found if place[2] == "Violations of 27"],
    }
    assert set(lacking) == counted


def in_percent(estimate: dict[str, Any]) -> dict[str, Any]:
    """As the paper prints it."""
    scaled = {name: 100 * estimate[name] for name in ("value", "low", "high")}
    return {**estimate, **scaled}


def test_weights_name_the_lines_that_lack_an_explanation(evaluate: Evaluate, write: Write) -> None:
    lines = [line(*one) for one in CLASSES.items()]
    del lines[3]["explanation"]
    found = figures(evaluate.json("reproduce", "cap", write("cap.jsonl", lines), *FEW))
    assert {
        why(found, "Tab. 11", "α 0.85, λ 0.3", "Violations of 27"),
        why(found, "Tab. 13", "Full CAP", "Spearman ρ"),
    } == {NEEDED.format(1)}
    models = [{**one, "system": "GPT-4o"} for one in lines]
    found = figures(evaluate.json("reproduce", "cap", write("llm.jsonl", models), *FEW))
    assert {
        why(found, *place)
        for place in found
        if place[0] in {"Tab. 11", "Tab. 7"} or place[1] == "CAP-Correctness"
    } == {'needs lines without a "system": all 8 name one'}


class Explaining:
    """Says of every pair the same."""

    name, version, threshold = "cap", "fake", 0.5

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        return [one.score for one in self.explain(pairs)]

    def explain(self, pairs: Sequence[Pair]) -> list[CapScore]:
        ahead, back = NliProbabilities(0.5, 0.2, 0.3), NliProbabilities(0.1, 0.4, 0.5)
        return [CapScore(0.25, "r", "R.", "C.", ahead, back) for _ in pairs]


def test_a_matcher_explains_only_lines_without_inferences() -> None:
    pair = Pair("Which?", "", ("a",), "b")
    known = CapAnswer(pair, "exact", None, "", {"cap": 0.7}, ((1.0, 0.0), (0.0, 1.0)))
    scored = CapAnswer(pair, "invalid", None, "", {"cap": 0.6})
    unknown = CapAnswer(pair, "partial", None, "", {})
    inferences = ((0.5, 0.2), (0.1, 0.4))
    assert explained([known, scored, unknown], Explaining()) == [
        known,
        CapAnswer(pair, "invalid", None, "", {"cap": 0.6}, inferences),
        CapAnswer(pair, "partial", None, "", {"cap": 0.25}, inferences),
    ]


def test_score_pairs_reads_cap_lines_as_they_are(
    evaluate: Evaluate, write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    other = {**line("exact", 0.9), "other_gold_answers": ["the exact"]}
    run_command("score_pairs", write("cap.jsonl", [other]), "--matcher", "em")
    assert '"score": 1.0' in capsys.readouterr().out
