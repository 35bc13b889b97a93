"""Answering the questions of the datasheet. Earlier answers stay, with who wrote them."""

from collections.abc import Mapping

from django.db import transaction

from tasks.models import AuditAction, Campaign, DatasheetAnswer, User
from tasks.releases.queries.datasheet import datasheet_answers
from tasks.storing.acts import record
from tomahto.interchange.reading.row import is_text, refusal
from tomahto.releases.documents.citation import AuthorsError, parse_authors
from tomahto.releases.documents.datasheet import AUTHORS, QUESTION_OF

MAX_ANSWER = 10_000


class AnswerRefused(ValueError):
    """A text that is no answer to its question; `key` is the question's."""

    def __init__(self, key: str, message: str) -> None:
        self.key = key
        super().__init__(f"{key}: {message}")


@transaction.atomic
def answer_datasheet(
    *, campaign: Campaign, answers: Mapping[str, str], written_by: User | None = None
) -> list[str]:
    """Store the answers, by the key of their question; an empty text takes an answer back.

    Returns the keys whose answer is another now. Raises AnswerRefused, and nothing is stored then.
    """
    before = datasheet_answers(campaign)
    texts = {key: _checked(key, text) for key, text in answers.items()}
    changed = [key for key, text in texts.items() if text != before.get(key, "")]
    DatasheetAnswer.objects.bulk_create(
        DatasheetAnswer(campaign=campaign, question=key, text=texts[key], written_by=written_by)
        for key in changed
    )
    if changed:
        record(AuditAction.DATASHEET_ANSWERED, campaign=campaign, details={"questions": changed})
    return changed


def _checked(key: str, text: str) -> str:
    if key not in QUESTION_OF:
        raise AnswerRefused(key, f"is not a question; the questions are {', '.join(QUESTION_OF)}")
    text = text.replace("\r\n", "\n").strip()
    if not is_text(text, MAX_ANSWER):
        raise AnswerRefused(key, refusal(text, MAX_ANSWER))
    choices = QUESTION_OF[key].choices
    if text and choices and text not in choices:
        raise AnswerRefused(key, f"is not one of {', '.join(choices)}")
    if key == AUTHORS:
        try:
            parse_authors(text)
        except AuthorsError as error:
            raise AnswerRefused(key, str(error)) from error
    return text
