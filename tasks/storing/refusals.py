"""What the workflow refuses, and how the API answers it."""

from collections.abc import Callable, Mapping


class Refusal(Exception):
    """It cannot be done as things stand; the message says why."""

    status: int = 409

    def body(self, address_of: Callable[..., str]) -> Mapping[str, str]:  # noqa: ARG002 - for those that name a page
        """What a call gets; `address_of` gives the absolute address of a page by its name."""
        return {"detail": str(self)}

    def headers(self) -> Mapping[str, str]:
        return {}
