"""Published files of judged answers, as `evaluate reproduce` reads them: JSON lines."""

from collections.abc import Collection
from pathlib import Path

from inference.matchers.interface import Pair
from lab.reproduce.cap_answers import CapAnswer
from lab.reproduce.cfmatch import JudgedAnswer
from tasks.importers.human_labels import HumanLabels
from tasks.importers.input_file import InputFile
from tasks.importers.items import ITEM_REFERENCE_NAMES
from tasks.importers.labelled_scores import class_of
from tasks.importers.limits import MAX_CONTEXT, MAX_NAME
from tasks.importers.row import Row, kind
from tasks.importers.rows import json_rows


def read_cap_answers(path: Path, classes: Collection[str]) -> list[CapAnswer]:
    """Lines of {"question", "gold_answer", "candidate_answer", "correctness_label"[,
    "other_gold_answers", "human_label", "system", "scores"]}; `scores` is an object of numbers.

    Raises InputError with file, line and field, also for a file without a line.
    """
    file = InputFile.at(path)
    answers = [_cap_answer(row, classes) for row in json_rows(file)]
    if not answers:
        raise file.error("holds no line")
    return answers


def read_judged_answers(path: Path) -> list[JudgedAnswer]:
    """Lines of {"question", "references" | "reference", "candidate", "label"[, "system"]};
    labels are as `HumanLabels` reads them.

    Raises InputError with file, line and field, also for a file without a line.
    """
    file = InputFile.at(path)
    labels = HumanLabels(file)
    answers = [_judged_answer(row, labels) for row in json_rows(file)]
    if not answers:
        raise file.error("holds no line")
    labels.check()
    return answers


def _cap_answer(row: Row, classes: Collection[str]) -> CapAnswer:
    others = row.texts("other_gold_answers") if row.name_of("other_gold_answers") else []
    has_human = row.name_of("human_label") is not None
    return CapAnswer(
        pair=Pair(
            question=row.text("question"),
            context="",
            references=(row.text("gold_answer"), *others),
            candidate=row.text_or_empty("candidate_answer"),
        ),
        label=class_of(row, "correctness_label", classes),
        human_label=class_of(row, "human_label", classes) if has_human else None,
        system=row.optional_text("system", limit=MAX_NAME),
        scores=_scores(row),
    )


def _scores(row: Row) -> dict[str, float]:
    if row.name_of("scores") is None:
        return {}
    values = row.values["scores"]
    if not isinstance(values, dict):
        raise row.error(f"must be an object, not {kind(values)}", "scores")
    scores = Row(row.source, values, f"{row.path}scores.")
    return {name: number for name in values if (number := scores.real_number(name)) is not None}


def _judged_answer(row: Row, labels: HumanLabels) -> JudgedAnswer:
    references = row.texts(*ITEM_REFERENCE_NAMES)
    if not references:
        raise row.error("is empty: a matcher compares with a reference", "references")
    return JudgedAnswer(
        pair=Pair(
            question=row.text("question"),
            context=row.optional_text("context", limit=MAX_CONTEXT),
            references=tuple(references),
            candidate=row.text_or_empty("candidate"),
        ),
        is_right=labels.is_right(row),
        system=row.optional_text("system", limit=MAX_NAME),
    )
