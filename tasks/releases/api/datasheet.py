"""The datasheet of a campaign's releases: what only its people can answer."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, patch
from tasks.access.guards.roles import RESULTS
from tasks.models import Campaign, DatasheetAnswer, Membership
from tasks.releases.queries.datasheet import answers_in_force
from tasks.releases.workflow.datasheet import MAX_ANSWER, AnswerRefused, answer_datasheet
from tasks.web.bodies import Body, read_body
from tomahto.releases.documents.datasheet_questions import QUESTIONS, SECTIONS, Question


class DatasheetQuestionSerializer(serializers.Serializer[Any]):
    """A question and its answer in force, empty where there is none. With `choices` the answer is
    one of them."""

    key = serializers.CharField()
    section = serializers.CharField(help_text=f"One of {', '.join(SECTIONS)}.")
    question = serializers.CharField()
    hint = serializers.CharField()
    choices = serializers.ListField(child=serializers.CharField())
    answer = serializers.CharField()
    answered_at = serializers.DateTimeField(allow_null=True)


class DatasheetSerializer(serializers.Serializer[Any]):
    questions = DatasheetQuestionSerializer(many=True)
    blanks = serializers.IntegerField(help_text="Questions without an answer.")


class DatasheetAnswers(Body):
    """Answers by the key of their question. Those that are not named stay; an empty text takes an
    answer back."""

    answers = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=MAX_ANSWER, trim_whitespace=False)
    )


@call_at("v1/campaigns/<slug:slug>/datasheet", name="api-datasheet")
@get("datasheet", RESULTS, gives=DatasheetSerializer)
@patch("answer_datasheet", RESULTS, takes=DatasheetAnswers, gives=DatasheetSerializer)
def datasheet(request: Request, member: Membership) -> Response:
    """Every question with its answer. All of the answers are stored, or none."""
    if request.method == "PATCH":
        _answer(member, read_body(request, DatasheetAnswers)["answers"])
    return Response(_datasheet(member.campaign))


def _answer(membership: Membership, answers: dict[str, str]) -> None:
    try:
        answer_datasheet(campaign=membership.campaign, answers=answers, written_by=membership.user)
    except AnswerRefused as error:
        text = str(error).removeprefix(f"{error.key}: ")
        raise serializers.ValidationError({"answers": {error.key: text}}) from error


def _datasheet(campaign: Campaign) -> dict[str, Any]:
    """As DatasheetSerializer describes it."""
    answers = answers_in_force(campaign)
    questions = [_question(question, answers.get(question.key)) for question in QUESTIONS]
    return {"questions": questions, "blanks": sum(not each["answer"] for each in questions)}


def _question(question: Question, answer: DatasheetAnswer | None) -> dict[str, Any]:
    """As DatasheetQuestionSerializer describes it."""
    return {
        "key": question.key,
        "section": question.section,
        "question": question.question,
        "hint": question.hint,
        "choices": list(question.choices),
        "answer": answer.text if answer else "",
        "answered_at": answer.written_at if answer else None,
    }
