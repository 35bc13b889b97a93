"""From which network address a request comes, as far as that can be believed."""

from ipaddress import IPv6Address, ip_address

from django.conf import settings
from django.http import HttpRequest

_IPV6_BITS_OF_A_NETWORK = 64


def client_network(request: HttpRequest) -> str | None:
    """The network that a request comes from: `network_of` its headers and its connection."""
    forwarded = request.headers.get("X-Forwarded-For", "")
    return network_of(forwarded, request.META.get("REMOTE_ADDR", ""))


def shortened(network: str | None) -> str:
    """The network with its last part left out, for people to recognise; empty where unknown."""
    if network is None:
        return ""
    address = ip_address(network)
    if isinstance(address, IPv6Address):
        return f"{IPv6Address(int(address) >> 80 << 80)}/48"
    return f"{network.rpartition('.')[0]}.x"


def network_of(forwarded: str, peer: str) -> str | None:
    """The caller's IPv4 address, or the network of their IPv6 address, of which one caller has all.

    X-Forwarded-For (`forwarded`) can be written by anybody: only as many entries from its end count
    as there are proxies in front (TRUSTED_PROXIES). None where the address is not known: in
    production without such proxies named, when every request seems to come from the one that ends
    TLS.
    """
    proxies: int = settings.TRUSTED_PROXIES
    if settings.PRODUCTION and not proxies:
        return None
    passed = forwarded.split(",") if proxies else []
    way = [*(each.strip() for each in passed if each.strip()), peer]
    return _network(way[max(0, len(way) - 1 - proxies)])


def _network(text: str) -> str | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        shift = 128 - _IPV6_BITS_OF_A_NETWORK
        return str(IPv6Address(int(address) >> shift << shift))
    return str(address)
