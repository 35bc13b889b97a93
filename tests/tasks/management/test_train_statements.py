"""`manage.py train_statements`, and CAP with what it made."""

import json
from pathlib import Path

import pytest

from tasks.models import Question
from tests.tasks.management.conftest import Manage
from tests.tomahto.interchange.files import Write
from tests.tomahto.statements.triples import triple, write_triples
from tests.tomahto.tiny_models import save_tiny_bert, save_tiny_t5
from tomahto.matching.registry import load_matcher
from tomahto.pretrained.files import ModelNotSetError, configure_models

pytestmark = pytest.mark.models

CLASSES = {
    "objective": "accuracy",
    "value": 1.0,
    "n": 2,
    "classes": [{"class": "contradictory", "from": 0.0}, {"class": "exact", "from": 0.5}],
}


@pytest.fixture(autouse=True)
def models_of_this_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tomahto.pretrained.files._configured", {})


def test_a_trained_generator_serves_cap(manage: Manage, write: Write, tmp_path: Path) -> None:
    triples = write_triples(tmp_path / "t.jsonl", [triple(n) for n in range(12)])
    base, out = save_tiny_t5(tmp_path / "base"), tmp_path / "statements"
    lines = manage(
        *("train_statements", triples, "--model", base, "--out", out),
        *("--epochs", 1, "--learning-rate", 0.01),
    ).splitlines()
    assert lines[0] == "11 examples, 1 held out"
    assert lines[1].startswith("epoch 1: loss ")
    assert lines[2].startswith(f"{out}: epoch 1, BLEU ")

    nli = save_tiny_bert(tmp_path / "nli", ("contradiction", "entailment", "neutral"))
    configure_models({"TOMAHTO_CAP_STATEMENTS_MODEL": str(out), "TOMAHTO_CAP_NLI_MODEL": nli})
    pairs = write("p.jsonl", [{"question": "Who?", "references": ["Ada"], "candidate": "Bo"}])
    classes = tmp_path / "classes.json"
    classes.write_text(json.dumps(CLASSES))
    [line] = manage(
        "score_pairs", pairs, "--matcher", "cap", "--explain", "--classes", classes
    ).splitlines()
    scored = json.loads(line)
    explanation = scored["explanation"]
    assert list(scored) == [
        *("question", "references", "candidate", "score", "accepted", "explanation"),
        "predicted_class",
    ]
    assert scored["predicted_class"] == ("exact" if scored["score"] >= 0.5 else "contradictory")
    assert (explanation["score"], explanation["reference"]) == (scored["score"], "Ada")
    ahead, back = explanation["forward"], explanation["backward"]
    assert scored["score"] == pytest.approx(
        0.85 * (ahead["entailment"] + 0.3 * ahead["neutral"])
        + 0.15 * (back["entailment"] + 0.3 * back["neutral"])
    )

    configure_models({})
    with pytest.raises(ModelNotSetError):
        load_matcher("cap")


def test_statements_that_chose_nothing_say_how_well_it_writes(
    manage: Manage, tmp_path: Path
) -> None:
    """The dev question of the training is left out, and so are test questions of either."""
    places = {
        name: write_triples(tmp_path / f"{name}.jsonl", [triple(n) for n in numbers])
        for name, numbers in {"train": range(8), "dev": (7, 8, 9), "test": (0, 9, 10)}.items()
    }
    base, out = save_tiny_t5(tmp_path / "base"), tmp_path / "statements"
    command = (
        *("train_statements", places["train"], "--model", base, "--epochs", 1),
        *("--dev", places["dev"], "--test", places["test"]),
    )
    report = manage.json(*command, "--out", out)
    assert (report["examples"], report["dev_examples"], report["test"]["n"]) == (8, 2, 1)
    assert report["left_out"] == {"dev": 1, "test": 2}
    assert set(report["test"]) == {"n", "bleu", "exact", "rouge"}
    assert set(json.loads((out / "card.json").read_text())["data"]) == {"train", "dev", "test"}
    lines = manage(*command, "--out", tmp_path / "again").splitlines()
    assert lines[:3] == [
        "8 examples, 2 held out",
        "1 example of --dev left out: training uses the question",
        "2 examples of --test left out: training uses the question",
    ]
    assert any(line.startswith("test, n = 1: BLEU ") for line in lines)


def test_written_statements_become_items_to_validate(
    manage: Manage, write: Write, tmp_path: Path
) -> None:
    base, questions = save_tiny_t5(tmp_path / "base"), tmp_path / "q.jsonl"
    line = {"question": "Who?", "answer": "Ada", "question_type": "short-question"}
    questions.write_text(f"{json.dumps(line)}\n{json.dumps({**line, 'candidate': 'another'})}\n")
    triples = write_triples(tmp_path / "t.jsonl", [triple(n) for n in range(12)])
    model, out = tmp_path / "generator", tmp_path / "statements.jsonl"
    manage(
        *("train_statements", triples, "--model", base, "--out", model),
        *("--epochs", 20, "--learning-rate", 0.01, "--patience", 20),
    )
    told = manage.json("write_statements", questions, "--model", model, "--out", out)
    assert told == {"statements": 1, "system": "generator", "path": str(out)}
    written = json.loads(out.read_text())
    statement = written.pop("candidate")
    assert written == {
        "question_type": "short-question",
        "question": "Who?",
        "references": ["Ada"],
        "system": "generator",
    }
    manage("create_campaign", "valid", "--protocol", "statement", "--overlap", 1)
    brought = manage.json("import_items", "valid", out)
    assert brought == {"items_created": 1, "items_existing": 0}
    manage("write_statements", "valid", "--model", model, "--out", out, "--system", "once more")
    again = json.loads(out.read_text())
    assert (again["candidate"], again["system"]) == (statement, "once more")
    assert again["question_id"]
    of_question = Question.objects.get(key=again["question_id"])
    assert again["document"] == of_question.document.key


def test_train_statements_names_line_and_field(
    manage: Manage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, out = tmp_path / "t.jsonl", tmp_path / "out"
    path.write_text('{"question": "Who?"}\n')
    with pytest.raises(SystemExit):
        manage("train_statements", path, "--model", "m", "--out", out)
    assert capsys.readouterr().err.splitlines()[-1] == (
        f"CommandError: {path}, line 1, field answer: is missing"
    )
    assert not out.exists()
