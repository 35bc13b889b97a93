"""Which addresses lie on the public internet, and which lead inside.

The blocks are those of IANA's special-purpose address registries (RFC 6890 and its updates). They
are written down here because `ipaddress.is_global` answers differently from one Python to the
next, and calls multicast and the addresses that carry an IPv4 address global.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias

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
