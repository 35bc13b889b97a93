"""What a page answers to whoever would change something in an archived campaign."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from tasks.storing.archived import CampaignArchived


class ArchivedCampaignMiddleware:
    """Says that nothing was changed, and what to do next. htmx loads the page anew instead, and the
    page says it."""

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
