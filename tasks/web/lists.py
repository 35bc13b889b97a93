"""Lists of the API: a page at a time, by a cursor, and only filters that are declared.

A cursor stands for a place in the list, not for a number of rows before it: whoever follows `next`
to the end sees every row that was there at the beginning once, whatever is added meanwhile.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeVar

from django.core.exceptions import ValidationError as DjangoValidationError
from django.db.models import Model, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response

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
    declared = kind().fields
    for name in given:
        if name not in declared:
            there_are = ", ".join(sorted(declared)) or "none"
            raise serializers.ValidationError({name: f"no such parameter; known: {there_are}"})
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
    """How the schema describes a page of such rows."""
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
