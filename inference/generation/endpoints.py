"""The endpoints that write: the configured answerers of that kind, by their names."""

from inference.answerers.endpoint import EndpointAnswerer
from inference.answerers.registry import UnknownAnswererError, load_answerer
from inference.endpoint.chat import ChatEndpoint


def load_endpoint(name: str) -> ChatEndpoint:
    """The endpoint of the answerer of that name; both share its limit of requests.

    Raises UnknownAnswererError, also for an answerer of another kind, and EndpointRefused.
    """
    answerer = load_answerer(name)
    if not isinstance(answerer, EndpointAnswerer):
        raise UnknownAnswererError(f"{name!r} is an answerer, but not of the kind endpoint")
    return answerer.endpoint
