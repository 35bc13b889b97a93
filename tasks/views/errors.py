"""Pages for what went wrong: a security token that does not fit, a store that is down."""

import logging
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from tasks.release_store.interface import StoreError
from tasks.views.access import View

logger = logging.getLogger(__name__)

TRY_AGAIN_AFTER = "30"  # seconds


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001 - Django's
    return render(request, "csrf.html", status=403)


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
