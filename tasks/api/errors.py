"""One shape for every error: `detail` says what is wrong, `field` where."""

from typing import Any

from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from tasks.models import Assignment
from tasks.protocols.definition import AnswersError
from tasks.workflow.assignment import Paused
from tasks.workflow.rating import SubmissionRefused


class ErrorSerializer(serializers.Serializer[Any]):
    detail = serializers.CharField()
    field = serializers.CharField(required=False)


def handle_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """What the workflow refuses, as a client error; everything else as DRF has it."""
    if isinstance(error, AnswersError):
        return Response({"detail": error.message, "field": error.question}, status=400)
    if isinstance(error, SubmissionRefused | Paused):
        return Response({"detail": str(error)}, status=409)
    if isinstance(error, Assignment.DoesNotExist):
        return Response({"detail": "there is no such assignment of yours"}, status=404)
    if isinstance(error, serializers.ValidationError):
        return Response(_first(error.detail), status=400)
    return exception_handler(error, context)


def _first(detail: Any) -> dict[str, str]:
    """The first of DRF's nested messages, with its field."""
    field: list[str] = []
    while not isinstance(detail, str):
        key = next(iter(detail)) if isinstance(detail, dict) else 0
        if isinstance(key, str):
            field.append(key)
        detail = detail[key]
    return {"detail": str(detail)} | ({"field": ".".join(field)} if field else {})
