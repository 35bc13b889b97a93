"""`manage.py score_pairs`: the same lines, in order, with a score and whether it suffices."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT
from tests.tasks.management.conftest import Manage
from tests.tomahto.interchange.files import Write
from tests.tomahto.matching.cfmatch.small_weights import WEIGHTS
from tomahto.matching.cfmatch.matcher import write_weights
from tomahto.matching.feather import SHIPPED_WEIGHTS as FEATHER_WEIGHTS
from tomahto.matching.interface import Pair
from tomahto.matching.registry import load_matcher
from tomahto.matching.table import matchers_by_name

PAIRS: list[dict[str, object]] = [
    {"question": "Who?", "references": ["the Queen", "Victoria"], "candidate": "Victoria", "n": 1},
    {"question": "Wo?", "references": ["Köln"], "candidate": "", "context": "…", "deep": {"a": []}},
    {"id": 7, "question": "When?", "reference": "in 1840", "candidate": "1840"},
]


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_score_pairs_gives_the_lines_back_with_score_and_accepted(
    manage: Manage, write: Write
) -> None:
    scored = lines(manage("score_pairs", write("p.jsonl", PAIRS), "--matcher", "f1"))
    # "in 1840" against "1840": recall 1/2, precision 1
    assert scored == [
        {**PAIRS[0], "score": 1.0, "accepted": True},
        {**PAIRS[1], "score": 0.0, "accepted": False},
        {**PAIRS[2], "score": pytest.approx(2 / 3), "accepted": True},
    ]
    assert list(scored[2]) == ["id", "question", "reference", "candidate", "score", "accepted"]
    assert manage.stderr == "f1: 2 of 3 pairs accepted at 0.5\n"


def test_the_best_of_a_candidates_names_counts(manage: Manage, write: Write) -> None:
    names = [["Albert", "Victoria", ""], ["", "1840"]]
    rows = [{**PAIRS[0], "candidate": names[0]}, PAIRS[0], {**PAIRS[2], "candidate": names[1]}]
    scored = lines(manage("score_pairs", write("p.jsonl", rows), "--matcher", "f1"))
    assert [one["score"] for one in scored] == [1.0, 1.0, pytest.approx(2 / 3)]
    assert [one["candidate"] for one in scored] == [names[0], "Victoria", names[1]]


def test_score_pairs_keeps_peoples_labels_for_metric_vs_human(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    rows = [
        {"question": question, "reference": "in 1840", "candidate": candidate, "label": label}
        for question, candidate, label in (
            ("A?", "in 1840", "correct"),  # F1 1: people agree
            ("A?", "1840", "incorrect"),  # 2/3: they do not
            ("B?", "1840 or so", "correct"),  # 2/5: they do not
            ("C?", "never", "incorrect"),  # 0: they agree
            ("C? " * 100, "", "incorrect"),  # 0, and a question that is longer than a name
        )
    ]
    labelled, out = write("labelled.jsonl", rows), tmp_path / "scored.jsonl"
    manage("score_pairs", labelled, "--matcher", "f1", "--out", out)
    assert [line["label"] for line in lines(out.read_text())] == [row["label"] for row in rows]
    found = manage.json("evaluate", "metric_vs_human", out)
    assert (found["n"], found["right"], found["questions"]) == (5, 2, 4)
    assert found["accuracy"]["value"] == 3 / 5


@pytest.fixture
def classes(write: Write) -> Path:
    """The result of `evaluate class_thresholds --json`."""
    of_classes = [{"class": "contradictory", "from": 0.0}, {"class": "exact", "from": 0.5}]
    found = {"objective": "accuracy", "value": 1.0, "n": 2, "classes": of_classes}
    return write("classes.json", json.dumps(found))


@pytest.mark.parametrize("field", ["score", "accepted", "predicted_class"])
def test_score_pairs_overwrites_no_field(
    manage: Manage, write: Write, tmp_path: Path, classes: Path, field: str
) -> None:
    path, out = write("p.jsonl", [PAIRS[0], {**PAIRS[1], field: None}]), tmp_path / "o.jsonl"
    options = ("--classes", classes) if field == "predicted_class" else ()
    printed = manage.error("score_pairs", path, "--matcher", "f1", "--out", out, *options)
    assert printed == (
        f"CommandError: {path}, line 2, field {field}: already exists and would be overwritten: "
        "rename or remove it\n"
    )
    assert not out.exists()


def test_score_pairs_writes_a_file(manage: Manage, write: Write, tmp_path: Path) -> None:
    path, out = write("p.jsonl", PAIRS), tmp_path / "scored.jsonl"
    printed = manage("score_pairs", path, "--matcher", "em")
    assert manage.json("score_pairs", path, "--matcher", "em", "--out", out) == {
        "pairs": 3,
        "accepted": 1,
        "matcher": "em",
        "version": load_matcher("em").version,
        "threshold": 1.0,
        "path": str(out),
    }
    assert out.read_text() == printed
    assert manage("score_pairs", path, "--matcher", "em", "--out", out) == (
        f"em: 1 of 3 pairs accepted at 1.0; written to {out}\n"
    )


def test_score_pairs_takes_a_split_of_a_release(manage: Manage, tmp_path: Path) -> None:
    write_release(CONTENT, tmp_path / "release")
    split = tmp_path / "release" / "jsonl" / "items" / "test.jsonl"
    of_file = lines(manage("score_pairs", split, "--matcher", "f1"))
    of_release = lines(manage("score_pairs", f"{tmp_path / 'release'}:test", "--matcher", "f1"))
    assert len(of_release) > 1
    for fields in ("id", "label", "votes", "score", "accepted"):
        assert [line[fields] for line in of_release] == [line[fields] for line in of_file]


def test_score_pairs_may_replace_its_own_input(manage: Manage, write: Write) -> None:
    path = write("p.jsonl", PAIRS)
    manage("score_pairs", path, "--matcher", "em", "--out", path)
    assert [line["accepted"] for line in lines(path.read_text())] == [True, False, False]


def test_score_pairs_keeps_the_order_over_several_batches(
    manage: Manage, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tasks.management.commands.score_pairs._BATCH", 2)
    rows: list[dict[str, object]] = [{**PAIRS[0], "n": number} for number in range(5)]
    scored = lines(manage("score_pairs", write("p.jsonl", rows), "--matcher", "em"))
    assert [line["n"] for line in scored] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"references": []}, "field references: is empty: a matcher needs a reference"),
        ({"references": ["x", []]}, "field references[1]: must be text, not an array"),
        ({"references": None}, "field references: is missing (or reference)"),
        ({"candidate": None}, "field candidate: is missing"),
        ({"question": ""}, "field question: is empty"),
        ({"context": 1}, "field context: must be text, not a number"),
    ],
)
def test_score_pairs_names_file_line_and_field_and_leaves_the_output_alone(
    manage: Manage, write: Write, tmp_path: Path, change: dict[str, object], place: str
) -> None:
    path, out = write("p.jsonl", [PAIRS[0], {**PAIRS[0], **change}]), write("out.jsonl", "old\n")
    printed = manage.error("score_pairs", path, "--matcher", "em", "--out", out)
    assert printed == f"CommandError: {path}, line 2, {place}\n"
    assert out.read_text() == "old\n"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out.jsonl", "p.jsonl"]


def test_score_pairs_of_an_empty_file_is_empty(manage: Manage, write: Write) -> None:
    assert manage("score_pairs", write("p.jsonl", ""), "--matcher", "em") == ""
    assert manage.stderr == "em: 0 of 0 pairs accepted at 1.0\n"


def test_score_pairs_never_replaces_a_device(manage: Manage, write: Write) -> None:
    path = write("p.jsonl", PAIRS)
    printed = manage.error("score_pairs", path, "--matcher", "em", "--out", "/dev/null")
    assert printed == "CommandError: /dev/null exists but is not a regular file\n"
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_score_pairs_takes_weights_that_one_has_trained(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    path, weights, out = write("p.jsonl", PAIRS), tmp_path / "mine.json", tmp_path / "scored.jsonl"
    write_weights(WEIGHTS, weights)
    mine = matchers_by_name()["cfmatch"].load(weights)
    printed = manage.json("score_pairs", path, "--matcher", f"cfmatch:{weights}", "--out", out)
    assert (printed["matcher"], printed["version"]) == (f"cfmatch:{weights}", mine.version)
    assert mine.version != load_matcher("cfmatch").version
    [first] = mine.score([Pair("Who?", "", ("the Queen", "Victoria"), "Victoria")])
    assert lines(out.read_text())[0]["score"] == first


def test_score_pairs_says_in_one_line_what_is_wrong_with_weights(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    path, broken = write("p.jsonl", PAIRS), write("w.json", [])
    error = manage.error("score_pairs", path, "--matcher", f"cfmatch:{broken}")
    assert error.startswith(f"CommandError: {broken}: Expecting value")
    error = manage.error("score_pairs", path, "--matcher", f"cfmatch:{FEATHER_WEIGHTS}")
    assert error.startswith(f"CommandError: {FEATHER_WEIGHTS}: features: ")
    nowhere = f"cfmatch:{tmp_path / 'nowhere.json'}"
    error = manage.error("score_pairs", path, "--matcher", nowhere, code=2)
    assert f"argument --matcher: no matcher '{nowhere}'; known: em, f1, " in error


def test_score_pairs_adds_the_class_of_each_score(
    manage: Manage, write: Write, classes: Path
) -> None:
    path = write("p.jsonl", PAIRS)
    scored = lines(manage("score_pairs", path, "--matcher", "f1", "--classes", classes))
    assert [line["predicted_class"] for line in scored] == ["exact", "contradictory", "exact"]
    classes.write_text("{}")
    error = manage.error("score_pairs", path, "--matcher", "f1", "--classes", classes)
    assert error == (
        f"CommandError: {classes}: lacks some of the fields classes, objective, value and n\n"
    )


@pytest.mark.parametrize(
    ("options", "error", "code"),
    [
        (("f1", "--json"), "--json needs --out: without it the lines go to stdout", 1),
        (("f1", "--explain"), "--explain: the matcher f1 has no explanations, cap has", 1),
        (("bem",), "TOMAHTO_BEM_MODEL is not set: ", 1),
        (("blue",), "argument --matcher: no matcher 'blue'; known: em, f1, ", 2),
    ],
)
def test_score_pairs_says_what_it_cannot_do(
    manage: Manage, write: Write, options: tuple[str, ...], error: str, code: int
) -> None:
    path = write("p.jsonl", PAIRS)
    assert error in manage.error("score_pairs", path, "--matcher", *options, code=code)
