from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterable, Mapping
from typing import Any

from tasks.management.command import TomahtoCommand, campaign_named
from tasks.releases.queries.datasheet import datasheet_answers
from tasks.releases.workflow.datasheet import answer_datasheet
from tomahto.releases.documents.datasheet import NOT_STATED, QUESTIONS, blanks_among


class Command(TomahtoCommand):
    help = "Show the datasheet's questions with their answers, and answer some of them."

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument(
            "--set",
            type=_answer,
            action="append",
            default=[],
            metavar="KEY=TEXT",
            help="may be repeated; an empty text removes the answer. Keys: "
            f"{', '.join(question.key for question in QUESTIONS)}",
        )

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        changed = answer_datasheet(campaign=campaign, answers=dict(options["set"]))
        answers = datasheet_answers(campaign)
        return {
            "answers": {question.key: answers.get(question.key) for question in QUESTIONS},
            "blanks": list(blanks_among(answers)),
            "changed": changed,
        }

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        for question in QUESTIONS:
            answer = result["answers"][question.key]
            yield f"{question.key}: {question.question}"
            yield f"  {NOT_STATED if answer is None else answer}"


def _answer(text: str) -> tuple[str, str]:
    key, equals, answer = text.partition("=")
    if not (key and equals):
        raise ArgumentTypeError(f"{text!r} is not KEY=TEXT")
    return key, answer
