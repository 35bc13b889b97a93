"""Answers to questions that the answering model was not trained on (Bulian et al. 2022, §3.2).

The questions are split into k folds; k readers are trained, each without one fold, and each answers
the fold it has not seen. So one data set gives both the system and candidates to rate.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tomahto.answerers.extractive.answerer import ExtractiveAnswerer, ExtractiveOptions
from tomahto.answerers.extractive.training import (
    LabelledQuestion,
    SpanTrainingOptions,
    SplitBy,
    assign_folds,
    fit_reader,
    training_windows,
    untrained_reader,
)
from tomahto.answerers.interface import Answer
from tomahto.pretrained.files import digest_folder, model_folder
from tomahto.pretrained.folders import CARD, output_folder, write_card
from tomahto.pretrained.runtime import Progress, provenance, require_torch, silent
from tomahto.text.normalisation import best_overlap, exact_match

PREDICTIONS = "predictions.json"
_ANSWER_BATCH = 200  # bounds the memory that windows take


@dataclass(frozen=True, slots=True)
class CrossFitOptions:
    """The split of the questions, and the training and use of the readers.

    `training.seed` also draws the folds. Readers may abstain if some question has no answer.
    """

    folds: int = 5
    by: SplitBy = "question"
    max_answer_tokens: int = 30
    training: SpanTrainingOptions = field(default_factory=SpanTrainingOptions)


@dataclass(frozen=True, slots=True)
class FoldReport:
    """The training of one reader, and its quality on the questions that were held out from it.

    Of the training questions `without_place` have no reference in their context and `too_long`
    leave no room for it: neither are trained on. `losses` are the epochs' mean losses. `exact` and
    `f1` are the means over held-out questions with references of the exact match and the best
    token F1 (0 to 1), None if there is none; a question in `failures` counts as wrong.
    """

    fold: int
    trained_on: int
    windows: int
    without_place: int
    too_long: int
    losses: tuple[float, ...]
    held_out: int
    exact: float | None
    f1: float | None
    failures: Mapping[str, str]
    version: str


@dataclass(frozen=True, slots=True)
class CrossFit:
    """All folds' reports, and an answer to every question except those in their `failures`."""

    folds: tuple[FoldReport, ...]
    predictions: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Fold:
    """One reader's share of the work: what it learns from, what it answers, and how."""

    number: int
    training: Sequence[LabelledQuestion]
    held_out: Sequence[LabelledQuestion]
    options: CrossFitOptions
    can_abstain: bool
    base: Mapping[str, str]

    @property
    def name(self) -> str:
        return f"fold-{self.number}"

    @property
    def input_hash(self) -> str:
        """SHA-256 of all that decides the fold's content, libraries and machine apart."""
        text = json.dumps(asdict(self), ensure_ascii=False, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cross_fit(
    questions: Sequence[LabelledQuestion],
    out: Path,
    *,
    base: str,
    options: CrossFitOptions,
    progress: Progress = silent,
) -> CrossFit:
    """Trains a reader per fold, saves it in `out/fold-I` and lets it answer the fold.

    A folder appears once it is complete. One that is there, made of the same questions, base model
    and options, is used as it is, so a run that was interrupted goes on where it stopped. Raises
    ModelError, OSError (FileExistsError for a folder made of anything else) and ValueError.
    """
    require_torch()
    folder = model_folder(base)
    folds = _folds(questions, options, {"model": Path(base).name, "digest": digest_folder(folder)})
    is_there = [_is_finished(fold, out / fold.name) for fold in folds]
    for fold, is_finished in zip(folds, is_there, strict=True):
        if is_finished:
            progress(f"{fold.name} already exists")
        else:
            progress(f"{fold.name}: training on {len(fold.training)} questions …")
            _make(fold, out / fold.name, folder, progress)
    predictions: dict[str, str] = {}
    for fold in folds:
        predictions.update(_read(out / fold.name / PREDICTIONS))
    return CrossFit(
        tuple(_report_in(out / fold.name) for fold in folds),
        {q.key: predictions[q.key] for q in questions if q.key in predictions},
    )


def _folds(
    questions: Sequence[LabelledQuestion], options: CrossFitOptions, base: Mapping[str, str]
) -> list[_Fold]:
    fold_of = assign_folds(
        questions, folds=options.folds, by=options.by, seed=options.training.seed
    )
    can_abstain = any(not question.references for question in questions)
    return [
        _Fold(
            number,
            [q for q, fold in zip(questions, fold_of, strict=True) if fold != number],
            [q for q, fold in zip(questions, fold_of, strict=True) if fold == number],
            options,
            can_abstain,
            base,
        )
        for number in range(options.folds)
    ]


def _is_finished(fold: _Fold, place: Path) -> bool:
    """Whether the fold's folder is there. Raises FileExistsError if it is another's."""
    if not place.exists():
        return False
    try:
        is_same = _read(place / CARD)["input"] == fold.input_hash
    except (OSError, ValueError, KeyError, TypeError):
        is_same = False
    if not is_same:
        raise FileExistsError(
            f"{place}: already exists, made of other questions, options or another model; name a "
            "new folder"
        )
    return True


def _make(fold: _Fold, place: Path, base: Path, progress: Progress) -> None:
    training = fold.options.training
    reader = untrained_reader(base, training)
    marked = training_windows(reader, fold.training)
    losses = fit_reader(reader, marked.windows, training, progress)
    with output_folder(place) as partial:
        reader.model.save_pretrained(partial)
        reader.tokenizer.save_pretrained(partial)
        usage = ExtractiveOptions(fold.name, **_table(fold))
        answerer = ExtractiveAnswerer(fold.name, reader, usage, digest=digest_folder(partial))
        texts, failures = _answers(fold, answerer)
        exact, f1 = _judge(fold.held_out, texts)
        report = FoldReport(
            fold=fold.number,
            trained_on=len(fold.training) - marked.without_place - marked.too_long,
            windows=len(marked.windows),
            without_place=marked.without_place,
            too_long=marked.too_long,
            losses=losses,
            held_out=len(fold.held_out),
            exact=exact,
            f1=f1,
            failures=failures,
            version=answerer.version,
        )
        predictions = json.dumps(texts, ensure_ascii=False, indent=1)
        (partial / PREDICTIONS).write_text(f"{predictions}\n", encoding="utf-8")
        card = {
            "answerer": "extractive",
            "options": _table(fold),
            "base": fold.base,
            "input": fold.input_hash,
            "split": {"folds": fold.options.folds, "by": fold.options.by},
            "training": {**asdict(report), "options": asdict(training)},
            "libraries": provenance({})["libraries"],
        }
        write_card(partial, card)


def _table(fold: _Fold) -> dict[str, Any]:
    """The options under which the fold's reader answers, as a file of answerers has them."""
    return {
        "max_length": fold.options.training.max_length,
        "stride": fold.options.training.stride,
        "max_answer_tokens": fold.options.max_answer_tokens,
        "can_abstain": fold.can_abstain,
    }


def _answers(fold: _Fold, answerer: ExtractiveAnswerer) -> tuple[dict[str, str], dict[str, str]]:
    """(texts, reasons of failures), each by the question's key."""
    texts, failures = {}, {}
    for start in range(0, len(fold.held_out), _ANSWER_BATCH):
        part = fold.held_out[start : start + _ANSWER_BATCH]
        for answer in answerer.answer([question.to_answer for question in part]):
            if isinstance(answer, Answer):
                texts[answer.key] = answer.text
            else:
                failures[answer.key] = answer.reason
    return texts, failures


def _judge(
    held_out: Sequence[LabelledQuestion], texts: Mapping[str, str]
) -> tuple[float | None, float | None]:
    answerable = [question for question in held_out if question.references]
    if not answerable:
        return None, None
    given = [(texts.get(question.key, ""), question.references) for question in answerable]
    exact = sum(exact_match(text, references) for text, references in given)
    f1 = sum(best_overlap(text, references).f1 for text, references in given)
    return exact / len(given), f1 / len(given)


def _report_in(place: Path) -> FoldReport:
    values = {**_read(place / CARD)["training"]}
    del values["options"]
    return FoldReport(**{**values, "losses": tuple(values["losses"])})


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
