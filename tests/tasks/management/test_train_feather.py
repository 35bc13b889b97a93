"""`manage.py train_feather`: the training of tomahto.matching, from the command line."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.exporters.made import write_release
from tests.exporters.samples import CONTENT
from tests.tasks.management.conftest import Manage
from tests.tomahto.matching.examples import EXAMPLES, write_examples
from tomahto.interchange.judgements.labelled_pairs import read_labelled_pairs
from tomahto.matching.feather.training import train_and_report
from tomahto.matching.table import matchers_by_name

pytestmark = pytest.mark.slow


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    return write_examples(tmp_path / "train.jsonl", EXAMPLES)


def test_train_feather_reports_what_training_does(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    out, same = tmp_path / "weights.json", tmp_path / "same.json"
    more = write_examples(tmp_path / "more.jsonl", EXAMPLES[:6])

    printed = manage.json("train_feather", examples, more, "--out", out, "--folds", 2, "--seed", 5)
    report = asdict(
        train_and_report(list(map(read_labelled_pairs, [examples, more])), same, folds=2, seed=5)
    )

    for file, path in zip(report["files"], (examples, more), strict=True):
        file["path"] = str(path)
    assert printed == json.loads(json.dumps({**report, "left_out": {}, "path": str(out)}))
    assert out.read_bytes() == same.read_bytes()
    assert matchers_by_name()["feather"].load(out).version == report["version"]
    assert manage.stderr == f"training on {examples}, {more} …\n"


def test_train_feather_says_how_well_it_does(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    out = tmp_path / "weights.json"
    printed = manage("train_feather", examples, "--out", out, "--folds", 2).splitlines()
    assert printed[0] == f"{examples}: 12 examples of 6 questions, 6 correct"
    assert printed[1].startswith("unseen folds: accuracy of feather ")
    assert printed[2].startswith("unseen folds: accuracy of token F1, tuned ")
    assert printed[3].startswith(f"{out}: ")
    assert len(printed) == 4


def test_train_feather_names_file_line_and_field_and_writes_nothing(
    manage: Manage, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    examples.write_text(examples.read_text() + '{"question": "Who?", "reference": 3}\n')
    out = tmp_path / "weights.json"
    with pytest.raises(SystemExit) as caught:
        manage("train_feather", examples, "--out", out)
    printed = capsys.readouterr()
    assert (caught.value.code, printed.out) == (1, "")
    assert printed.err.splitlines()[-1] == (
        f"CommandError: {examples}, line 13, field reference: must be an array, not a number"
    )
    assert not out.exists()


def test_train_feather_says_what_cannot_be_validated(
    manage: Manage, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        manage("train_feather", examples, "--out", tmp_path / "weights.json", "--folds=99")
    assert capsys.readouterr().err.endswith(f"CommandError: {examples}: 99 folds of 6 questions\n")


def test_train_feather_learns_from_a_split_of_a_release(manage: Manage, tmp_path: Path) -> None:
    release = tmp_path / "release"
    write_release(CONTENT, release)
    lines = (release / "jsonl" / "items" / "test.jsonl").read_text().splitlines()
    rated = [line for line in map(json.loads, lines) if line["label_source"] != "tie"]
    trained = manage.json(
        *("train_feather", release, "--split", "test", "--out", tmp_path / "weights.json"),
        *("--folds", 2),
    )
    [learned] = trained["files"]
    assert learned["examples"] == len(rated) > 1
    assert learned["path"] == f"{release}:test"
    assert learned["source"]["release"] == "demo"
