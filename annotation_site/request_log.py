"""An id for every request, a line in the log when it has been answered, and the form of such lines.

Addresses that are secrets in themselves stay out of the log.
"""

import json
import logging
import re
import secrets
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.template import Library
from django.utils.functional import SimpleLazyObject, empty

HEADER = "X-Request-ID"
KEY = "tomahto.request_id"  # in the META of the request
_VALID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")

current_request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Empty outside of requests."""


def request_id_from(header: str) -> str:
    """The id that a proxy or a program gave, if it is 8 to 64 letters, digits, dots, hyphens and
    underscores; else a new one."""
    return header if _VALID.fullmatch(header) else secrets.token_hex(16)


register = Library()


@register.simple_tag
def request_id() -> str:
    return current_request_id.get()


_SECRET_PART = re.compile(r"(/(?:join|crowd|password/reset/[^/\s]+)/)[^/\s\"'?]{8,}")


def without_secrets(text: str) -> str:
    """The text with `…` for the secret in the addresses of invitations and password resets."""
    return _SECRET_PART.sub(r"\1…", text)


class HideSecrets(logging.Filter):
    """Does so with every message."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        shown = without_secrets(message)
        if shown != message:
            record.msg, record.args = shown, ()
        return True


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
                said = {
                    "method": request.method,
                    "path": request.path,
                    "status": response.status_code,
                    "ms": round(1000 * (time.perf_counter() - began), 1),
                    "user": _user_id(request),
                }
                logger.info("answered", extra=said)
        finally:
            current_request_id.reset(token)
        return response


def _user_id(request: HttpRequest) -> int | None:
    """Of whoever the request is known to come from; nobody is looked up for the log."""
    user = getattr(request, "user", None)
    if isinstance(user, SimpleLazyObject) and user.__dict__["_wrapped"] is empty:
        return None
    found: int | None = getattr(user, "pk", None)
    return found


_OF_REQUESTS = ("method", "path", "status", "ms", "user")


class JsonFormatter(logging.Formatter):
    """Time (UTC), level, logger and message; the id of the request, and what its line says."""

    def format(self, record: logging.LogRecord) -> str:
        event = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := _request_id(record):
            event["request_id"] = request_id
        event |= {name: record.__dict__[name] for name in _OF_REQUESTS if name in record.__dict__}
        if "path" in event:
            event["path"] = without_secrets(event["path"])
        if record.exc_info:
            event["exception"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(event, ensure_ascii=False, default=str)


def _request_id(record: logging.LogRecord) -> str:
    """Django says what went wrong once the request has been answered, and names it."""
    about = getattr(record.__dict__.get("request"), "META", {})
    found: str = about.get(KEY, "") or current_request_id.get()
    return found
