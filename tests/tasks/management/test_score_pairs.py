"""`manage.py score_pairs`: the same lines, in order, with a score and whether it suffices."""

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.exporters.made import write_release
from tests.exporters.samples import CONTENT
from tests.tasks.management.conftest import Manage
from tests.tomahto.interchange.files import Write
from tests.tomahto.matching.cfmatch.small_weights import WEIGHTS
from tomahto.matching.cfmatch.weights import write_weights
from tomahto.matching.feather import SHIPPED_WEIGHTS as FEATHER_WEIGHTS
from tomahto.matching.interface import Pair
from tomahto.matching.registry import available_matchers, load_matcher
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


@pytest.mark.parametrize("name", available_matchers())
def test_score_pairs_scores_as_the_matcher_does(manage: Manage, write: Write, name: str) -> None:
    scored = lines(manage("score_pairs", write("p.jsonl", PAIRS), "--matcher", name))
    matcher = load_matcher(name)
    pairs = [
        Pair("Who?", "", ("the Queen", "Victoria"), "Victoria"),
        Pair("Wo?", "…", ("Köln",), ""),
        Pair("When?", "", ("in 1840",), "1840"),
    ]
    scores = matcher.score(pairs)
    assert [line["score"] for line in scored] == scores
    assert [line["accepted"] for line in scored] == [score >= matcher.threshold for score in scores]


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


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ([], "score"),
        ([], "accepted"),
        (["--classes"], "predicted_class"),
    ],
)
def test_score_pairs_overwrites_no_field(
    manage: Manage, write: Write, tmp_path: Path, options: list[str], field: str
) -> None:
    if "--classes" in options:
        scores = [{"class": "contradictory", "score": 0.0}, {"class": "exact", "score": 1.0}]
        classes = write("classes.json", "")
        thresholds = manage.json("evaluate", "class_thresholds", write("s.jsonl", scores))
        classes.write_text(json.dumps(thresholds))
        options = [*options, str(classes)]
    path, out = write("p.jsonl", [PAIRS[0], {**PAIRS[1], field: None}]), tmp_path / "o.jsonl"
    printed = manage.error("score_pairs", path, "--matcher", "f1", "--out", out, *options)
    assert printed == (
        f"CommandError: {path}, line 2, field {field}: "
        "is here already and would be overwritten: rename or remove it\n"
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
        ({"references": []}, "field references: is empty: a matcher compares with a reference"),
        ({"references": ["x", 3]}, "field references[1]: must be text, not a number"),
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


def test_score_pairs_refuses_a_line_that_is_not_json(manage: Manage, write: Write) -> None:
    path = write("p.jsonl", '{"question": NaN}\n')
    assert manage.error("score_pairs", path, "--matcher", "em") == (
        f"CommandError: {path}, line 1: NaN is not a JSON number\n"
    )


def test_score_pairs_of_an_empty_file_is_empty(manage: Manage, write: Write) -> None:
    assert manage("score_pairs", write("p.jsonl", ""), "--matcher", "em") == ""
    assert manage.stderr == "em: 0 of 0 pairs accepted at 1.0\n"


def test_score_pairs_keeps_stdout_for_the_lines(manage: Manage, write: Write) -> None:
    printed = manage.error("score_pairs", write("p.jsonl", PAIRS), "--matcher", "em", "--json")
    assert printed == ("CommandError: --json needs --out: without it the lines go to stdout\n")


def test_score_pairs_never_replaces_a_device(manage: Manage, write: Write) -> None:
    path = write("p.jsonl", PAIRS)
    printed = manage.error("score_pairs", path, "--matcher", "em", "--out", "/dev/null")
    assert printed == "CommandError: /dev/null is there and is not a regular file\n"
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_score_pairs_refuses_an_unknown_matcher(manage: Manage, write: Write) -> None:
    path = write("p.jsonl", PAIRS)
    assert "argument --matcher: no matcher 'blue'; there are em, f1, " in manage.error(
        "score_pairs", path, "--matcher", "blue", code=2
    )


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
    assert f"argument --matcher: no matcher '{nowhere}'; there are em, f1, " in error


def test_score_pairs_adds_the_class_of_each_score(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    scores = [{"class": "contradictory", "score": 0.0}, {"class": "exact", "score": 1.0}]
    classes = tmp_path / "classes.json"
    classes.write_text(
        json.dumps(manage.json("evaluate", "class_thresholds", write("s.jsonl", scores)))
    )
    path = write("p.jsonl", PAIRS)
    scored = lines(manage("score_pairs", path, "--matcher", "f1", "--classes", classes))
    assert [line["predicted_class"] for line in scored] == ["exact", "contradictory", "exact"]


def test_score_pairs_refuses_classes_that_are_none(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    classes = tmp_path / "classes.json"
    classes.write_text("{}")
    path = write("p.jsonl", PAIRS)
    error = manage.error("score_pairs", path, "--matcher", "f1", "--classes", classes)
    assert error == (
        f"CommandError: {classes}: has not the fields classes, objective, value and n\n"
    )


def test_score_pairs_cannot_explain_what_has_no_explanation(manage: Manage, write: Write) -> None:
    error = manage.error("score_pairs", write("p.jsonl", PAIRS), "--matcher", "f1", "--explain")
    assert error == "CommandError: --explain: the matcher f1 has no explanations, cap has\n"


def test_score_pairs_says_which_variable_names_a_missing_model(
    manage: Manage, write: Write
) -> None:
    error = manage.error("score_pairs", write("p.jsonl", PAIRS), "--matcher", "bem")
    assert error.startswith("CommandError: TOMAHTO_BEM_MODEL is not set: ")
