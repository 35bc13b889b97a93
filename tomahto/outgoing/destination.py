"""The address of a request, read once and strictly, so that no two readers can differ over it."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from tomahto.outgoing.addresses import read_address
from tomahto.outgoing.errors import DestinationRefused

_PORTS: Final = {"http": 80, "https": 443}
_VISIBLE_ASCII = re.compile(r"[!-~]+")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_LONGEST_NAME = 253


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a request. `host` is a name in lower case or an address without brackets;
    `target` is path and query. It may hold a secret, so it is not shown."""

    scheme: str
    host: str
    port: int
    target: str

    def __repr__(self) -> str:
        return f"<Destination {self}>"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        """What the Host header says: the port is left out where the scheme implies it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"


def read_destination(url: str) -> Destination:
    """Raises DestinationRefused for everything that is not a plain http:// or https:// address."""
    if not _VISIBLE_ASCII.fullmatch(url) or "\\" in url:
        raise DestinationRefused(
            "an address may only contain visible ASCII characters without a backslash: "
            "percent-encode others, and write host names in punycode"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise DestinationRefused(f"the address cannot be read: {error}") from None
    if parts.scheme not in _PORTS:
        raise DestinationRefused(f"{parts.scheme or 'no scheme'}: only http and https are allowed")
    if "@" in parts.netloc:
        raise DestinationRefused("an address must not contain a user or a password")
    if "#" in url:
        raise DestinationRefused("an address must not contain a fragment (#)")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    port = _PORTS[parts.scheme] if port is None else port
    host = _host(parts.hostname, is_bracketed="[" in parts.netloc)
    return Destination(parts.scheme, host, _usable(port), target)


def _host(written: str | None, *, is_bracketed: bool) -> str:
    host = (written or "").removesuffix(".")
    if read_address(host) is not None:
        return host
    if is_bracketed or len(host) > _LONGEST_NAME or not _NAME.fullmatch(host):
        raise DestinationRefused("the address names no host")
    return host


def _usable(port: int) -> int:
    if port == 0:
        raise DestinationRefused("port 0 does not exist")
    return port
