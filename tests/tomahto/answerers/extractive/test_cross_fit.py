import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tomahto.answerers.extractive.planted import SMALL, planted_questions
from tests.tomahto.tiny_models import save_tiny_reader
from tomahto.answerers.extractive.answerer import ExtractiveOptions, load_extractive
from tomahto.answerers.extractive.cross_fit import CrossFit, CrossFitOptions, cross_fit
from tomahto.answerers.extractive.reader import SpanReader
from tomahto.answerers.extractive.training import (
    LabelledQuestion,
    SplitBy,
    TrainingWindows,
    training_windows,
)
from tomahto.answerers.interface import Answer
from tomahto.pretrained.files import digest_file, digest_folder

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_reader(tmp_path_factory.mktemp("models") / "base")


def files_in(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): digest_file(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def trained(lines: Sequence[str]) -> list[str]:
    return [line.split(":")[0] for line in lines if ": training on" in line]


@pytest.fixture
def taught(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """The keys of the questions that each training has seen, in the order of trainings."""
    seen: list[set[str]] = []

    def watched(reader: SpanReader, questions: Sequence[LabelledQuestion]) -> TrainingWindows:
        seen.append({question.key for question in questions})
        return training_windows(reader, questions)

    monkeypatch.setattr("tomahto.answerers.extractive.cross_fit.training_windows", watched)
    return seen


@pytest.mark.parametrize("by", ["question", "document"])
def test_no_model_answers_what_it_was_trained_on(
    by: SplitBy, base: str, taught: list[set[str]], tmp_path: Path
) -> None:
    questions = planted_questions(18)
    options = replace(SMALL, by=by, training=replace(SMALL.training, epochs=1))
    found = cross_fit(questions, tmp_path / "out", base=base, options=options)
    everything = {question.key for question in questions}
    for fold, seen in enumerate(taught):
        path = tmp_path / "out" / f"fold-{fold}" / "predictions.json"
        answered = set(json.loads(path.read_text()))
        assert answered == everything - seen
        assert len(answered) == 6
        if by == "document":
            document_of = {question.key: question.document for question in questions}
            assert {document_of[key] for key in answered}.isdisjoint(document_of[k] for k in seen)
    assert list(found.predictions) == [question.key for question in questions]


def test_the_readers_learn_the_rule_and_answer_with_it(base: str, tmp_path: Path) -> None:
    questions = planted_questions(60)
    options = replace(SMALL, training=replace(SMALL.training, epochs=25))
    found = cross_fit(questions, tmp_path / "out", base=base, options=options)
    right = sum(found.predictions[q.key] == q.references[0] for q in questions)
    assert right > 48  # by chance one of eight words, were it one word: 7 or 8 of 60
    assert sum(fold.exact * fold.held_out for fold in found.folds if fold.exact is not None) == (
        pytest.approx(right)
    )
    assert [(f.fold, f.trained_on, f.windows, f.held_out) for f in found.folds] == [
        (0, 40, 40, 20),
        (1, 40, 40, 20),
        (2, 40, 40, 20),
    ]
    assert all(len(fold.losses) == 25 for fold in found.folds)


def test_a_folds_folder_is_a_model_that_answers_alike(base: str, tmp_path: Path) -> None:
    questions = planted_questions(12)
    found = cross_fit(questions, tmp_path / "out", base=base, options=SMALL)
    folder = tmp_path / "out" / "fold-1"
    card = json.loads((folder / "card.json").read_text())
    answerer = load_extractive("fold-1", ExtractiveOptions(str(folder), **card["options"]))
    assert answerer.version == found.folds[1].version
    answered = json.loads((folder / "predictions.json").read_text())
    answers = answerer.answer([q.to_answer for q in questions if q.key in answered])
    assert {a.key: a.text for a in answers if isinstance(a, Answer)} == answered
    assert card["options"]["can_abstain"] is False
    assert card["base"]["model"] == "base"


def test_the_same_again_trains_nothing_and_gives_the_same(base: str, tmp_path: Path) -> None:
    questions, out = planted_questions(12), tmp_path / "out"
    lines: list[str] = []

    def run() -> CrossFit:
        lines.clear()
        return cross_fit(questions, out, base=base, options=SMALL, progress=lines.append)

    first, files = run(), files_in(out)
    assert trained(lines) == ["fold-0", "fold-1", "fold-2"]
    assert run() == first
    assert lines == [f"fold-{fold} already exists" for fold in range(3)]
    for path in (out / "fold-1").iterdir():
        path.unlink()
    (out / "fold-1").rmdir()
    assert run() == first
    assert trained(lines) == ["fold-1"]
    assert files_in(out) == files


def test_what_is_interrupted_leaves_whole_folds_and_goes_on(
    base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    questions, out = planted_questions(12), tmp_path / "out"

    def interrupted(folder: Path) -> str:
        if folder.name.startswith(".fold-1."):  # the model is saved, its card is not
            raise KeyboardInterrupt
        return digest_folder(folder)

    monkeypatch.setattr("tomahto.answerers.extractive.cross_fit.digest_folder", interrupted)
    with pytest.raises(KeyboardInterrupt):
        cross_fit(questions, out, base=base, options=SMALL)
    assert [path.name for path in out.iterdir()] == ["fold-0"]
    monkeypatch.undo()
    lines: list[str] = []
    found = cross_fit(questions, out, base=base, options=SMALL, progress=lines.append)
    assert trained(lines) == ["fold-1", "fold-2"]
    assert found == cross_fit(questions, tmp_path / "again", base=base, options=SMALL)


@pytest.mark.parametrize("what", ["questions", "options", "base", "folder"])
def test_a_folder_made_of_anything_else_is_left_alone(what: str, base: str, tmp_path: Path) -> None:
    questions, options, out = planted_questions(12), SMALL, tmp_path / "out"
    cross_fit(questions, out, base=base, options=options)
    match what:
        case "questions":
            questions[5] = replace(questions[5], context=questions[5].context + " fox")
        case "options":
            options = replace(SMALL, training=replace(SMALL.training, learning_rate=1e-4))
        case "base":
            base = save_tiny_reader(tmp_path / "base", seed=1)
        case "folder":
            (out / "fold-2" / "card.json").unlink()
    files = files_in(out)
    with pytest.raises(FileExistsError, match=r"fold-\d: already exists, made of other"):
        cross_fit(questions, out, base=base, options=options)
    assert files_in(out) == files


def test_questions_without_answers_let_the_readers_abstain(base: str, tmp_path: Path) -> None:
    questions = [
        replace(question, references=(), starts=()) if number % 2 else question
        for number, question in enumerate(planted_questions(12))
    ]
    cross_fit(questions, tmp_path / "out", base=base, options=SMALL)
    card = json.loads((tmp_path / "out" / "fold-0" / "card.json").read_text())
    assert card["options"]["can_abstain"] is True


def test_what_cannot_be_answered_or_learned_is_reported(base: str, tmp_path: Path) -> None:
    questions = planted_questions(12)
    questions[0] = replace(questions[0], question="who " * 80)
    questions[1] = replace(questions[1], references=("nowhere",), starts=(None,))
    found = cross_fit(questions, tmp_path / "out", base=base, options=SMALL)
    assert "q0" not in found.predictions
    assert [dict(fold.failures) for fold in found.folds if fold.failures] == [
        {"q0": "the question leaves 0 of 64 tokens for its context, which needs 3"}
    ]
    assert sum(fold.too_long for fold in found.folds) == 2  # in the two folds that train on it
    assert sum(fold.without_place for fold in found.folds) == 2
    assert sum(fold.trained_on for fold in found.folds) == 2 * 10


def test_more_folds_than_questions_are_refused(base: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="5 folds of 2 questions"):
        cross_fit(planted_questions(2), tmp_path / "out", base=base, options=CrossFitOptions())
    assert not (tmp_path / "out").exists()
