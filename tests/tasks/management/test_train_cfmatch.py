"""`manage.py train_cfmatch`: the training of tomahto.matching, from the command line."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.tasks.management.conftest import Manage
from tests.tomahto.matching.examples import EXAMPLES, write_examples
from tomahto.interchange.judgements.labelled_pairs import read_labelled_pairs
from tomahto.matching.cfmatch.training import TrainingOptions, train_and_report
from tomahto.matching.table import matchers_by_name


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    return write_examples(tmp_path / "train.jsonl", EXAMPLES)


def test_train_cfmatch_reports_what_training_does(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    out, same = tmp_path / "weights.json", tmp_path / "same.json"
    test = write_examples(tmp_path / "test.jsonl", EXAMPLES[2:4])
    test.write_text(test.read_text().replace("When did it sink?", "In which year?"))
    printed = manage.json(
        *("train_cfmatch", examples, "--out", out, "--test", test),
        *("--folds", 3, "--seed", 5, "--l2", 0.5, "--overlap-scale", 2),
        *("--overlap-words", "tokens", "--lines", "3-12"),
    )
    report = train_and_report(
        read_labelled_pairs(examples, lines=range(3, 13)),
        same,
        test=read_labelled_pairs(test),
        options=TrainingOptions(l2=0.5, overlap_scale=2.0, overlap_words="tokens"),
        folds=3,
        seed=5,
    )
    expected = asdict(report)
    for comparison in (expected["cross_validation"]["pooled"], expected["transfer"]):
        comparison["f1_thresholds"] = list(comparison["f1_thresholds"])
    expected["cross_validation"]["folds"] = list(expected["cross_validation"]["folds"])
    assert printed == {**expected, "left_out": {"test": 0}, "path": str(out)}
    assert out.read_bytes() == same.read_bytes()
    assert matchers_by_name()["cfmatch"].load(out).version == report.version
    assert manage.stderr == f"training on {examples} …\n"


def test_train_cfmatch_says_how_well_it_does(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    out = tmp_path / "weights.json"
    printed = manage("train_cfmatch", examples, "--out", out, "--folds", 2).splitlines()
    assert printed[0] == "12 examples of 6 questions, 6 correct"
    assert printed[1].startswith("unseen folds: accuracy of CFMatch ")
    assert printed[2].startswith("unseen folds: accuracy of token F1, tuned ")
    assert printed[3].startswith(f"{out}: ")
    assert len(printed) == 4


def test_questions_that_are_learned_from_are_not_judged(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    rest, out = write_examples(tmp_path / "rest.jsonl", EXAMPLES[2:5]), tmp_path / "weights.json"
    examples.write_text("".join(examples.read_text().splitlines(keepends=True)[4:]))
    printed = manage("train_cfmatch", examples, "--out", out, "--folds", 2, "--test", rest)
    assert "1 example of --test left out: the question is learned from\n" in printed
    (line,) = (line for line in printed.splitlines() if line.startswith("test file: accuracy of C"))
    assert line.endswith("(n = 2, 1 question)")


@pytest.mark.parametrize("command", ["train_cfmatch", "train_feather"])
def test_what_is_learned_from_holds_nothing_out(
    manage: Manage, examples: Path, tmp_path: Path, command: str
) -> None:
    assert manage.error(
        command, examples, "--out", tmp_path / "weights.json", "--test", examples
    ) == (f"CommandError: {examples}: is the same as {examples}: nothing is held out\n")


def test_train_cfmatch_names_file_line_and_field_and_writes_nothing(
    manage: Manage, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples.write_text(examples.read_text() + '{"question": "Who?", "reference": 3}\n')
    out = tmp_path / "weights.json"
    with pytest.raises(SystemExit) as caught:
        manage("train_cfmatch", examples, "--out", out)
    printed = capsys.readouterr()
    assert (caught.value.code, printed.out) == (1, "")
    assert printed.err.splitlines()[-1] == (
        f"CommandError: {examples}, line 13, field reference: must be an array, not a number"
    )
    assert not out.exists()


@pytest.mark.parametrize(
    ("option", "error"),
    [
        ("--folds=99", "99 folds of 6 questions"),
        ("--folds=1", "1 folds of 6 questions"),
    ],
)
def test_train_cfmatch_says_what_cannot_be_validated(
    manage: Manage, examples: Path, tmp_path: Path, option: str, error: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    with pytest.raises(SystemExit):
        manage("train_cfmatch", examples, "--out", tmp_path / "weights.json", option)
    assert capsys.readouterr().err.endswith(f"CommandError: {examples}: {error}\n")


@pytest.mark.parametrize("command", ["train_cfmatch", "train_feather"])
def test_labels_that_are_all_alike_are_refused_in_one_line(
    manage: Manage, tmp_path: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_examples(tmp_path / "alike.jsonl", [e for e in EXAMPLES if e.correct])
    out = tmp_path / "weights.json"
    with pytest.raises(SystemExit):
        manage(command, path, "--out", out)
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"CommandError: {path}: all 6 examples are correct: there is nothing to learn"
    )
    assert not out.exists()


@pytest.mark.parametrize(
    "option",
    [
        "--l2=0",
        "--l2=-1",
        "--l2=nan",
        "--overlap-scale=0",
        "--lines=0-4",
        "--lines=4",
        "--lines=5-4",
        "--seed=-1",
        "--folds=two",
    ],
)
def test_train_cfmatch_refuses_options_that_mean_nothing(
    manage: Manage, examples: Path, tmp_path: Path, option: str
) -> None:
    out = tmp_path / "weights.json"
    name = option.split("=")[0]
    assert f"argument {name}: " in manage.error(
        "train_cfmatch", examples, "--out", out, option, code=2
    )


def test_lines_without_examples_are_named(
    manage: Manage, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        manage("train_cfmatch", examples, "--out", tmp_path / "weights.json", "--lines", "13-20")
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"CommandError: {examples}: holds no examples in the lines 13 to 20"
    )


def test_train_cfmatch_counts_what_was_generated_and_learns_peoples_labels(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in examples.read_text().splitlines()]
    said = {True: "aliasing/correct", False: "aliasing/incorrect"}
    for number, line in enumerate(lines[:5]):
        line["intended"] = said[number < 3]
    generated = tmp_path / "generated.jsonl"
    generated.write_text("".join(json.dumps(line) + "\n" for line in lines))
    weights = [tmp_path / "plain.json", tmp_path / "generated.json"]
    plain = manage.json("train_cfmatch", examples, "--out", weights[0], "--folds", 2)
    report = manage.json("train_cfmatch", generated, "--out", weights[1], "--folds", 2)
    assert plain["intended"] == {"": 12}
    assert report["intended"] == {"": 7, "aliasing/correct": 3, "aliasing/incorrect": 2}
    assert weights[0].read_bytes() == weights[1].read_bytes()
