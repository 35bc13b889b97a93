"""Whether a message is one that this software sends, seen before anything is made of it.

Celery ends a worker over some that are not, and with a broker that delivers again it would end
every worker.
"""

import base64
import binascii
from collections.abc import Container, Mapping
from datetime import datetime
from typing import Any, Final

_TEXTS: Final = ("root_id", "parent_id", "group", "shadow", "argsrepr", "kwargsrepr", "origin")
_JSON: Final = "application/json"
_ENCODING: Final = "utf-8"
_BODY_ENCODINGS: Final = (None, "base64")


def envelope_fault(raw: Any) -> str:
    """What keeps a broker from delivering this at all; empty: nothing does."""
    if not isinstance(raw, dict):
        return "it is no object"
    properties = raw.get("properties")
    if not isinstance(properties, dict):
        return "it has no properties"
    if not isinstance(properties.get("delivery_tag"), str):
        return "it has no delivery tag"
    if not isinstance(properties.get("delivery_info"), dict):
        return "it does not say how it came"
    if not isinstance(raw.get("headers"), dict | None):
        return "its headers are no object"
    return _body_fault(raw.get("body"), properties.get("body_encoding"))


def _body_fault(body: Any, encoding: Any) -> str:
    if not isinstance(body, str):
        return "its body is no text"
    if encoding not in _BODY_ENCODINGS:
        return f"its body is in {encoding!r}, not in base64"
    if encoding:
        try:
            base64.b64decode(body)
        except (binascii.Error, ValueError) as error:
            return f"its body is no base64: {error}"
    return ""


def task_fault(message: Any, known: Container[str]) -> str:
    """What keeps a worker from doing what a delivered message asks for; empty: nothing does."""
    headers = message.headers
    for name in ("task", "id"):
        if not isinstance(headers.get(name), str) or not headers[name]:
            return f"its header {name!r} is missing or no text"
    if headers["task"] not in known:
        return f"there is no task {headers['task']!r}"
    if wrong := _wrong_header(headers):
        return f"its header {wrong!r} cannot be used"
    if (message.content_type, message.content_encoding) != (_JSON, _ENCODING):
        return f"it is {message.content_type!r}, not {_JSON!r} in {_ENCODING}"
    return _payload_fault(message)


def _wrong_header(headers: Mapping[str, Any]) -> str:
    """The name of the first header that Celery could not use."""
    texts = [name for name in _TEXTS if not isinstance(headers.get(name), str | None)]
    moments = [name for name in ("eta", "expires") if not _is_moment(headers.get(name))]
    limits = [] if _are_limits(headers.get("timelimit")) else ["timelimit"]
    retries = [] if isinstance(headers.get("retries"), int | None) else ["retries"]
    return next(iter([*texts, *moments, *limits, *retries]), "")


def _is_moment(value: Any) -> bool:
    if value is None:
        return True
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True


def _are_limits(value: Any) -> bool:
    """Seconds, soft and hard, each of which may be null; or nothing at all."""
    if value is None:
        return True
    if not isinstance(value, list) or len(value) != 2:
        return False
    return all(each is None or type(each) in (int, float) for each in value)


def _payload_fault(message: Any) -> str:
    try:
        payload = message.payload
    except Exception as error:  # whatever a decoder has to say of it
        return f"its body cannot be read: {error}"
    shape = [list, dict, dict]
    if not isinstance(payload, list) or list(map(type, payload)) != shape:
        return "its body is not [arguments, named arguments, the rest]"
    return ""
