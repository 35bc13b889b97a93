"""One shape for every error: `detail` says what is wrong, `field` where."""

import logging
from typing import Any, get_args

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler

from tasks.models import Assignment
from tasks.protocols.definition import AnswersError
from tasks.release_store.interface import StoreError
from tasks.workflow.admission import Missing, NotAdmitted
from tasks.workflow.assignment import Paused
from tasks.workflow.rating import SubmissionRefused
from tasks.workflow.withdrawal import WithdrawalRefused

logger = logging.getLogger(__name__)


class ErrorSerializer(serializers.Serializer[Any]):
    detail = serializers.CharField()
    field = serializers.CharField(required=False)


class NotAdmittedSerializer(ErrorSerializer):
    """What has to be done before an item can be claimed, and the page where it is done."""

    missing = serializers.ChoiceField(choices=get_args(Missing))
    url = serializers.URLField()


def handle_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """What the workflow refuses, as a client error; everything else as DRF has it."""
    if isinstance(error, AnswersError):
        return Response({"detail": error.message, "field": error.question}, status=400)
    if isinstance(error, SubmissionRefused | Paused | WithdrawalRefused):
        return Response({"detail": str(error)}, status=409)
    if isinstance(error, NotAdmitted):
        return Response(_not_admitted(error, context["request"]), status=403)
    if isinstance(error, Assignment.DoesNotExist):
        return Response({"detail": "there is no such assignment of yours"}, status=404)
    if isinstance(error, StoreError):
        logger.warning("files of a release cannot be read: %s", error)
        detail = "the files of releases cannot be read at the moment"
        return Response({"detail": detail}, status=503, headers={"Retry-After": "30"})
    if isinstance(error, serializers.ValidationError):
        return Response(_first(error.detail), status=400)
    return exception_handler(error, context)


def _not_admitted(error: NotAdmitted, request: Request) -> dict[str, str]:
    """As NotAdmittedSerializer describes it."""
    page = reverse(error.missing, args=[error.slug])
    return {
        "detail": str(error),
        "missing": error.missing,
        "url": request.build_absolute_uri(page),
    }


def _first(detail: Any) -> dict[str, str]:
    """The first of DRF's nested messages, with its field."""
    field: list[str] = []
    while not isinstance(detail, str):
        key = next(iter(detail)) if isinstance(detail, dict) else 0
        if isinstance(key, str):
            field.append(key)
        detail = detail[key]
    return {"detail": str(detail)} | ({"field": ".".join(field)} if field else {})
