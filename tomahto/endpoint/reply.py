"""A chat completion as it is read: strictly, since whoever serves the model may be anyone."""

from dataclasses import dataclass, field
from typing import Any

from tomahto.endpoint.errors import MalformedReply
from tomahto.endpoint.strict_json import StrictJsonError, read_json
from tomahto.endpoint.text import kept


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
