"""The stand-in for a model endpoint: chat completions as OpenAI's API writes them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.clocks import FakeClock
from tests.http_server import Act, LocalServer, Received, answers
from tomahto.endpoint.chat import ChatEndpoint
from tomahto.endpoint.options import ApiKey, EndpointOptions
from tomahto.endpoint.reply import ReplyCache
from tomahto.outgoing.client import OutgoingClient
from tomahto.outgoing.destination import read_allow_list

KEY = "sk-test-0123456789"


def completion(text: str | None, **changes: Any) -> dict[str, Any]:
    """The body of a reply; `finish_reason` and `refusal` go where they belong."""
    message = {"role": "assistant", "content": text, "refusal": changes.pop("refusal", None)}
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": changes.pop("finish_reason", "stop"),
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_767_268_800,
        "model": "finch-7b-2026",
        "choices": [choice],
        "usage": {"prompt_tokens": 21, "completion_tokens": 4, "total_tokens": 25},
        **changes,
    }


def says(text: str | None, **changes: Any) -> Act:
    return answers(completion(text, **changes))


def says_of(reply: Callable[[str, str], str]) -> Callable[[Received], Act]:
    """A model that derives what it says from the system's and the user's message."""

    def act(request: Received) -> Act:
        *system, user = (message["content"] for message in request.json["messages"])
        return says(reply("".join(system), user))

    return act


def fails(status: int, message: str = "no", **headers: str) -> Act:
    return answers(
        {"error": {"message": message, "type": "error"}},
        status,
        {name.replace("_", "-"): value for name, value in headers.items()},
    )


def options(server: LocalServer, **changes: Any) -> EndpointOptions:
    values = {"url": f"{server.url}/v1", "model": "finch-7b", "requests_per_minute": 1000}
    return EndpointOptions(**{**values, **changes})


def endpoint(
    server: LocalServer,
    *,
    key: str = KEY,
    cache: Path | None = None,
    clock: FakeClock | None = None,
    **changes: Any,
) -> ChatEndpoint:
    return ChatEndpoint(
        options(server, **changes),
        client=OutgoingClient(read_allow_list([server.allowed])),
        key=ApiKey(key) if key else None,
        cache=ReplyCache(cache) if cache else None,
        clock=clock or FakeClock(),
    )
