import json
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tasks.intake.workflow.identity import question_key
from tasks.management.command import TomahtoCommand, output_file, print_line
from tasks.management.training import EPOCHS, add_model_options, add_options, options_of
from tomahto.answerers.extractive.cross_fit import PREDICTIONS, CrossFitOptions, cross_fit
from tomahto.answerers.extractive.training import LabelledQuestion, SpanTrainingOptions
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.reading.records import QuestionRecord

_DEFAULTS = CrossFitOptions()
_REPORT = "report.json"


class Command(TomahtoCommand):
    help = (
        "Split questions into folds, train a reader without each fold and let it answer the fold "
        "it has not seen. Needs torch."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="questions, as import_questions reads them")
        parser.add_argument("--format", choices=["squad", "jsonl", "csv"])
        add_model_options(parser, base="google-bert/bert-base-uncased")
        parser.add_argument(
            "--folds", type=int, default=_DEFAULTS.folds, help=f"default {_DEFAULTS.folds}"
        )
        own = {"by": "what shares a fold", "max_answer_tokens": ""}
        add_options(parser, CrossFitOptions, own)
        add_options(parser, SpanTrainingOptions, {**EPOCHS, "max_length": "", "stride": ""})

    def work(self, **options: Any) -> dict[str, Any]:
        out: Path = options["out"]
        records = read_questions(options["file"], format=options["format"])
        found = cross_fit(
            _labelled(self.counted(records, "questions")),
            out,
            base=options["model"],
            options=replace(
                options_of(CrossFitOptions, options),
                training=options_of(SpanTrainingOptions, options),
            ),
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


def _labelled(records: Iterable[QuestionRecord]) -> list[LabelledQuestion]:
    """The questions by the keys that importing them gives; of equal ones the first."""
    questions: dict[str, LabelledQuestion] = {}
    for record in records:
        key = question_key(record)
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
