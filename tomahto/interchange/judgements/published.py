"""Published files of judged answers, as `evaluate reproduce` reads them: JSON lines."""

import json
from collections.abc import Collection
from pathlib import Path

from tomahto.interchange.judgements.cap_explanations import inferences_of
from tomahto.interchange.judgements.human_labels import HumanLabels
from tomahto.interchange.judgements.labelled_scores import class_of, part_of
from tomahto.interchange.judgements.pairs import candidate_names, pair_candidate, pair_references
from tomahto.interchange.reading.distinct_keys import DistinctKeys
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.limits import MAX_CONTEXT, MAX_NAME
from tomahto.interchange.reading.records import InputError
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import at_least_one, json_rows
from tomahto.lab.reproduce.cap.answers import CapAnswer, ItemScores
from tomahto.lab.reproduce.cap.statements import LABELS, JudgedStatement, WrittenStatements
from tomahto.lab.reproduce.cfmatch.answers import Answer
from tomahto.lab.reproduce.cfmatch.figures import MeasuredCost
from tomahto.matching.interface import Pair


def read_cap_answers(path: Path, classes: Collection[str]) -> list[CapAnswer]:
    """Lines of {"question", "gold_answer", "candidate_answer", "correctness_label"[,
    "other_gold_answers", "human_label", "synthetic_label", "system", "source", "id", "scores",
    "explanation"]};
    `scores` is an object of numbers, the explanation what `score_pairs --explain` writes.
    References and candidate may also be called so. Beside a `synthetic_label`, as the format
    `cap-correctness` has it, `correctness_label` is a person's.

    Raises InputError with file, line and field, also for a file without a line.
    """
    file = InputFile.at(path)
    return [_cap_answer(row, classes) for row in at_least_one(json_rows(file), file)]


def read_judged_statements(path: Path) -> list[JudgedStatement]:
    """Lines of {"question", "label"[, "question_type", "subject"]}, as the format `cap-statements`
    has them.

    Raises InputError with file, line and field, also for a file without a line.
    """
    file = InputFile.at(path)
    return [
        JudgedStatement(
            row.text("question"),
            row.optional_text("question_type"),
            row.optional_text("subject"),
            class_of(row, "label", LABELS),
        )
        for row in at_least_one(json_rows(file), file)
    ]


def read_item_scores(path: Path) -> dict[str, ItemScores]:
    """By item, from lines of {"id"[, "scores", "explanation"]}; the explanation, as
    `score_pairs --matcher cap --explain` and `export_suggestions` write it, has CAP's score.

    Raises InputError with file, line and field, also for an id that stands twice.
    """
    file, ids = InputFile.at(path), DistinctKeys("the id", "id")
    found = {}
    for row in at_least_one(json_rows(file), file):
        item = row.required_name("id")
        ids.add(item, row.source)
        found[item] = _item_scores(row)
    return found


def _item_scores(row: Row) -> ItemScores:
    scores = read_scores(row)
    if row.name_of("explanation") is None:
        return ItemScores(scores, None)
    score = part_of(row, "explanation").number("score", 1.0)
    return ItemScores({**({} if score is None else {"cap": score}), **scores}, inferences_of(row))


def read_written_statements(path: Path) -> WrittenStatements:
    """From what `train_statements --json` printed. Raises InputError."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        rouge = said["rouge"] or {}
        return WrittenStatements(
            int(said["dev_examples"]),
            float(said["bleu"]),
            float(rouge["rougeL"]) if rouge else None,
            float(said["exact"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError("is not what train_statements --json prints", file=str(path)) from error


def read_answers(path: Path, *, system: str | None = None) -> list[Answer]:
    """Lines of {"question", "references" | "reference", "candidate", "label"[, "system",
    "scores"]}; labels are as `HumanLabels` reads them. A candidate may be a list of the answer's
    names.

    With `system` all answers are of that system and need no label. Raises InputError with file,
    line and field, also for a file without a line.
    """
    file = InputFile.at(path)
    labels = HumanLabels(file)
    answers = [_answer(row, system, labels) for row in at_least_one(json_rows(file), file)]
    labels.check()
    return answers


def read_costs(path: Path) -> dict[str, MeasuredCost]:
    """By matcher, from what `evaluate cost --json` printed. Raises InputError."""
    try:
        matchers = json.loads(path.read_text(encoding="utf-8"))["matchers"]
        return {
            one["matcher"]: MeasuredCost(
                float(one["seconds_per_1000_pairs"]["median"]), int(one["disk_bytes"])
            )
            for one in matchers
        }
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError("is not what evaluate cost --json prints", file=str(path)) from error


def _cap_answer(row: Row, classes: Collection[str]) -> CapAnswer:
    published, human = "correctness_label", row.name_of("human_label")
    if row.optional_text("synthetic_label"):
        published, human = "synthetic_label", published
    answer = CapAnswer(
        pair=Pair(
            question=row.text("question"),
            context="",
            references=pair_references(row),
            candidate=pair_candidate(row),
        ),
        label=class_of(row, published, classes),
        human_label=class_of(row, human, classes) if human else None,
        system=row.optional_text("system", limit=MAX_NAME),
        scores=read_scores(row),
        id=row.optional_text("id", limit=MAX_NAME),
        corpus=row.optional_text("source", limit=MAX_NAME),
    )
    if row.name_of("explanation") is None:
        return answer
    score = part_of(row, "explanation").number("score", 1.0)
    return answer.with_inferences(score, *inferences_of(row))


def read_scores(row: Row) -> dict[str, float]:
    """The numbers under "scores" by metric; none where the row has no scores."""
    if row.name_of("scores") is None:
        return {}
    scores = row.object("scores")
    numbers = {name: scores.real_number(name) for name in scores.values}
    return {name: number for name, number in numbers.items() if number is not None}


def _answer(row: Row, system: str | None, labels: HumanLabels) -> Answer:
    name, *others = candidate_names(row)
    has_label = system is None or row.name_of("label") is not None
    return Answer(
        pair=Pair(
            question=row.text("question"),
            context=row.optional_text("context", limit=MAX_CONTEXT),
            references=pair_references(row),
            candidate=name,
        ),
        is_right=labels.is_right(row) if has_label else None,
        system=row.optional_text("system", limit=MAX_NAME) if system is None else system,
        other_names=tuple(others),
        scores=read_scores(row),
    )
