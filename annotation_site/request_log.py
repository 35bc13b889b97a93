"""An id for every request, and a line in the log when it has been answered."""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject, empty

from annotation_site.request_id import HEADER, KEY, current_request_id, request_id_from

logger = logging.getLogger(__name__)


class RequestLogMiddleware:
    """The first one, so that it sees what the others answer as well.

    The line says who and where, never what: no query, no body, no address of the reader.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        began = time.perf_counter()
        request_id = request_id_from(request.META.get("HTTP_X_REQUEST_ID", ""))
        request.META[KEY] = request_id
        token = current_request_id.set(request_id)
        try:
            response = self._get_response(request)
            response[HEADER] = request_id
            if logger.isEnabledFor(logging.INFO):
                _log(request, response, time.perf_counter() - began)
        finally:
            current_request_id.reset(token)
        return response


def _log(request: HttpRequest, response: HttpResponseBase, seconds: float) -> None:
    said = {
        "method": request.method,
        "path": request.path,
        "status": response.status_code,
        "ms": round(1000 * seconds, 1),
        "user": _user_id(request),
    }
    logger.info("answered", extra=said)


def _user_id(request: HttpRequest) -> int | None:
    """Of whoever the request is known to come from; nobody is looked up for the log."""
    user = getattr(request, "user", None)
    if isinstance(user, SimpleLazyObject) and user.__dict__["_wrapped"] is empty:
        return None
    found: int | None = getattr(user, "pk", None)
    return found
