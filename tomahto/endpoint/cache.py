"""Replies kept on disk under the hash of what was asked, so that nothing is paid for twice."""

import hashlib
import json
import logging
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from tomahto.endpoint.errors import MalformedReply
from tomahto.endpoint.reply import Reply, read_reply
from tomahto.endpoint.strict_json import read_json

_LARGEST: Final = 16 * 2**20

logger = logging.getLogger(__name__)


class ReplyCache:
    """One JSON file per request, whole or not there: `{"request", "body", "sha256"}`.

    A file that is damaged, or belongs to another request, counts as none. A folder that cannot be
    written to is no reason to do without the reply: one line in the log says so.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._has_complained = False

    def get(self, request: Mapping[str, Any]) -> Reply | None:
        """The reply to the same request, None if there is none."""
        path = self._path(request)
        try:
            if path.stat().st_size > _LARGEST:
                return None
            entry = read_json(path.read_text(encoding="utf-8"))
            if entry["request"] != request or entry["sha256"] != _digest(entry["body"]):
                return None
            return read_reply(entry["body"], from_cache=True)
        except (OSError, ValueError, TypeError, KeyError, AttributeError, MalformedReply):
            return None

    def put(self, request: Mapping[str, Any], body: str) -> None:
        """Keep the body of a reply; another process may do the same at the same time."""
        path = self._path(request)
        entry = {"request": request, "body": body, "sha256": _digest(body)}
        partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}.partial")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                with partial.open("x", encoding="utf-8") as file:
                    json.dump(entry, file)
                    file.flush()
                    os.fsync(file.fileno())
                partial.replace(path)
            finally:
                partial.unlink(missing_ok=True)
        except OSError as error:
            if not self._has_complained:
                logger.warning("replies cannot be kept in %s: %s", self._folder, error)
            self._has_complained = True

    def _path(self, request: Mapping[str, Any]) -> Path:
        name = _digest(json.dumps(request, sort_keys=True))
        return self._folder / name[:2] / f"{name}.json"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
