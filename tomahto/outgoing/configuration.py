"""The site's allow-list, and the client that keeps to it."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tomahto.outgoing.destination import AllowList, read_allow_list

if TYPE_CHECKING:
    from tomahto.outgoing.client import OutgoingClient

_allowed = AllowList()


def configure_outgoing(entries: Iterable[str]) -> None:
    """Replace the allow-list. Raises AllowListError and then changes nothing."""
    global _allowed
    _allowed = read_allow_list(entries)


def outgoing_client() -> "OutgoingClient":
    """A client with the site's allow-list."""
    # its library takes a fifth of a second to load, and most processes never send anything
    from tomahto.outgoing.client import OutgoingClient

    return OutgoingClient(_allowed)
