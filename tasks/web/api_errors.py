"""One shape for every error of the API: `detail` says what is wrong, `field` where."""

import logging
from typing import Any

from django.core.exceptions import NON_FIELD_ERRORS, RequestDataTooBig, ValidationError
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.fields import get_error_detail
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import exception_handler

from tasks.models import Assignment
from tasks.protocols.definition import AnswersError
from tasks.release_store.files import StoreError
from tasks.storing import refusals
from tasks.storing.refusals import Refusal
from tomahto.interchange.reading.records import InputError

logger = logging.getLogger(__name__)

# the names under which what is wrong with no single field is told
_WHOLE = (api_settings.NON_FIELD_ERRORS_KEY, NON_FIELD_ERRORS)


class ErrorSerializer(serializers.Serializer[Any]):
    detail = serializers.CharField()
    field = serializers.CharField(required=False)


class InputErrorSerializer(ErrorSerializer):
    """An error in a file, and its line."""

    line = serializers.IntegerField(required=False)


def handle_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Refusals of the workflow as client errors; everything else as in DRF."""
    if isinstance(error, Refusal):
        return _refused(error, context["request"])
    if isinstance(error, AnswersError):
        return _refusal({"detail": error.message, "field": error.question}, 400)
    if isinstance(error, InputError):
        place = {"line": error.line, "field": error.field}
        known = {name: value for name, value in place.items() if value is not None}
        return _refusal({"detail": str(error), **known}, 400)
    if isinstance(error, RequestDataTooBig):
        return _refusal({"detail": "the body is too large"}, 413)
    if isinstance(error, Assignment.DoesNotExist):
        return _refusal({"detail": "you have no such assignment"}, 404)
    if isinstance(error, StoreError):
        logger.warning("files of a release cannot be read: %s", error)
        detail = "the files of releases cannot be read at the moment"
        return Response({"detail": detail}, status=503, headers={"Retry-After": "30"})
    if isinstance(error, ValidationError):
        return _refusal(_first(get_error_detail(error)), 400)
    if refusals.is_outage(error):
        logger.warning("the database did not answer: %s", error)
        headers = {"Retry-After": refusals.TRY_AGAIN_AFTER}
        return Response({"detail": refusals.detail_of(error)}, status=503, headers=headers)
    if isinstance(error, serializers.ValidationError):
        return _refusal(_first(error.detail), 400)
    return exception_handler(error, context)


def _refused(error: Refusal, request: Request) -> Response:
    def address_of(page: str, *args: object) -> str:
        return request.build_absolute_uri(reverse(page, args=args))

    answer = _refusal(dict(error.body(address_of)), error.status)
    for name, value in error.headers().items():
        answer[name] = value
    return answer


def _refusal(body: dict[str, Any], status: int) -> Response:
    """A text of the client in the message may not be sendable: half of a pair of surrogates is
    written out."""
    texts = {
        key: value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value
        for key, value in body.items()
    }
    return Response(texts, status=status)


def _first(detail: Any) -> dict[str, str]:
    """The first of DRF's nested messages, with its field."""
    field: list[str] = []
    while not isinstance(detail, str):
        key = next(iter(detail)) if isinstance(detail, dict) else 0
        if isinstance(key, str) and key not in _WHOLE:
            field.append(key)
        detail = detail[key]
    return {"detail": str(detail)} | ({"field": ".".join(field)} if field else {})


class Conflict(APIException):
    status_code = 409


_ANSWERS = {
    "401": "No valid token.",
    "429": "Too many calls: wait as long as Retry-After says.",
    "503": "Database or release store unavailable, busy or slow: wait as long as Retry-After says.",
}


def add_common_answers(
    result: dict[str, Any],
    generator: object,  # noqa: ARG001 - drf-spectacular's signature
    request: object,  # noqa: ARG001 - the same
    public: bool,  # noqa: ARG001 - the same
) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for path in result["paths"].values():
        for operation in path.values():
            for status, text in _ANSWERS.items():
                answer = {"description": text, "content": error}
                operation["responses"].setdefault(status, answer)
    return result
