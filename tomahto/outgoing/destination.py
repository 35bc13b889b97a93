"""The destinations of requests: addresses, those that lead inside, and what is permitted of these.

The blocks that lead inside are those of IANA's special-purpose address registries (RFC 6890 and its
updates). They are written down here because `ipaddress.is_global` answers differently from one
Python to the next, and calls multicast and the addresses that carry an IPv4 address global.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import ClassVar, Final, TypeAlias
from urllib.parse import urlsplit


class OutgoingError(Exception):
    """`may_pass`: whether the same request may succeed later."""

    may_pass: ClassVar[bool] = False


class DestinationRefused(OutgoingError):
    """The address is not one this site sends requests to. Nothing was sent."""


class AnswerTooLarge(OutgoingError):
    """The answer is longer than the caller wants to read."""


class NoAnswer(OutgoingError):
    """Nobody was reached, or the connection broke before the answer was complete."""

    may_pass = True


class TimedOut(NoAnswer):
    """The answer took too long: to connect, between two pieces, or altogether."""


Address: TypeAlias = IPv4Address | IPv6Address

_INSIDE_V4: Final = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared between a carrier and its customers
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local, where clouds keep their metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks of networks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_UNICAST: Final = IPv6Network("2000::/3")  # nothing else is assigned to hosts out there
_INSIDE_V6: Final = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments, with Teredo, ORCHID and benchmarks
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: leads to the IPv4 address in it, by relays nobody should use
        "3fff::/20",  # documentation
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")


def read_address(text: str) -> Address | None:
    """The address in its usual form; None if the text is a name, or another way to write one."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def is_public(address: Address) -> bool:
    """Whether a host on the public internet has the address.

    IPv4 in IPv6, mapped or translated (NAT64), is judged by the IPv4 address it stands for.
    """
    carried = _carried(address)
    if carried is not None:
        return is_public(carried)
    if isinstance(address, IPv4Address):
        return not any(address in block for block in _INSIDE_V4)
    return address in _GLOBAL_UNICAST and not any(address in block for block in _INSIDE_V6)


def _carried(address: Address) -> IPv4Address | None:
    if isinstance(address, IPv4Address):
        return None
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped


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
        """The value of the Host header: the port is left out where the scheme implies it."""
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
    if port == 0:
        raise DestinationRefused("port 0 does not exist")
    return Destination(parts.scheme, host, port, target)


def _host(written: str | None, *, is_bracketed: bool) -> str:
    host = (written or "").removesuffix(".")
    if read_address(host) is not None:
        return host
    if is_bracketed or len(host) > _LONGEST_NAME or not _NAME.fullmatch(host):
        raise DestinationRefused("the address names no host")
    return host


Network: TypeAlias = IPv4Network | IPv6Network

_HOST_AND_PORT = re.compile(r"(?:\[(?P<v6>[^\[\]]+)\]|(?P<host>[^\[\]:/@\s]+)):(?P<port>\d{1,5})")
_LARGEST_PORT = 65_535


class AllowListError(ValueError):
    """An entry that cannot be read; the message shows it."""


@dataclass(frozen=True, slots=True)
class AllowList:
    """Three kinds of entries.

    `names`: a host name with a port; whatever address the name has may be dialled at that port.
    `hosts`: an address with a port, by whatever name it is reached. `networks`: every address of
    a block, at every port.
    """

    names: frozenset[tuple[str, int]] = frozenset()
    hosts: frozenset[tuple[Address, int]] = frozenset()
    networks: tuple[Network, ...] = ()

    def permits(self, host: str, address: Address, port: int) -> bool:
        """Whether this address may be dialled at this port when `host` is asked for."""
        return (
            (host, port) in self.names
            or (address, port) in self.hosts
            or any(address in network for network in self.networks)
        )


def read_allow_list(entries: Iterable[str]) -> AllowList:
    """From `host:port`, `192.0.2.7:8000`, `[2001:db8::7]:8000` and `192.0.2.0/24`.

    Raises AllowListError.
    """
    names, hosts, networks = set(), set(), []
    for entry in entries:
        if "/" in entry:
            networks.append(_network(entry))
            continue
        host, port = _host_and_port(entry)
        address = read_address(host)
        if address is None:
            names.add((host.lower().removesuffix("."), port))
        else:
            hosts.add((address, port))
    return AllowList(frozenset(names), frozenset(hosts), tuple(networks))


def _network(entry: str) -> Network:
    try:
        return ip_network(entry)
    except ValueError as error:
        raise AllowListError(f"{entry!r} is not a network such as 10.1.0.0/16: {error}") from None


def _host_and_port(entry: str) -> tuple[str, int]:
    found = _HOST_AND_PORT.fullmatch(entry)
    if found is None or not 0 < int(found["port"]) <= _LARGEST_PORT:
        raise AllowListError(f"{entry!r} is neither HOST:PORT nor a network such as 10.1.0.0/16")
    if found["v6"] is not None and read_address(found["v6"]) is None:
        raise AllowListError(f"{entry!r} has no IPv6 address between its brackets")
    return found["v6"] or found["host"], int(found["port"])
