"""CFMatch's Tab. 3 to 5 from published answers of models and the expanded sets."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.tasks.management.conftest import Evaluate
from tests.tasks.management.reproduction import FEW, figures, judged, ours, why


def answer(question: str, reference: str, candidate: object, **more: object) -> dict[str, Any]:
    return {
        "question": question,
        "reference": [reference],
        "candidate": candidate,
        "context": "",
        **more,
    }


def saved(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of three answers the first matches exactly, the second has F1 2/3 and the third 1/2. With
    other names the second and the third match."""
    folder = tmp_path / "nq_open"
    original = [
        answer("q1", "the Seine", "Seine", scores={"cfm": 0.9}),
        answer("q2", "Wilhelm Röntgen", "Röntgen", scores={"cfm": 0.2}),
        answer("q3", "Eros", "Cupid of Rome Eros Amor"[:-5], scores={"cfm": 0.5}),
    ]
    original[2]["candidate"] = "Eros of Rome"  # 2 * 1 / (1 + 3)
    expanded = [
        answer("q1", "the Seine", ["Seine"]),
        answer("q2", "Wilhelm Röntgen", ["Röntgen", "Wilhelm Röntgen"]),
        answer("q3", "Eros", ["Eros of Rome", "", "Eros"]),
    ]
    saved(folder / "original-gpt-3.5.jsonl", original)
    saved(folder / "expanded-gpt-3.5.jsonl", expanded)
    saved(folder / "original-llama.jsonl", [answer("q1", "the Seine", "Rhine")])
    return folder


def test_models_are_judged_on_both_sets(evaluate: Evaluate, folder: Path) -> None:
    result = evaluate.json("reproduce", "cfmatch", folder, *FEW)
    found, row = figures(result), "NQ-OPEN, GPT-3.5-TURBO"
    shares = {
        column: ours(found, "Tab. 4", row, column)
        for column in ("EM O", "EM E", "F1 (0.5) O", "F1 (0.5) E", "CFM O")
    }
    assert shares == {
        "EM O": pytest.approx(100 / 3),
        "EM E": 100.0,
        "F1 (0.5) O": pytest.approx(200 / 3),  # one half is not more than one half
        "F1 (0.5) E": 100.0,
        "CFM O": pytest.approx(200 / 3),
    }
    share = found["Tab. 4", row, "EM O"]["ours"]
    assert (share["n"], share["replicates"]) == (3, 50)
    assert share["low"] < share["value"] < share["high"]
    assert ours(found, "Tab. 4", "NQ-OPEN, LLaMA 2 7B", "EM O") == 0.0
    assert [file["file"] for file in result["files"]] == [
        *("original-gpt-3.5.jsonl", "original-llama.jsonl", "expanded-gpt-3.5.jsonl")
    ]
    (ranks,) = result["tables"]
    assert [(one["file"], one["metric"], one["system"]) for one in ranks["rows"]] == [
        ("nq-open, original", metric, system)
        for metric in ("em", "f1", "cfmatch")
        for system in ("gpt-3.5", "llama")
    ]


def test_models_name_the_file_or_the_scores_they_need(evaluate: Evaluate, folder: Path) -> None:
    found = figures(evaluate.json("reproduce", "cfmatch", f"nq-open={folder}", *FEW))
    assert why(found, "Tab. 4", "NQ-OPEN, LLaMA 2 7B", "EM E") == (
        "needs expanded-llama.jsonl (in nq-open=FOLDER)"
    )
    assert why(found, "Tab. 4", "NQ-OPEN, GPT-3.5-TURBO", "CFM E") == (
        'needs "scores": {"cfm": …} on the lines of expanded-gpt-3.5.jsonl'
        ", or --matcher cfm=MATCHER"
    )
    assert why(found, "Tab. 5", "EM", "Jeopardy! O") == "needs the Jeopardy! set (jeopardy=FILE)"


def test_a_part_of_the_scores_is_not_enough(evaluate: Evaluate, folder: Path) -> None:
    lines = [answer("q1", "a", "b", scores={"bert": 0.9}), answer("q2", "a", "b")]
    saved(folder / "original-t5-xl.jsonl", lines)
    found = figures(evaluate.json("reproduce", "cfmatch", folder, *FEW))
    assert why(found, "Tab. 4", "NQ-OPEN, Flan-T5 xl", "BERT O") == (
        "1 of 2 lines of original-t5-xl.jsonl lack a 'bert'"
    )


def test_jeopardy_is_judged_on_the_expanded_set_too(evaluate: Evaluate, tmp_path: Path) -> None:
    lines = [judged("q1", "Rhine", "correct"), judged("q2", "Rhine", "incorrect")]
    expanded = [{**lines[0], "candidate": ["Rhine", "Seine"]}, lines[1]]
    files = (
        saved(tmp_path / "jeopardy.jsonl", lines),
        saved(tmp_path / "jeopardy_expanded.jsonl", expanded),
    )
    found = figures(evaluate.json("reproduce", "cfmatch", *files, *FEW))
    assert [ours(found, "Tab. 4", "Jeopardy!", f"EM {kind}") for kind in "OE"] == [0.0, 50.0]
    assert [ours(found, "Tab. 5", "EM", f"Jeopardy! {kind}") for kind in "OE"] == [50.0, 100.0]


def test_costs_are_those_of_the_machine_at_hand(evaluate: Evaluate, tmp_path: Path) -> None:
    cost = {"matcher": "cfmatch", "seconds_per_1000_pairs": {"median": 0.1}, "disk_bytes": 850_000}
    measured = tmp_path / "cost.json"
    measured.write_text(json.dumps({"matchers": [cost]}))
    found = figures(evaluate.json("reproduce", "cfmatch", measured))
    # the times of Tab. 3 are of 10,210 examples
    assert ours(found, "Tab. 3", "CFM-Aug", "O runtime (s)") == pytest.approx(1.021)
    assert ours(found, "Tab. 3", "CFM-Aug", "Disk space (KB)") == 850
    assert why(found, "Tab. 3", "BERT (CPU)", "O runtime (min)") == (
        "needs the matcher bem among those that cost= measured"
    )
    assert why(found, "Tab. 3", "BERT (GPU)", "O runtime (min)") == (
        "evaluate cost measures no GPU; cost= may tell of one as the matcher bem-gpu"
    )
    assert why(found, "Tab. 3", "CFM", "O runtime (s)") == (
        "needs the matcher cfm among those that cost= measured, or the name of its weights by "
        "--matcher cfm=MATCHER"
    )
    median = {**cost, "seconds_per_1000_pairs": {"median": -1}}
    for text, fault in (
        ("[]", ": is not what evaluate cost --json prints"),
        ("{}", ", line 1, field matchers: is missing"),
        (
            '{"matchers": [{"disk_bytes": 1e999}]}',
            ": is not what evaluate cost --json prints: the number 1e999 is out of range",
        ),
        (
            json.dumps({"matchers": [median]}),
            ", line 1, field matchers[0].seconds_per_1000_pairs.median: must be a number from 0 on",
        ),
    ):
        measured.write_text(text)
        assert evaluate.error("reproduce", "cfmatch", measured) == (
            f"CommandError: {measured}{fault}\n"
        )


def test_rule_numbers_are_no_results(evaluate: Evaluate) -> None:
    result = evaluate.json("reproduce", "cfmatch")
    assert result["counts"] == {"listed": 177, "computed": 0, "as_printed": 0}


def test_data_sets_are_as_large_as_the_answers_to_them(
    evaluate: Evaluate, folder: Path, tmp_path: Path
) -> None:
    ropes = saved(tmp_path / "ropes.jsonl", [judged("q1", "Rhine", "correct")])
    found = figures(evaluate.json("reproduce", "cfmatch", folder, f"ropes={ropes}", *FEW))
    assert ours(found, "Tab. 2", "ROPES", "Pairs") == 1
    assert ours(found, "Tab. 2", "NQ-OPEN", "Pairs") == 3
    assert (
        why(found, "Tab. 2", "Hotpot QA", "Pairs") == "needs a model's answers (hotpot-qa=FOLDER)"
    )
    assert ours(found, "§3.2", "ROPES dev", "Examples") == 1


def test_folders_and_names_are_refused_where_they_are_wrong(
    evaluate: Evaluate, folder: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert evaluate.error("reproduce", "cfmatch", f"nq-open={empty}").startswith(
        f"CommandError: {empty}: is not a folder with any of original-gpt-3.5.jsonl, "
    )
    path = saved(folder / "original-llama.jsonl", [answer("q", "a", [])])
    assert evaluate.error("reproduce", "cfmatch", folder) == (
        f"CommandError: {path}, line 1, field candidate: is empty\n"
    )
    saved(path, [answer("q", "a", ["b", True])])
    assert evaluate.error("reproduce", "cfmatch", folder) == (
        f"CommandError: {path}, line 1, field candidate[1]: must be text, not true or false\n"
    )
