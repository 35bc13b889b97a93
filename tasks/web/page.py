"""Pages: as Django calls them, for what went wrong, and templates without indentation."""

import logging
import re
import sys
from collections.abc import Callable, Mapping
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template import Origin
from django.template.loader import render_to_string
from django.template.loaders import filesystem
from django.views.defaults import page_not_found

from tasks.release_store.files import StoreError
from tasks.storing import refusals
from tasks.storing.refusals import CampaignArchived

# as Django calls it: with the parts of the address by their names
View = Callable[..., HttpResponseBase]


def page_with_forms(
    request: HttpRequest, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    """The page, with status 422 if one of the forms in its context has errors."""
    is_refused = any(isinstance(each, BaseForm) and each.errors for each in context.values())
    status = HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK
    return render(request, template, context, status=status)


def see_other(page: str, *args: object) -> HttpResponse:
    """Go on to the page of this name, or at this address, whatever the method was (303)."""
    response = redirect(page, *args)
    response.status_code = HTTPStatus.SEE_OTHER
    return response


_DIGITS = re.compile(r"[0-9]{1,18}")  # as many as any column has room for


def row_number(text: str) -> int | None:
    """The number of a row, or as large a one, in plain digits; None of any other text."""
    return int(text) if _DIGITS.fullmatch(text) else None


logger = logging.getLogger(__name__)

TRY_AGAIN_AFTER = "30"  # seconds


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's
    return render(request, "csrf.html", status=403)


class ArchivedCampaignMiddleware:
    """Says that nothing was changed. htmx reloads the page instead, which then says it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, CampaignArchived):
            return None
        if getattr(request, "htmx", False):
            return HttpResponse(status=HTTPStatus.CONFLICT, headers={"HX-Refresh": "true"})
        context = {"campaign": error.campaign}
        return render(request, "home/archived.html", context, status=HTTPStatus.CONFLICT)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """For an address that there is not: a page, or for programs what the API says of it."""
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": "there is no such address"}, status=404)
    return page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """For whatever nobody caught: 503 during an outage of the database, else 500.

    Called by Django while it handles the exception, and asks the database nothing.
    """
    error = sys.exception()
    status = 503 if refusals.is_outage(error) else 500
    response: HttpResponse
    if request.path_info.startswith("/api/"):
        wrong = "something went wrong, and was recorded"
        detail = refusals.detail_of(error) if status == 503 else wrong
        response = JsonResponse({"detail": detail}, status=status)
    else:
        context = {"took_too_long": refusals.took_too_long(error)}
        response = HttpResponse(render_to_string(f"{status}.html", context), status=status)
    if status == 503:
        response["Retry-After"] = refusals.TRY_AGAIN_AFTER
    return response


def told_while_store_is_down(page: View) -> View:
    """A page that needs files of releases, and says so (503) while they cannot be read."""

    @wraps(page)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            return page(request, *args, **kwargs)
        except StoreError as error:
            logger.warning("files of a release cannot be read: %s", error)
            response = render(request, "releases/unavailable.html", status=503)
            response["Retry-After"] = TRY_AGAIN_AFTER
            return response

    return guarded


_LINE_BREAK = re.compile(r"\s*\n\s*")
# A line with nothing but such a tag puts nothing on the page, so not even the line's own break.
_SILENT = "block|else|elif|empty|endblock|endfor|endif|endwith|extends|for|if|load|with"
_SILENT_LINE = re.compile(rf"\n(?={{% (?:{_SILENT})\b(?:(?!%}}).)*%}}(?:\n|\Z))")
# White space beside their tags never shows.
_BLOCKS = (
    "article|aside|body|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]"
    "|head|header|html|legend|li|link|main|meta|nav|ol|option|p|script|section|select|summary"
    "|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
# Every character fits one alternative only: a search takes time in proportion to the template.
_REST_OF_TAG = r"\b(?:{%(?:(?!%}).)*%}|{{(?:(?!}}).)*}}|{(?![%{])|[^<>{])*+>"
_BESIDE_BLOCK = re.compile(rf"\n?(</?(?:{_BLOCKS}){_REST_OF_TAG})\n?")
# A link would be underlined there. What is read out alone may begin with a space: no span.
_INTO_INLINE = re.compile(rf"(<(?:a|b|button|strong){_REST_OF_TAG})\n")
_OUT_OF_INLINE = re.compile(r"\n(?=</(?:a|b|button|label|span|strong)>)")


class Loader(filesystem.Loader):
    """Loads pages from the folders of the settings without their indentation, mails as they are."""

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return unindented(contents) if str(origin.name).endswith(".html") else contents


def unindented(template: str) -> str:
    """The template without white space that cannot show; of any other line break stays a space."""
    lines = _SILENT_LINE.sub("", _LINE_BREAK.sub("\n", template))
    for edge in (_BESIDE_BLOCK, _INTO_INLINE):
        lines = edge.sub(r"\1", lines)
    return _OUT_OF_INLINE.sub("", lines).replace("\n", " ")
