"""`manage.py evaluate cost` as a user calls it."""

import platform
from pathlib import Path

import pytest

from tasks.management.evaluation import cost
from tests.tasks.management.conftest import Evaluate
from tests.tomahto.interchange.files import Write
from tomahto.matching.cost import MatcherCost
from tomahto.matching.interface import Pair


def test_cost_measures_the_named_matchers_on_pairs_of_a_file(
    evaluate: Evaluate, write: Write
) -> None:
    path = write("p.jsonl", [{"question": "Which?", "references": ["Rhine"], "candidate": "Elbe"}])
    options = ("--pairs", path, "--runs", "2", "--matcher", "f1", "--matcher", "em")
    values = evaluate.json("cost", *options)
    assert [one["matcher"] for one in values["matchers"]] == ["f1", "em"]
    assert (values["runs"], values["pairs"]["name"], values["pairs"]["count"]) == (2, "p.jsonl", 1)
    assert values["machine"]["versions"]["python"] == platform.python_version()
    seconds = values["matchers"][0]["seconds_per_1000_pairs"]
    assert 0 < seconds["fastest"] <= seconds["median"] <= seconds["slowest"]


def test_an_answer_with_several_names_is_one_pair(
    evaluate: Evaluate, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four names of two answers take twice the time per answer."""
    scored: list[str] = []

    def measured(name: str, pairs: list[Pair], **_: object) -> MatcherCost:
        scored.extend(pair.candidate for pair in pairs)
        return MatcherCost(name, "1", (0.5,), 1.0, None, 10)

    monkeypatch.setattr(cost, "measure_cost", measured)
    line = {"question": "Which?", "references": ["Rhine"], "candidate": "Elbe"}
    path = write("p.jsonl", [line, {**line, "candidate": ["Rhein", "Rhine", ""]}])
    values = evaluate.json("cost", "--pairs", path, "--matcher", "em")
    assert scored == ["Elbe", "Rhein", "Rhine", ""]
    assert values["pairs"]["count"] == 2
    assert values["matchers"][0]["seconds_per_1000_pairs"]["median"] == 1.0


def test_cost_prints_a_table_of_the_demos_pairs(evaluate: Evaluate) -> None:
    printed = evaluate("cost", "--matcher", "em", "--runs", "1")
    assert printed.startswith("**Time, memory and disk of matchers**")
    assert "\n| em | " in printed
    assert "n = 68 pairs (demo/items\\_cap.jsonl)" in printed


def test_tables_are_written_into_a_new_folder(evaluate: Evaluate, tmp_path: Path) -> None:
    evaluate("cost", "--matcher", "em", "--runs", "1", "--out", tmp_path / "out")
    written = sorted(place.name for place in (tmp_path / "out/tables").iterdir())
    assert written == ["cost.csv", "cost.md", "cost.tex"]
    error = evaluate.error("cost", "--matcher", "em", "--out", tmp_path / "out")
    assert error == f"CommandError: {tmp_path}/out already exists and is not an empty folder\n"


def test_cost_refuses_a_file_without_pairs_and_a_model_that_is_not_set(
    evaluate: Evaluate, write: Write
) -> None:
    path = write("p.jsonl", "\n")
    assert evaluate.error("cost", "--pairs", path) == f"CommandError: {path}: holds no pair\n"
    error = evaluate.error("cost", "--matcher", "bem")
    assert "bem could not be measured: TOMAHTO_BEM_MODEL is not set" in error


def test_the_processor_goes_by_its_kind_where_the_system_has_no_name_for_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    names = tmp_path / "cpuinfo"
    monkeypatch.setattr(cost, "_PROCESSOR", names)
    assert cost.this_machine().processor == (platform.processor() or platform.machine())
    names.write_text("processor\t: 0\nmodel name\t: Quantum 9\n")
    assert cost.this_machine().processor == "Quantum 9"
