"""`manage.py train_cfmatch` and `train_feather`: the training of tomahto.matching, from the command
line."""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT
from tests.tasks.management.conftest import Manage
from tests.tomahto.matching.examples import EXAMPLES, write_examples
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.learning.boosted_trees import BoostingOptions
from tomahto.matching.cfmatch import training as cfmatch
from tomahto.matching.feather import training as feather
from tomahto.matching.table import matchers_by_name

COMMANDS = ("train_cfmatch", "train_feather")
Prepare = Callable[[Path], Sequence[object]]

train_few_trees = partial(
    feather.train_and_report,
    options=feather.TrainingOptions(boosting=BoostingOptions(trees=20, depth=2, l2=0.1)),
)


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command leaves their number to the library, whose default takes seconds."""
    place = "tasks.management.commands.train_feather.train_and_report"
    monkeypatch.setattr(place, train_few_trees)


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
    report = cfmatch.train_and_report(
        read_labelled_pairs(examples, lines=range(3, 13)),
        same,
        test=read_labelled_pairs(test),
        options=cfmatch.TrainingOptions(l2=0.5, overlap_scale=2.0, overlap_words="tokens"),
        folds=3,
        seed=5,
    )
    expected = {**asdict(report), "left_out": {"test": 0}, "path": str(out)}
    assert printed == json.loads(json.dumps(expected))
    assert out.read_bytes() == same.read_bytes()
    assert matchers_by_name()["cfmatch"].load(out).version == report.version
    assert manage.stderr == f"training on {examples} …\n"


def test_train_feather_reports_what_training_does(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    out, same = tmp_path / "weights.json", tmp_path / "same.json"
    more = write_examples(tmp_path / "more.jsonl", EXAMPLES[:6])
    printed = manage.json("train_feather", examples, more, "--out", out, "--folds", 2, "--seed", 5)
    sets = [read_labelled_pairs(examples), read_labelled_pairs(more)]
    report = asdict(train_few_trees(sets, same, folds=2, seed=5))
    for file, path in zip(report["files"], (examples, more), strict=True):
        file["path"] = str(path)
    assert printed == json.loads(json.dumps({**report, "left_out": {}, "path": str(out)}))
    assert out.read_bytes() == same.read_bytes()
    assert manage.stderr == f"training on {examples}, {more} …\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_training_says_how_well_it_does_on_what_it_did_not_learn_from(
    manage: Manage, examples: Path, tmp_path: Path, command: str
) -> None:
    rest, out = write_examples(tmp_path / "rest.jsonl", EXAMPLES[2:5]), tmp_path / "weights.json"
    examples.write_text("".join(examples.read_text().splitlines(keepends=True)[4:]))
    printed = manage(command, examples, "--out", out, "--folds", 2, "--test", rest).splitlines()
    name = {"train_cfmatch": "CFMatch", "train_feather": "feather"}[command]
    assert printed[0].removeprefix(f"{examples}: ") == "8 examples of 4 questions, 4 correct"
    assert [line.partition(" 0.")[0].partition(" 1.")[0] for line in printed[1:3]] == [
        f"unseen folds: accuracy of {name}",
        "unseen folds: accuracy of token F1, tuned",
    ]
    assert printed[3] == "1 example of --test left out: training uses the question"
    assert printed[4].startswith(f"test file: accuracy of {name} ")
    assert printed[4].endswith("(n = 2, 1 question)")
    assert printed[6].startswith(f"{out}: ")
    assert len(printed) == 7


def with_a_bad_line(path: Path) -> tuple[()]:
    path.write_text(path.read_text() + '{"question": "Who?", "reference": {}}\n')
    return ()


def with_one_label(path: Path) -> tuple[()]:
    write_examples(path, [each for each in EXAMPLES if each.correct])
    return ()


@pytest.mark.parametrize(
    ("commands", "prepare", "fault"),
    [
        (COMMANDS, with_a_bad_line, ", line 13, field reference: must be an array, not an object"),
        (COMMANDS, with_one_label, ": all 6 examples are correct: there is nothing to learn"),
        (COMMANDS, lambda _: ("--folds=99",), ": 99 folds of 6 questions"),
        (COMMANDS, lambda _: ("--folds=1",), ": 1 folds of 6 questions"),
        (COMMANDS, lambda path: ("--test", path), ": is the same as {}: nothing is held out"),
        (COMMANDS[:1], lambda _: ("--lines=13-20",), ": holds no examples in the lines 13 to 20"),
    ],
)
def test_what_cannot_be_learned_from_is_named_and_nothing_written(
    manage: Manage, examples: Path, tmp_path: Path,
    commands: Sequence[str], prepare: Prepare, fault: str,
) -> None:  # fmt: skip
    options, out = prepare(examples), tmp_path / "weights.json"
    for command in commands:
        assert manage(command, examples, "--out", out, *options, code=1) == ""
        said = manage.stderr.splitlines()[-1]
        assert said == f"CommandError: {examples}{fault.format(examples)}"
        assert not out.exists()


@pytest.mark.parametrize(
    "option",
    [
        *("--l2=0", "--l2=-1", "--l2=nan", "--overlap-scale=0", "--seed=-1", "--folds=two"),
        *("--lines=0-4", "--lines=4", "--lines=5-4"),
    ],
)
def test_options_that_mean_nothing_are_refused(
    manage: Manage, examples: Path, tmp_path: Path, option: str
) -> None:
    arguments = ("train_cfmatch", examples, "--out", tmp_path / "weights.json", option)
    assert f"argument {option.split('=')[0]}: " in manage.error(*arguments, code=2)


def test_train_cfmatch_counts_what_was_generated_and_learns_peoples_labels(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    lines = [json.loads(line) for line in examples.read_text().splitlines()]
    for number, line in enumerate(lines[:5]):
        line["intended"] = f"aliasing/{'correct' if number < 3 else 'incorrect'}"
    generated = tmp_path / "generated.jsonl"
    generated.write_text("".join(json.dumps(line) + "\n" for line in lines))
    weights = [tmp_path / "plain.json", tmp_path / "generated.json"]
    plain = manage.json("train_cfmatch", examples, "--out", weights[0], "--folds", 2)
    report = manage.json("train_cfmatch", generated, "--out", weights[1], "--folds", 2)
    assert plain["intended"] == {"": 12}
    assert report["intended"] == {"": 7, "aliasing/correct": 3, "aliasing/incorrect": 2}
    assert weights[0].read_bytes() == weights[1].read_bytes()


def test_training_learns_from_a_split_of_a_release(manage: Manage, tmp_path: Path) -> None:
    release = tmp_path / "release"
    write_release(CONTENT, release)
    lines = (release / "jsonl/items/test.jsonl").read_text().splitlines()
    rated = [line for line in map(json.loads, lines) if line["label_source"] != "tie"]
    place = (release, "--split", "test", "--out", tmp_path / "weights.json", "--folds", 2)
    [learned] = manage.json("train_feather", *place)["files"]
    assert learned["examples"] == len(rated) > 1
    assert learned["path"] == f"{release}:test"
    assert learned["source"]["release"] == "demo"
    manage("train_cfmatch", *place, code=1)
    assert f"{release}:test: all 1 labels are the same" in manage.stderr
