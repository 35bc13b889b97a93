"""The endpoints that write: the configured answerers of that kind, by their names."""

from tomahto.answerers.endpoint import EndpointAnswerer
from tomahto.answerers.registry import UnknownAnswererError, endpoint_names, load_answerer
from tomahto.endpoint.chat import ChatEndpoint


def load_endpoint(name: str) -> ChatEndpoint:
    """The endpoint of the answerer of that name; both share its limit of requests.

    Raises UnknownAnswererError, also for an answerer of another kind, and EndpointRefused.
    """
    if name in endpoint_names() and isinstance(answerer := load_answerer(name), EndpointAnswerer):
        return answerer.endpoint
    raise UnknownAnswererError(
        f"no endpoint {name!r}; known: {', '.join(endpoint_names()) or 'none configured'}"
    )
