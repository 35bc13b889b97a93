"""manage.py cross_fit FILE --model ID_OR_PATH --out DIR [--folds K] [--by question|document] …"""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tasks.intake.workflow.identity import fingerprint, unnamed_key
from tasks.management.command import TomahtoCommand
from tasks.management.evaluation.options import positive_number
from tasks.management.output_file import output_file
from tasks.management.training import add_training_options, print_line
from tomahto.answerers.extractive.cross_fit import PREDICTIONS, CrossFitOptions, cross_fit
from tomahto.answerers.extractive.labelled_questions import LabelledQuestion
from tomahto.answerers.extractive.training import SpanTrainingOptions
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.reading.records import QuestionRecord

_DEFAULTS = CrossFitOptions()
_TRAINING = _DEFAULTS.training
_REPORT = "report.json"


class Command(TomahtoCommand):
    help = (
        "Split questions into folds, train a reader without each of them and let it answer the "
        "fold it has not seen. Needs torch."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="questions, as import_questions reads them")
        parser.add_argument("--format", choices=["squad", "jsonl", "csv"])
        add_training_options(parser, _TRAINING, base="google-bert/bert-base-uncased", has_dev=False)
        parser.add_argument(
            "--folds", type=int, default=_DEFAULTS.folds, help=f"default {_DEFAULTS.folds}"
        )
        parser.add_argument(
            "--by",
            choices=["question", "document"],
            default=_DEFAULTS.by,
            help=f"what shares a fold; default {_DEFAULTS.by}",
        )
        for option, default in (
            ("--max-length", _TRAINING.max_length),
            ("--stride", _TRAINING.stride),
            ("--max-answer-tokens", _DEFAULTS.max_answer_tokens),
        ):
            parser.add_argument(
                option, type=positive_number, default=default, help=f"default {default}"
            )

    def work(self, **options: Any) -> dict[str, Any]:
        out: Path = options["out"]
        records = read_questions(options["file"], format=options["format"])
        found = cross_fit(
            _labelled(self.counted(records, "questions")),
            out,
            base=options["model"],
            options=_options(options),
            progress=print_line,
        )
        report = {"folds": [asdict(fold) for fold in found.folds], "path": str(out)}
        _write(out / PREDICTIONS, found.predictions)
        _write(out / _REPORT, report)
        return {**report, "predictions": str(out / PREDICTIONS)}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for fold in result["folds"]:
            yield (
                "fold {fold}: trained on {trained_on} questions ({windows} windows), answered "
                "{held_out}, exact {exact}, F1 {f1}, failures {failed}"
            ).format(**fold, failed=len(fold["failures"]))
        yield result["predictions"]


def _options(given: Mapping[str, Any]) -> CrossFitOptions:
    return CrossFitOptions(
        folds=given["folds"],
        by=given["by"],
        max_answer_tokens=given["max_answer_tokens"],
        training=SpanTrainingOptions(
            epochs=given["epochs"],
            batch_size=given["batch_size"],
            learning_rate=given["learning_rate"],
            seed=given["seed"],
            max_length=given["max_length"],
            stride=given["stride"],
        ),
    )


def _labelled(records: Iterable[QuestionRecord]) -> list[LabelledQuestion]:
    """The questions by the keys that importing them gives; of equal ones the first."""
    questions: dict[str, LabelledQuestion] = {}
    for record in records:
        key = record.key or unnamed_key(fingerprint(record))
        questions.setdefault(
            key,
            LabelledQuestion(
                key,
                record.text,
                record.context,
                record.references,
                record.answer_starts,
                record.document,
            ),
        )
    return list(questions.values())


def _write(path: Path, values: Mapping[str, Any]) -> None:
    with output_file(path) as file:
        json.dump(values, file, ensure_ascii=False, indent=1)
        file.write("\n")
