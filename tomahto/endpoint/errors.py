"""Why an endpoint gave no reply. No message holds the key."""


class EndpointError(Exception):
    """A request that brought no reply."""


class EndpointRefused(EndpointError):
    """The endpoint will take no request as things are: a wrong address, key or model name, an
    address that may not be asked, a key that is not set. Trying again mends nothing."""


class RequestRefused(EndpointError):
    """This request is refused, others may not be: too long, or its content is unwelcome."""


class MalformedReply(RequestRefused):
    """What came back is not a chat completion. `raw` is its beginning, for people to look at."""

    def __init__(self, message: str, raw: str = "") -> None:
        super().__init__(message)
        self.raw = raw


class EndpointUnavailable(EndpointError):
    """It failed in a way that may pass. `retry_after` is how many seconds it asked to wait."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
