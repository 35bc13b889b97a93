"""The list of what may be asked inside the own network."""

from ipaddress import ip_address

import pytest

from tomahto.outgoing.destination import AllowListError, read_allow_list

PERMITTED = [
    ("models:8000", "models", "10.0.0.5", 8000),
    ("Models.Example.:8000", "models.example", "10.0.0.5", 8000),
    ("127.0.0.1:11434", "127.0.0.1", "127.0.0.1", 11434),
    ("127.0.0.1:11434", "localhost", "127.0.0.1", 11434),
    ("[::1]:11434", "localhost", "::1", 11434),
    ("10.1.0.0/16", "anything", "10.1.2.3", 1),
    ("fd00::/8", "anything", "fd12::1", 443),
]
NOT_PERMITTED = [
    ("models:8000", "models", "10.0.0.5", 8001),
    ("models:8000", "other", "10.0.0.5", 8000),
    ("models:8000", "models.example", "10.0.0.5", 8000),
    ("127.0.0.1:11434", "localhost", "127.0.0.2", 11434),
    ("127.0.0.1:11434", "localhost", "127.0.0.1", 5432),
    ("127.0.0.1:11434", "localhost", "::1", 11434),
    ("10.1.0.0/16", "anything", "10.2.0.1", 1),
    ("10.1.0.0/16", "anything", "::ffff:10.1.0.1", 1),
]


@pytest.mark.parametrize(("entry", "host", "address", "port"), PERMITTED)
def test_an_entry_permits(entry: str, host: str, address: str, port: int) -> None:
    assert read_allow_list([entry]).permits(host, ip_address(address), port)


@pytest.mark.parametrize(("entry", "host", "address", "port"), NOT_PERMITTED)
def test_an_entry_permits_nothing_else(entry: str, host: str, address: str, port: int) -> None:
    assert not read_allow_list([entry]).permits(host, ip_address(address), port)


def test_an_empty_list_permits_nothing() -> None:
    assert not read_allow_list([]).permits("localhost", ip_address("127.0.0.1"), 80)


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("localhost", "'localhost' is neither HOST:PORT nor a network"),
        ("localhost:0", "'localhost:0' is neither"),
        ("localhost:65536", "'localhost:65536' is neither"),
        ("localhost:http", "'localhost:http' is neither"),
        ("::1:80", "'::1:80' is neither"),
        ("user@localhost:80", "'user@localhost:80' is neither"),
        ("[localhost]:80", "has no IPv6 address between its brackets"),
        ("10.1.2.3/16", "'10.1.2.3/16' is not a network such as 10.1.0.0/16: .*host bits set"),
        ("http://localhost:80", "'http://localhost:80' is not a network"),
    ],
)
def test_an_entry_that_cannot_be_read_is_shown(entry: str, reason: str) -> None:
    with pytest.raises(AllowListError, match=reason):
        read_allow_list(["10.0.0.0/8", entry])
