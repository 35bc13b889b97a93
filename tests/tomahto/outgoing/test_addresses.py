"""Public or inside, for every block of the registries and every way to carry IPv4 in IPv6."""

from ipaddress import IPv4Address, IPv6Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tomahto.outgoing.destination import is_public, read_address

INSIDE = [
    "0.0.0.0",  # noqa: S104 - nothing is bound
    *("0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255"),
    *("127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255"),
    *("192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255"),
    *("198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    "255.255.255.255",
    *("::", "::1", "::7f00:1", "100::1", "fc00::1", "fdff::1", "fe80::1", "fe80::1%2", "fec0::1"),
    *("ff02::1", "ff0e::1", "2001::1", "2001:2::1", "2001:10::1", "2001:db8::1", "3fff::1"),
    *("2002:808:808::1", "5f00::1", "64:ff9b:1::808:808"),
    *("::ffff:127.0.0.1", "::ffff:a00:1", "::ffff:169.254.169.254"),
    *("64:ff9b::7f00:1", "64:ff9b::10.0.0.1"),
]
PUBLIC = [
    *("1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"),
    *("126.255.255.255", "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0"),
    *("192.0.1.0", "192.167.255.255", "198.17.255.255", "198.20.0.0", "223.255.255.255"),
    *("2606:4700::1111", "2a00::1", "2001:4860:4860::8888", "2003::1"),
    *("::ffff:8.8.8.8", "64:ff9b::808:808"),
]


@pytest.mark.parametrize("text", INSIDE)
def test_an_address_inside_is_not_public(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert not is_public(address)


@pytest.mark.parametrize("text", PUBLIC)
def test_an_address_out_there_is_public(text: str) -> None:
    address = read_address(text)
    assert address is not None
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_carrying_an_address_in_ipv6_changes_nothing(address: IPv4Address) -> None:
    mapped = IPv6Address(f"::ffff:{address}")
    translated = IPv6Address(int(IPv6Address("64:ff9b::")) + int(address))
    assert is_public(mapped) == is_public(translated) == is_public(address)


@given(st.ip_addresses())
def test_nothing_is_public_that_python_calls_private_loopback_link_local_or_multicast(
    address: IPv4Address | IPv6Address,
) -> None:
    inside = (
        address.is_private or address.is_loopback or address.is_link_local or address.is_multicast
    )
    assert not (inside and is_public(address))


@pytest.mark.parametrize("text", ["localhost", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", ""])
def test_what_is_not_written_as_an_address_is_a_name(text: str) -> None:
    assert read_address(text) is None
