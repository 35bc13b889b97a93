"""How pages answer what would have changed an archived campaign."""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render

from tasks.access.guards.pages import is_htmx
from tasks.storing.archived import CampaignArchived


class ArchivedCampaignMiddleware:
    """Says that nothing was changed. htmx reloads the page instead, which then says it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, CampaignArchived):
            return None
        if is_htmx(request):
            return HttpResponse(status=HTTPStatus.CONFLICT, headers={"HX-Refresh": "true"})
        context = {"campaign": error.campaign}
        return render(request, "home/archived.html", context, status=HTTPStatus.CONFLICT)
