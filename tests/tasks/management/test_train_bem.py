"""`manage.py train_bem`: the training of tomahto.matching, from the command line."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.tasks.management.conftest import Manage
from tests.tomahto.matching.examples import EXAMPLES, examples_of, write_examples
from tests.tomahto.tiny_models import save_tiny_encoder
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.matching.bem.matcher import load_bem
from tomahto.matching.bem.training import BemTrainingOptions, train_bem


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    return write_examples(tmp_path / "train.jsonl", EXAMPLES)


@pytest.mark.models
def test_train_bem_reports_what_training_does(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    base, out = save_tiny_encoder(tmp_path / "base"), tmp_path / "bem"
    train = write_examples(tmp_path / "8.jsonl", EXAMPLES[:8])
    printed = manage.json(
        *("train_bem", train, "--model", base, "--out", out, "--dev", examples),
        *("--variant", "answers", "--symmetrised", "--epochs", 2, "--batch-size", 8),
        *("--learning-rate", 0.003, "--seed", 5, "--optimiser", "adamw", "--weight-decay", 0.01),
    )
    report = train_bem(
        read_labelled_pairs(train),
        tmp_path / "same",
        base=base,
        dev=examples_of(EXAMPLES[8:]),
        options=BemTrainingOptions(2, 8, 0.003, 5, "answers", True, "adamw", 0.01),
    )
    expected = {**asdict(report), "left_out": {"dev": 8}, "path": str(out)}
    assert printed == json.loads(json.dumps(expected))
    assert load_bem(str(out)).version == report.version
    assert manage.stderr.splitlines()[0] == f"training on {train} …"
    assert manage.stderr.splitlines()[-1].startswith("epoch 2, step 1 of 1: loss ")


@pytest.mark.models
def test_train_bem_says_how_well_it_does(manage: Manage, examples: Path, tmp_path: Path) -> None:
    base, out = save_tiny_encoder(tmp_path / "base"), tmp_path / "bem"
    lines = manage("train_bem", examples, "--model", base, "--out", out).splitlines()
    assert lines[0] == "12 examples, 0 held out"
    assert lines[1].startswith("epoch 1: loss ")
    assert lines[2].startswith("accuracy on train at 0.5: ")
    assert lines[3].startswith("accuracy on train at 0.")
    assert lines[4].startswith(f"{out}: epoch 1, bem|in:candidate-reference-question|thr:0.")


@pytest.mark.models
def test_train_bem_is_judged_by_examples_that_chose_nothing(
    manage: Manage, examples: Path, tmp_path: Path
) -> None:
    """Each question has two examples: four questions are learned from, the fifth chooses, and the
    sixth is judged."""
    base, out = save_tiny_encoder(tmp_path / "base"), tmp_path / "bem"
    train = write_examples(tmp_path / "8.jsonl", EXAMPLES[:8])
    dev = write_examples(tmp_path / "10.jsonl", EXAMPLES[6:10])
    command = ("train_bem", train, "--model", base, "--dev", dev, "--test", examples)
    printed = manage.json(*command, "--out", out)
    assert printed["left_out"] == {"dev": 2, "test": 10}
    assert [printed["transfer"][name]["n"] for name in ("matcher", "token_f1")] == [2, 2]
    pairs = [example.pair for example in EXAMPLES[10:]]
    bem = load_bem(str(out))
    accepted = [score >= bem.threshold for score in bem.score(pairs)]
    right = sum(one == e.correct for one, e in zip(accepted, EXAMPLES[10:], strict=True))
    assert printed["transfer"]["matcher"]["value"] == right / 2
    card = json.loads((out / "card.json").read_text())
    assert set(card["data"]) == {"train", "dev", "test"}
    lines = manage(*command, "--out", tmp_path / "again").splitlines()
    assert lines[1:3] == [
        "2 examples of --dev left out: training uses the question",
        "10 examples of --test left out: training uses the question",
    ]
    assert lines[-3].startswith(f"test file: accuracy of BEM {right / 2} [")
    assert lines[-2].startswith("test file: accuracy of token F1, tuned ")


@pytest.mark.models
def test_train_bem_refuses_a_model_that_is_not_there(
    manage: Manage, examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bem"
    with pytest.raises(SystemExit) as caught:
        manage("train_bem", examples, "--model", "./nowhere", "--out", out)
    printed = capsys.readouterr()
    assert (caught.value.code, printed.out) == (1, "")
    assert printed.err.splitlines()[-1] == "CommandError: ./nowhere: no such folder"
    assert not out.exists()


@pytest.mark.parametrize(
    "option",
    [
        "--epochs=0",
        "--batch-size=0",
        "--learning-rate=0",
        "--seed=-1",
        "--variant=all",
        "--optimiser=sgd",
        "--weight-decay=-1",
    ],
)
def test_train_bem_refuses_options_that_mean_nothing(
    manage: Manage, examples: Path, tmp_path: Path, option: str
) -> None:
    name = option.split("=")[0]
    assert f"argument {name}: " in manage.error(
        *("train_bem", examples, "--model", "m", "--out", tmp_path / "bem", option), code=2
    )
