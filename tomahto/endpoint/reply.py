"""Replies of a model: read strictly, since whoever serves it may be anyone, and kept on disk, so
that nothing is paid for twice."""

import hashlib
import json
import logging
import math
import os
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn


class EndpointError(Exception):
    """A request that brought no reply."""


class EndpointRefused(EndpointError):
    """The endpoint will take no request as things are: a wrong address, key or model name, an
    address that may not be asked, a key that is not set. Trying again mends nothing."""


class RequestRefused(EndpointError):
    """This request is refused, others may not be: too long, or its content is unwelcome."""


class MalformedReply(RequestRefused):
    """The reply is not a chat completion. `raw` is its beginning, for people to look at."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class EndpointUnavailable(EndpointError):
    """It failed in a way that may pass. `retry_after` is how many seconds it asked to wait."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


KEPT_CHARACTERS: Final = 20_000

# NUL and lone surrogates cannot be stored; the other control characters have no business in text
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


def is_clean(text: str) -> bool:
    """Whether the text holds no control characters but tabs and line breaks, and no half pairs."""
    return _UNPRINTABLE.search(text) is None


def kept(text: str, limit: int = KEPT_CHARACTERS) -> str:
    """The beginning of the text, with U+FFFD for what cannot be stored and … for what is cut."""
    shown = _UNPRINTABLE.sub("\ufffd", text[:limit])
    return f"{shown}…" if len(text) > limit else shown


MAX_DEPTH: Final = 32
_MAX_DIGITS: Final = 100


class StrictJsonError(ValueError):
    """Text that is not one JSON value; the message says why, without a copy of the text."""


def read_json(text: str) -> Any:
    """The one value the text holds.

    Raises StrictJsonError for text around it, duplicate keys, NaN and infinities, overlong
    numbers, and nesting deeper than MAX_DEPTH.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise StrictJsonError(f"is not JSON: {error.msg} (character {error.pos})") from None
    except RecursionError:
        raise StrictJsonError(f"is nested more than {MAX_DEPTH} deep") from None
    _require_shallow(value)
    return value


def _require_shallow(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH + 1):
        if not level:
            return
        level = [
            inner
            for outer in level
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
    raise StrictJsonError(f"is nested more than {MAX_DEPTH} deep")


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise StrictJsonError("has the same key twice in one object")
    return members


def _constant(word: str) -> NoReturn:
    raise StrictJsonError(f"holds {word}, which is not a JSON number")


def _whole_number(digits: str) -> int:
    _require_short(digits)
    return int(digits)


def _number(digits: str) -> float:
    _require_short(digits)
    if not math.isfinite(value := float(digits)):
        raise StrictJsonError("holds a number that is out of range")
    return value


def _require_short(digits: str) -> None:
    if len(digits) > _MAX_DIGITS:
        raise StrictJsonError("holds a number that is too long")


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_constant=_constant,
    parse_int=_whole_number,
    parse_float=_number,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a model.

    `text` is empty where it said nothing. `refusal` is what it gave in place of an answer, if the
    endpoint tells the two apart. `model` is the one that says it served. The numbers of tokens
    are None where the endpoint does not count. `body` is the raw JSON.
    """

    text: str
    model: str
    finish_reason: str
    prompt_tokens: int | None
    completion_tokens: int | None
    body: str = field(repr=False)
    refusal: str = ""
    from_cache: bool = False

    @property
    def is_complete(self) -> bool:
        """Whether the model came to its end: neither cut off, nor stopped, nor calling tools."""
        return self.finish_reason == "stop" and not self.refusal


def read_reply(body: str, *, from_cache: bool = False) -> Reply:
    """Raises MalformedReply, which holds the beginning of the body."""
    try:
        value = read_json(body)
        message, choice = _first_choice(value)
        prompt_tokens, completion_tokens = _usage(value.get("usage"))
        return Reply(
            text=_text(message, "content"),
            model=_text(value, "model"),
            finish_reason=_text(choice, "finish_reason"),
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            body=body,
            refusal=_text(message, "refusal"),
            from_cache=from_cache,
        )
    except (StrictJsonError, _NotACompletion) as error:
        raise MalformedReply(f"the reply {error}", kept(body)) from None


class _NotACompletion(ValueError):
    """JSON, but no chat completion."""


def _first_choice(value: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    choices = value.get("choices") if isinstance(value, dict) else None
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], dict):
        raise _NotACompletion("is not a chat completion with one choice")
    message = choices[0].get("message")
    if not isinstance(message, dict):
        raise _NotACompletion("has no message in its choice")
    return message, choices[0]


def _text(values: dict[str, Any], key: str) -> str:
    found = values.get(key)
    if found is None:
        return ""
    if not isinstance(found, str):
        raise _NotACompletion(f"has no text as its {key}")
    return found


def _usage(usage: Any) -> tuple[int | None, int | None]:
    if usage is None:
        return None, None
    if not isinstance(usage, dict):
        raise _NotACompletion("has no counts as its usage")
    return _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")


def _count(usage: dict[str, Any], key: str) -> int | None:
    found = usage.get(key)
    if found is not None and (type(found) is not int or found < 0):
        raise _NotACompletion(f"does not count {key} in whole numbers")
    return found


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
