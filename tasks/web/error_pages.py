"""Pages for what went wrong: a security token that does not fit, a campaign that is archived, a
store or database that is down, a fault of ours."""

import logging
import sys
from collections.abc import Callable
from functools import wraps
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.defaults import page_not_found

from tasks.release_store.interface import StoreError
from tasks.storing import outages
from tasks.storing.archived import CampaignArchived
from tasks.web.page import View

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
    status = 503 if outages.is_outage(error) else 500
    response: HttpResponse
    if request.path_info.startswith("/api/"):
        wrong = "something went wrong, and was recorded"
        detail = outages.detail_of(error) if status == 503 else wrong
        response = JsonResponse({"detail": detail}, status=status)
    else:
        context = {"took_too_long": outages.took_too_long(error)}
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
