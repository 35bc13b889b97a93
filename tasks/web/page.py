"""A page: as Django calls it, and as it answers where its forms may be refused."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

# as Django calls it: with the parts of the address by their names
View = Callable[..., HttpResponseBase]


def page_with_forms(
    request: HttpRequest, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """The page, with status 422 if one of the forms in its context has errors."""
    is_refused = any(isinstance(each, BaseForm) and each.errors for each in context.values())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, template, context, status=status)
