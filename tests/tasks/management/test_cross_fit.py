"""`manage.py cross_fit`: from a file of questions to predictions that can be imported."""

import json
from pathlib import Path

import pytest

from tasks.models import Candidate
from tests.tasks.management.conftest import Manage
from tests.tomahto.answerers.extractive.planted import planted_questions
from tests.tomahto.interchange.files import Write
from tests.tomahto.tiny_models import save_tiny_reader

SMALL = (
    *("--folds", 3, "--epochs", 2, "--batch-size", 8, "--learning-rate", 0.003),
    *("--max-length", 64, "--stride", 16, "--max-answer-tokens", 3),
)


@pytest.fixture
def file(write: Write) -> Path:
    """Questions with ids and documents, and two without."""
    rows: list[dict[str, object]] = [
        {
            "id": question.key,
            "document": question.document,
            "question": question.question,
            "context": question.context,
            "references": list(question.references),
            "answer_starts": list(question.starts),
        }
        for question in planted_questions(12)
    ]
    for row in rows[-2:]:
        del row["id"], row["document"]
    return write("questions.jsonl", rows)


@pytest.mark.models
def test_cross_fit_makes_predictions_that_can_be_imported(
    manage: Manage, campaign: str, file: Path, tmp_path: Path
) -> None:
    base, out = save_tiny_reader(tmp_path / "base"), tmp_path / "out"
    printed = manage.json("cross_fit", file, "--model", base, "--out", out, *SMALL)
    report = json.loads((out / "report.json").read_text())
    assert printed == {**report, "predictions": str(out / "predictions.json")}
    assert [fold["held_out"] for fold in report["folds"]] == [4, 4, 4]
    assert sorted(path.name for path in out.iterdir()) == [
        *("fold-0", "fold-1", "fold-2", "predictions.json", "report.json")
    ]
    manage.json("import_questions", campaign, file)
    intake = manage.json(
        "import_predictions", campaign, out / "predictions.json", "--system", "reader"
    )
    assert (intake["candidates"], intake["unknown_questions"]) == (12, 0)
    stored = dict(Candidate.objects.values_list("question__key", "text"))
    assert stored == json.loads((out / "predictions.json").read_text())


@pytest.mark.models
def test_cross_fit_goes_on_where_it_stopped(manage: Manage, file: Path, tmp_path: Path) -> None:
    base, out = save_tiny_reader(tmp_path / "base"), tmp_path / "out"
    arguments = ("cross_fit", file, "--model", base, "--out", out, *SMALL)
    first = manage(*arguments).splitlines()
    assert manage.stderr.splitlines()[0] == "fold-0: training on 8 questions …"
    again = manage(*arguments).splitlines()
    assert manage.stderr.splitlines() == [f"fold-{n} already exists" for n in range(3)]
    assert again == first
    assert first[0].startswith("fold 0: trained on 8 questions (8 windows), answered 4, exact 0.")
    assert first[-1] == str(out / "predictions.json")


@pytest.mark.models
def test_cross_fit_writes_nothing_over_another_run(
    manage: Manage, file: Path, tmp_path: Path
) -> None:
    base, out = save_tiny_reader(tmp_path / "base"), tmp_path / "out"
    manage("cross_fit", file, "--model", base, "--out", out, *SMALL)
    before = (out / "predictions.json").read_bytes()
    printed = manage.error("cross_fit", file, "--model", base, "--out", out, *SMALL, "--seed", 1)
    assert f"CommandError: {out / 'fold-0'}: already exists, made of other" in printed
    assert (out / "predictions.json").read_bytes() == before


@pytest.mark.models
@pytest.mark.parametrize(
    ("option", "fault"),
    [("--folds=13", "13 folds of 12 questions"), ("--stride=384", "stride: must be less than")],
)
def test_cross_fit_refuses_what_cannot_be(
    manage: Manage, file: Path, tmp_path: Path, option: str, fault: str
) -> None:
    base, out = save_tiny_reader(tmp_path / "base"), tmp_path / "out"
    assert fault in manage.error("cross_fit", file, "--model", base, "--out", out, option)
    assert not out.exists()
