"""The example of CAP's project, as a user starts it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.site import ROOT
from tomahto.releases.verification.verify import verify_release

pytestmark = [
    pytest.mark.faults,  # it starts a real server
    pytest.mark.timeout(600),  # a minute on a machine with nothing else to do
]

FEW = ("--replicates", "20")


def run_example(data: Path, *options: object) -> tuple[str, dict[str, Any]]:
    """The figures that it prints, and those that were computed again."""
    done = subprocess.run(
        [
            *(sys.executable, "examples/correctness_classes.py"),
            *map(str, (*FEW, *options, "--data", data)),
        ],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "", "TOMAHTO_BROKER_URL": ""},
        capture_output=True,
        text=True,
        timeout=580,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, json.loads((data / "reproduced.json").read_text())


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def computed(made: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """By table how many numbers of how many; tables of texts have none."""
    rows = made["overview"]
    return {row["table"]: (row["computed"], row["listed"]) for row in rows if row["listed"]}


def test_all_that_needs_no_model_is_filled(tmp_path: Path) -> None:
    printed, made = run_example(tmp_path, "--per-class", 10, "--triples", 64)
    assert "  80 of 80 drafts\n" in printed
    assert "  64 of 64 drafts\n" in printed
    for release in ("cap-1.0.0", "cap-statements-1.0.0"):
        assert verify_release(tmp_path / release) == []
    counts = computed(made)
    assert counts.pop("§4") == (0, 3)
    assert {table for table, (ours, listed) in counts.items() if ours < listed} == set()
    assert "missing, needs generator=FILE" in printed
    assert printed.count("\nmissing, ") == 1

    # Tab. 7 and 17 by a second way: from the lines of the release and the scores beside it
    lines = lines_of(tmp_path / "cap-1.0.0/cap_correctness/test.jsonl")
    written = [line for line in lines if line["synthetic_label"]]
    assert len(written) == 80
    same = sum(line["synthetic_label"] == line["correctness_label"] for line in written) / 80
    figures = {
        (one["table"], one["row"], one["column"]): one["ours"]["value"] for one in made["figures"]
    }
    human = [line["correctness_label"] for line in written]
    chance = sum(human.count(label) / 80 / 8 for label in set(human))
    kappa = (same - chance) / (1 - chance)
    assert figures["Tab. 7", "Cohen's κ", "Score"] == pytest.approx(100 * kappa)
    scores = {row["id"]: row["scores"]["cap"] for row in lines_of(tmp_path / "scored.jsonl")}
    partial = [scores[line["id"]] for line in written if line["synthetic_label"] == "partial"]
    mean = 100 * sum(partial) / len(partial)
    assert figures["Tab. 17", "Partial", "Synthetic"] == pytest.approx(mean)
    statements = [
        line
        for split in ("train", "validation", "test")
        for line in lines_of(tmp_path / f"cap-statements-1.0.0/cap_statements/{split}.jsonl")
    ]
    general = sum(line["subject"] == "General knowledge" for line in statements)
    assert figures["Fig. 7", "General knowledge", "Share"] == pytest.approx(100 * general / 64)

    tables = {table["key"]: table["rows"] for table in made["tables"]}
    assert [(row["source"], row["questions"]) for row in tables["sources"]] == [
        ("Elementary science", 8),
        ("General survey", 8),
        ("Secondary science", 8),
    ]
    sources = {row["source"]: row["n"] for row in tables["label_sources"]}
    written_ids = {line["id"] for line in written}
    decisions = lines_of(tmp_path / "adjudications.jsonl")
    settled = sum(line["id"] in written_ids for line in decisions)
    assert sources.pop("adjudicators") == settled > 0
    assert sources.pop("majority") == 80 - settled  # a tie has none
    assert (sources.pop("adjudicated"), sources.pop("dawid-skene")) == (80, 80)
    assert list(sources.values()) == [80] * 3  # three raters, under pseudonyms

    # people slip, so not all of their labels are the classes that answers were written for
    assert 0 < same < 1
    halves = [
        [figures["Tab. 16", row, column] for column in ("Spearman ρ", "Kendall τ", "PairAcc")]
        for row in ("Synthetic", "Human-labeled")
    ]
    assert all(synthetic != human for synthetic, human in zip(*halves, strict=True))


@pytest.mark.models
def test_with_models_the_generator_is_trained_and_part_of_cap(tmp_path: Path) -> None:
    from tests.tomahto.tiny_models import save_tiny_bert, save_tiny_t5

    t5 = save_tiny_t5(tmp_path / "t5")
    nli = save_tiny_bert(tmp_path / "nli", ("contradiction", "entailment", "neutral"))
    correctness, statements = tmp_path / "c.jsonl", tmp_path / "s.jsonl"
    classes = ("exact", "equivalent", "partial", "invalid", "contradictory")
    correctness.write_text("".join(map(correctness_line, classes)))
    statements.write_text("".join(map(statement_line, range(30))))
    data = tmp_path / "data"
    data.mkdir()
    printed, made = run_example(
        data,
        *("--correctness", correctness, "--statements", statements),
        *("--statements-model", t5, "--nli-model", nli, "--epochs", 1, "--matcher", "rouge-l"),
    )
    assert "statements imported to be judged" in printed
    counts = computed(made)
    # an untrained model's statements have no match at all, but are measured
    assert (counts["§4"], counts["Tab. 1"]) == ((3, 3), (4, 4))
    assert (counts["Tab. 11"], counts["Tab. 13"]) == ((12, 18), (18, 18))
    scored = lines_of(data / "scored.jsonl")
    assert len(scored) == len(classes)
    assert all(0 <= line["explanation"]["score"] <= 1 for line in scored)


def correctness_line(label: str) -> str:
    row = {
        "question": f"What is {label} here?",
        "gold_answer": "a plain answer",
        "candidate_answer": "a plain answer" if label == "exact" else f"a {label} answer",
        "correctness_label": label,
        "source": "ARC",
    }
    return json.dumps(row) + "\n"


def statement_line(number: int) -> str:
    row = {
        "question": f"Which word has the number {number}{number * number}?",
        "answer": f"word{number}",
        "statement": f"The word with the number {number}{number * number} is word{number}.",
        "question_type": "short-question",
        "subject": "Mathematics",
    }
    return json.dumps(row) + "\n"
