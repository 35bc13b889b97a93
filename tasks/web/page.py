"""A page: as Django calls it, and as it answers where its forms may be refused."""

from collections.abc import Callable, Iterable, Iterator, Mapping
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
    """The page, with status 422 if one of the forms in its context has errors; the template
    `form_errors.html` lists them."""
    refused = [form for form in _forms(context.values()) if form.errors]
    errors = sum(len(texts) for form in refused for texts in form.errors.values())
    listed = {"refused_forms": refused, "refused_fields": errors}
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, template, {**context, **listed}, status=status)


def _forms(values: Iterable[object]) -> Iterator[BaseForm]:
    """Those among the values, and among those of mappings in them."""
    for each in values:
        if isinstance(each, BaseForm):
            yield each
        elif isinstance(each, Mapping):
            yield from _forms(each.values())
