"""Keys and the cache's folder. The site hands them over once, when it starts; nothing here reads
the environment."""

from collections.abc import Mapping
from pathlib import Path

from tomahto.endpoint.cache import ReplyCache
from tomahto.endpoint.chat import ChatEndpoint
from tomahto.endpoint.errors import EndpointRefused
from tomahto.endpoint.keys import ApiKey
from tomahto.endpoint.options import EndpointOptions
from tomahto.outgoing.configuration import outgoing_client

_keys: dict[str, str] = {}
_caches: list[ReplyCache] = []


def configure_endpoints(*, keys: Mapping[str, str], cache_folder: Path | None) -> None:
    """Replace what is known. `keys` by the name of the variable; without a folder nothing is
    kept. To be called before an endpoint is asked for."""
    _keys.clear()
    _keys.update(keys)
    _caches[:] = [ReplyCache(cache_folder)] if cache_folder else []


def chat_endpoint(options: EndpointOptions) -> ChatEndpoint:
    """Ready to be asked. Raises EndpointRefused, naming the variable, without a usable key."""
    return ChatEndpoint(
        options,
        client=outgoing_client(),
        key=_key(options.key_variable) if options.key_variable else None,
        cache=_caches[0] if _caches else None,
    )


def _key(variable: str) -> ApiKey:
    if variable not in _keys:
        raise EndpointRefused(f"{variable} is not set; it holds the endpoint's key")
    try:
        return ApiKey(_keys[variable].strip())
    except ValueError as error:
        raise EndpointRefused(f"{variable} {error}") from None
