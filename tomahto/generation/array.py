"""Replies that must be one JSON array, and the checks every generated text has to pass."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tomahto.endpoint.chat import ChatEndpoint, Parameters
from tomahto.endpoint.errors import MalformedReply, RequestRefused
from tomahto.endpoint.provenance import provenance_of
from tomahto.endpoint.strict_json import StrictJsonError, read_json
from tomahto.endpoint.text import is_clean, kept
from tomahto.generation.prompt import Prompt, read_prompt

MAX_TEXT: Final = 2_000
"""Characters of one generated text. A reference answer is a phrase; this is far above."""

_PROMPTS: Final = Path(__file__).parent / "prompts"


class UnusableReply(Exception):
    """A reply that is not what was asked for, with what is known of how it came about."""

    def __init__(self, reason: str, provenance: Mapping[str, Any]) -> None:
        super().__init__(reason)
        self.provenance = provenance


class UnusableText(ValueError):
    """One generated text that cannot be taken; the message says why."""


def prompt_named(name: str) -> Prompt:
    return read_prompt(_PROMPTS / f"{name}.toml")


def ask_for_array(
    endpoint: ChatEndpoint,
    prompt: Prompt,
    values: Mapping[str, str],
    parameters: Parameters,
    *,
    draw: int = 0,
    length: int | None = None,
) -> tuple[list[Any], dict[str, Any]]:
    """The array the model replied with, never empty, of that length where one is wanted, and its
    provenance.

    Raises UnusableReply; EndpointRefused and EndpointUnavailable as the endpoint does.
    """
    try:
        reply = endpoint.complete(prompt.messages(values), parameters, draw=draw)
    except RequestRefused as error:
        without = _without_reply(endpoint, prompt, parameters, error)
        raise UnusableReply(str(error), without) from None
    provenance = provenance_of(endpoint, prompt.version, parameters, reply)
    if not reply.is_complete:
        ending = kept(reply.refusal or reply.finish_reason, 200)
        raise UnusableReply(f"the reply did not come to its end ({ending})", provenance)
    try:
        value = read_json(reply.text.strip())
    except StrictJsonError as error:
        raise UnusableReply(f"the reply {error}", provenance) from None
    if not isinstance(value, list):
        raise UnusableReply("the reply is JSON, but not an array", provenance)
    if length is not None and len(value) != length:
        raise UnusableReply(f"the reply has {len(value)} elements, not {length}", provenance)
    if not value:
        raise UnusableReply("the reply is an empty array", provenance)
    return value, provenance


def usable_text(value: Any, name: str) -> str:
    """The text without blanks around it. Raises UnusableText, which names it."""
    if not isinstance(value, str):
        raise UnusableText(f"{name} is not a text")
    text = value.strip()
    if not text:
        raise UnusableText(f"{name} is empty")
    if len(text) > MAX_TEXT:
        raise UnusableText(f"{name} has more than {MAX_TEXT:,} characters")
    if not is_clean(text):
        raise UnusableText(f"{name} holds control characters or halves of characters")
    return text


def usable_fields(value: Any, names: Sequence[str]) -> list[str]:
    """The texts of an object that has exactly these fields, in their order.

    Raises UnusableText.
    """
    if not isinstance(value, dict) or set(value) != set(names):
        raise UnusableText(f"is not an object with the fields {', '.join(names)} alone")
    return [usable_text(value[name], f"the {name}") for name in names]


def _without_reply(
    endpoint: ChatEndpoint, prompt: Prompt, parameters: Parameters, error: RequestRefused
) -> dict[str, Any]:
    return {
        "endpoint": endpoint.options.url,
        "model": endpoint.options.model,
        "prompt": prompt.version,
        "parameters": parameters.as_json(),
        "raw_reply": error.raw if isinstance(error, MalformedReply) else "",
    }
