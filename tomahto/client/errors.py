"""Errors of calls."""

import json
from collections.abc import Mapping
from typing import Any


class Refused(Exception):
    """The server answered with an error: `detail` says what is wrong, `field` where, if it does."""

    def __init__(self, status: int, detail: str, field: str | None = None) -> None:
        self.status, self.detail, self.field = status, detail, field
        super().__init__(f"{status}: {field + ': ' if field else ''}{detail}")

    @classmethod
    def by(cls, status: int, content: bytes) -> "Refused":
        """The error in an answer, written by the site or by something before it."""
        try:
            body = json.loads(content)
        except ValueError:
            body = None
        if isinstance(body, dict) and isinstance(body.get("detail"), str):
            return cls(status, body["detail"], body.get("field"))
        return cls(status, content[:500].decode(errors="replace"))


class Unanswered(Exception):
    """No answer came, however often it was tried; what was asked for may have been done or not."""


class JobEnded(Exception):
    """A job ended without having done its work; `job` is what the site says of it."""

    def __init__(self, job: Mapping[str, Any]) -> None:
        self.job = job
        super().__init__(f"job {job.get('id')} {job.get('state')}: {job.get('error') or ''}")


class Damaged(Exception):
    """A downloaded file is not what the manifest of its release says."""
