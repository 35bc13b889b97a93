"""Calls of the API: how a body and parameters are read, and lists answered.

A list is answered a page at a time, by a cursor that stands for a place in it, not for a number of
rows before it: whoever follows `next` to the end sees every row that was there at the beginning
once, whatever is added meanwhile.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import IO, Any, TypeVar

from django import forms
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import Model, QuerySet
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound, ParseError, ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.pagination import CursorPagination
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.models import Job


class TooLarge(APIException):
    status_code = 413


class ShallowJSONParser(JSONParser):
    """JSON, nested no deeper than it can be read."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError("the JSON is nested too deeply") from None


class FileParser(BaseParser):
    """A file as the whole body, of whatever type; it is left to the view to read it in pieces."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,  # noqa: ARG002 - DRF's signature
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002 - DRF's signature
    ) -> Any:
        return stream


class UsualNegotiation(DefaultContentNegotiation):
    """DRF's, without its search for who takes any kind of answer, as most programs do."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        wishes = format_suffix or self.settings.URL_FORMAT_OVERRIDE in request.query_params
        if wishes or request.META.get("HTTP_ACCEPT", "*/*") != "*/*":
            chosen: tuple[BaseRenderer, str] = super().select_renderer(
                request, renderers, format_suffix
            )
            return chosen
        first = next(iter(renderers))
        return first, first.media_type


class OneKindOfAnswer(DefaultContentNegotiation):
    """For operations with a parameter `format` of their own: it does not choose the answer's."""

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002 - DRF's signature
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,  # noqa: ARG002 - DRF's signature
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, first.media_type


class Body(serializers.Serializer[Any]):
    """The JSON object of a call; a subclass names its fields. Any other field is refused."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            _refuse_undeclared(data, list(self.fields), "field")
        return super().to_internal_value(data)


class NoBody(Body):
    """For calls that take nothing."""


class IdField(serializers.IntegerField):
    """The number of a row, as large as a database has them."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=2**63 - 1, **kwargs)


def read_body(request: Request, kind: type[Body], *, partial: bool = False) -> dict[str, Any]:
    """The checked fields. Raises ValidationError naming the one that is wrong or not declared."""
    body = kind(data=request.data, partial=partial)
    body.is_valid(raise_exception=True)
    return dict(body.validated_data)


def _refuse_undeclared(names: Iterable[Any], declared: Sequence[str], kind: str) -> None:
    for name in names:
        if name not in declared:
            known = ", ".join(declared) or "none"
            raise serializers.ValidationError({str(name): f"no such {kind}; known: {known}"})


def require_valid(form: forms.BaseForm, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The form's fields. Raises ValidationError naming those that are wrong, unless the form as a
    whole is; `names` are those of its fields that are called otherwise in the API."""
    if not form.is_valid():
        errors = {
            (names or {}).get(field, field): [str(text) for text in texts]
            for field, texts in form.errors.items()
        }
        raise serializers.ValidationError(errors.pop("__all__", None) or errors)
    return form.cleaned_data


class FiniteFloat(serializers.FloatField):
    """A number. What limits compare with in vain, such as "nan", is none."""

    def to_internal_value(self, data: float | str) -> float:
        number: float = super().to_internal_value(data)
        if not math.isfinite(number):
            self.fail("invalid")
        return number


MAX_KEY = 100

KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    required=True,
    description="One key per submission; a repeated call with the same key has no further effect.",
)


def key_of(request: Request) -> str:
    """The caller's key. Raises ValidationError if it is missing or cannot be one."""
    key: str = request.META.get("HTTP_IDEMPOTENCY_KEY", "")
    if not 0 < len(key) <= MAX_KEY or not key.isprintable():
        raise ValidationError(
            f"the header Idempotency-Key is required, with at most {MAX_KEY} characters"
        )
    return key


USUAL = 100  # rows of a page
MOST = 500
NEWEST_FIRST = ("-id",)

Row = TypeVar("Row", bound=Model)


class Parameters(serializers.Serializer[Any]):
    """Parameters of an operation in its address; a subclass names its own filters.

    Also the `parameters` of `extend_schema`.
    """


class ListParameters(Parameters):
    """Parameters of every list."""

    cursor = serializers.CharField(required=False, help_text="From `next` of the previous page.")
    limit = serializers.IntegerField(
        required=False,
        default=USUAL,
        min_value=1,
        max_value=MOST,
        help_text="Number of rows on a page.",
    )


def asked_of(request: Request, kind: type[Parameters]) -> dict[str, Any]:
    """The checked parameters. Raises ValidationError naming one that is wrong or not declared."""
    given = request.query_params
    _refuse_undeclared(given, sorted(kind().fields), "parameter")
    parameters = kind(data=given)
    parameters.is_valid(raise_exception=True)
    return dict(parameters.validated_data)


def one_of(rows: QuerySet[Row], missing: str) -> Row:
    """The row that is asked for. Raises NotFound with this text."""
    row = rows.first()
    if row is None:
        raise NotFound(missing)
    return row


def page_of(
    request: Request,
    rows: QuerySet[Row],
    shown: type[serializers.BaseSerializer[Any]] | Callable[[Row], Mapping[str, Any]],
    *,
    order: tuple[str, ...] = NEWEST_FIRST,
) -> Response:
    """One page of rows, each as a serializer or a function shows it; the body is what
    `page_serializer` describes.

    `order` ends in what is unique. Call `asked_of` with ListParameters first.
    """
    as_body = shown().to_representation if isinstance(shown, type) else shown
    return page_made_at_once(
        request, rows, lambda found: [as_body(row) for row in found], order=order
    )


def page_made_at_once(
    request: Request,
    rows: QuerySet[Any, Any],
    as_bodies: Callable[[list[Any]], Sequence[Mapping[str, Any]]],
    *,
    order: tuple[str, ...] = NEWEST_FIRST,
) -> Response:
    """As page_of, where what belongs to the rows of a page is read for all of them together."""
    pages = _Pages()
    pages.ordering = order
    try:
        found = pages.paginate_queryset(rows, request)
    except (NotFound, ValueError, OverflowError, DjangoValidationError):  # none of this list's
        raise serializers.ValidationError({"cursor": "this is not a cursor of this list"}) from None
    return pages.get_paginated_response(as_bodies(found or []))


@cache
def page_serializer(
    row: type[serializers.BaseSerializer[Any]],
) -> type[serializers.Serializer[Any]]:
    """The serializer of a page of such rows, for the schema."""
    name = row.__name__.removesuffix("Serializer")
    fields = {
        "__doc__": "One page of a list; `next` and `previous` are addresses of its neighbours.",
        "next": serializers.URLField(allow_null=True),
        "previous": serializers.URLField(allow_null=True),
        "results": row(many=True),
    }
    return type(f"{name}PageSerializer", (serializers.Serializer,), fields)


class _Pages(CursorPagination):
    page_size = USUAL
    max_page_size = MOST
    page_size_query_param = "limit"


class ReleaseFileSerializer(serializers.Serializer[Any]):
    path = serializers.CharField()
    bytes = serializers.IntegerField()
    url = serializers.URLField()


class StartedSerializer(serializers.Serializer[Any]):
    """A job that a worker does. Starting what is under way already gives the same job."""

    job = serializers.IntegerField()
    url = serializers.URLField(help_text="Address of the job, to follow its progress.")


def started(request: Request, slug: str, job: Job) -> Response:
    url = request.build_absolute_uri(reverse("api-job", args=[slug, job.pk]))
    return Response({"job": job.pk, "url": url}, status=202, headers={"Location": url})
