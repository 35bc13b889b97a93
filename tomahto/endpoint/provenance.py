"""How a generated text came about, as it is kept beside the text."""

from typing import Any

from tomahto.endpoint.chat import ChatEndpoint, Parameters
from tomahto.endpoint.reply import Reply
from tomahto.endpoint.text import kept


def provenance_of(
    endpoint: ChatEndpoint, prompt_version: str, parameters: Parameters, reply: Reply
) -> dict[str, Any]:
    """JSON values only. `prompt_version` names the wording and its hash.

    The raw reply is shortened and free of what no database stores.
    """
    return {
        "endpoint": endpoint.options.url,
        "model": endpoint.options.model,
        "served_model": kept(reply.model, 200),
        "prompt": prompt_version,
        "parameters": parameters.as_json(),
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "raw_reply": kept(reply.body),
    }
