"""What inside the own network may be reached all the same: local model servers, mostly."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias

from tomahto.outgoing.addresses import Address, read_address

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
