"""Pages for what went wrong: a security token that does not fit, a store or database that is down,
a fault of ours."""

import logging
import sys
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.defaults import page_not_found

from tasks.release_store.interface import StoreError
from tasks.storing import outages
from tasks.web.page import View

logger = logging.getLogger(__name__)

TRY_AGAIN_AFTER = "30"  # seconds


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's
    return render(request, "csrf.html", status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """For an address that there is not: a page, or for programs what the API says of it."""
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": "there is no such address"}, status=404)
    return page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """For whatever nobody caught: 503 during an outage of the database or its disk, else 500.

    Called by Django while it handles the exception, and asks the database nothing.
    """
    error = sys.exception()
    outages.remember(error)
    status = 503 if outages.is_outage(error) else 500
    response: HttpResponse
    if request.path_info.startswith("/api/"):
        detail = (
            outages.detail_of(error) if status == 503 else "something went wrong, and was recorded"
        )
        response = JsonResponse({"detail": detail}, status=status)
    else:
        context = {"unwritable": outages.why_unwritable(error)}
        response = HttpResponse(render_to_string(f"{status}.html", context), status=status)
    if status == 503:
        response["Retry-After"] = outages.TRY_AGAIN_AFTER
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
