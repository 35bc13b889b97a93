"""The id of the request that is being answered, or that a job was started by."""

import re
import secrets
from contextvars import ContextVar

HEADER = "X-Request-ID"
KEY = "tomahto.request_id"  # in the META of the request
_VALID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")

current_request_id: ContextVar[str] = ContextVar("request_id", default="")
"""Empty outside of requests."""


def request_id_from(header: str) -> str:
    """The id that a proxy or a program gave, if it is 8 to 64 letters, digits, dots, hyphens and
    underscores; else a new one."""
    return header if _VALID.fullmatch(header) else secrets.token_hex(16)
