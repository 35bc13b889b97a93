"""A line of JSON for every event, for programs that collect logs."""

import json
import logging
from datetime import UTC, datetime

from annotation_site.logs.secrets import without_secrets
from annotation_site.request_id import KEY, current_request_id

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
