"""The client against a real server on loopback, and against names that lead inside."""

import itertools
import ssl
from collections.abc import Iterator, Sequence
from typing import Any

import httpcore2
import pytest

from tests.clocks import FakeClock
from tests.http_server import LocalServer, answers, breaks_off, drips, local_server, resets, void
from tomahto.outgoing.client import OutgoingClient, resolve
from tomahto.outgoing.destination import (
    AllowList,
    AnswerTooLarge,
    DestinationRefused,
    NoAnswer,
    OutgoingError,
    TimedOut,
    read_allow_list,
)
from tomahto.outgoing.messages import Limits, Request, Response

pytestmark = pytest.mark.slow


PUBLIC = "93.184.215.14"


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as server:
        yield server


@pytest.fixture
def client(server: LocalServer) -> OutgoingClient:
    return OutgoingClient(read_allow_list([server.allowed]))


class NoNetwork(httpcore2.NetworkBackend):
    """Notes what is dialled and reaches nobody."""

    def __init__(self) -> None:
        self.dialled: list[tuple[str, int]] = []

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore2.NetworkStream:
        self.dialled.append((host, port))
        raise httpcore2.ConnectError("there is no network")


class Names:
    """A resolver with a fixed answer for every time it is asked."""

    def __init__(self, *rounds: Sequence[str]) -> None:
        self.rounds = list(rounds)
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.rounds.pop(0)


def test_a_request_arrives_as_it_was_given_and_the_answer_comes_back(
    server: LocalServer, client: OutgoingClient
) -> None:
    server.script.append(answers(b"\x00\xffbody", 201, {"X-Two": "b"}))
    response = client.send(
        Request("POST", f"{server.url}/v1/x?y=z", {"Content-Type": "text/plain"}, b"hello")
    )
    [received] = server.received
    assert (response.status, response.body, response.headers["x-two"]) == (
        201,
        b"\x00\xffbody",
        "b",
    )
    assert (received.method, received.path, received.body) == ("POST", "/v1/x?y=z", b"hello")
    assert received.headers == {
        "host": f"127.0.0.1:{server.port}",
        "connection": "close",
        "accept-encoding": "identity",
        "content-type": "text/plain",
        "content-length": "5",
    }


def test_proxies_of_the_environment_are_not_used(
    server: LocalServer, client: OutgoingClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server.script.append(answers("direct"))
    assert client.send(Request("GET", server.url)).body == b"direct"


def test_cookies_are_not_kept(server: LocalServer, client: OutgoingClient) -> None:
    server.script += [answers("", headers={"Set-Cookie": "a=b"}), answers("")]
    for _ in range(2):
        client.send(Request("GET", server.url))
    assert "cookie" not in server.received[1].headers


# --- what leads inside ----------------------------------------------------------------------

# resolved by the system: none of them needs a name server
LOOPBACK_AS_NUMBERS = [
    *("127.0.0.1", "127.8.9.10", "127.1", "127.0.1", "0", "2130706433", "017700000001"),
    "0.0.0.0",  # noqa: S104 - nothing is bound
    *("0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "0x7f.1", "127.0.0.1.", "localhost"),
    *("[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:0:0:1]"),
]
INSIDE = [
    *("10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "224.0.0.1"),
    *("2852039166", "0xa9fea9fe", "0251.0376.0251.0376"),  # 169.254.169.254
    *("[fe80::1]", "[fc00::1]", "[ff02::1]", "[fec0::1]", "[::7f00:1]"),
    *("[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]", "[::ffff:a9fe:a9fe]", "[2001:db8::1]"),
]


@pytest.mark.parametrize("host", LOOPBACK_AS_NUMBERS)
def test_loopback_is_not_reached_however_it_is_written(server: LocalServer, host: str) -> None:
    with pytest.raises(DestinationRefused, match="is not on the public internet"):
        OutgoingClient(AllowList()).send(Request("GET", f"http://{host}:{server.port}/"))
    assert server.received == []


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", INSIDE)
def test_nothing_inside_is_dialled(host: str, scheme: str) -> None:
    network = NoNetwork()
    with pytest.raises(DestinationRefused, match="is not on the public internet"):
        OutgoingClient(AllowList(), network=network).send(Request("GET", f"{scheme}://{host}/"))
    assert network.dialled == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.example/", "gopher://a.example/"])
def test_other_schemes_dial_nothing(url: str) -> None:
    network, names = NoNetwork(), Names()
    with pytest.raises(DestinationRefused):
        OutgoingClient(AllowList(), network=network, resolve=names).send(Request("GET", url))
    assert (network.dialled, names.asked) == ([], [])


@pytest.mark.parametrize("addresses", [["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["::1", PUBLIC]])
def test_a_name_that_leads_inside_is_not_dialled_at_all(addresses: list[str]) -> None:
    network = NoNetwork()
    client = OutgoingClient(AllowList(), network=network, resolve=Names(addresses))
    with pytest.raises(DestinationRefused, match=r"add inside\.example:80 to TOMAHTO_OUTGOING"):
        client.send(Request("GET", "http://inside.example/"))
    assert network.dialled == []


def test_a_name_that_changes_its_address_is_dialled_where_it_was_checked() -> None:
    network, names = NoNetwork(), Names([PUBLIC], ["127.0.0.1"])
    client = OutgoingClient(AllowList(), network=network, resolve=names)
    with pytest.raises(NoAnswer, match="there is no network"):
        client.send(Request("GET", "http://rebinding.example/"))
    assert (names.asked, network.dialled) == (["rebinding.example"], [(PUBLIC, 80)])
    with pytest.raises(DestinationRefused):
        client.send(Request("GET", "http://rebinding.example/"))
    assert network.dialled == [(PUBLIC, 80)]


def test_every_address_of_a_public_name_is_tried() -> None:
    network = NoNetwork()
    names = Names([PUBLIC, "2606:4700::1111"])
    with pytest.raises(NoAnswer):
        OutgoingClient(AllowList(), network=network, resolve=names).send(
            Request("GET", "https://a.example/")
        )
    assert network.dialled == [(PUBLIC, 443), ("2606:4700::1111", 443)]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_handed_back_and_not_followed(
    server: LocalServer, client: OutgoingClient, status: int
) -> None:
    elsewhere = f"{server.url}/elsewhere"
    server.script.append(answers("", status, {"Location": elsewhere}))
    response = client.send(Request("POST", server.url, body=b"x"))
    assert (response.status, response.headers["location"]) == (status, elsewhere)
    assert [request.path for request in server.received] == ["/"]


@pytest.mark.parametrize("entry", ["{host}:{port}", "127.0.0.0/8", "localhost:{port}"])
def test_what_is_on_the_list_is_reached(server: LocalServer, entry: str) -> None:
    server.script.append(answers("hello"))
    host = "localhost" if entry.startswith("localhost") else "127.0.0.1"
    allowed = read_allow_list([entry.format(host=host, port=server.port)])
    names = Names(["127.0.0.1"])
    response = OutgoingClient(allowed, resolve=names).send(
        Request("GET", f"http://{host}:{server.port}/")
    )
    assert response.body == b"hello"


def test_another_port_of_a_listed_host_is_not_reached(server: LocalServer) -> None:
    client = OutgoingClient(read_allow_list([f"127.0.0.1:{server.port % 65_535 + 1}"]))
    with pytest.raises(DestinationRefused):
        client.send(Request("GET", server.url))
    assert server.received == []


# --- faults of the other side ---------------------------------------------------------------


def test_a_reset_connection_may_pass(server: LocalServer, client: OutgoingClient) -> None:
    server.script.append(resets)
    with pytest.raises(NoAnswer, match=rf"^http://127.0.0.1:{server.port}: ") as caught:
        client.send(Request("GET", f"{server.url}/secret-path"))
    assert caught.value.may_pass
    assert "secret-path" not in str(caught.value)


def test_an_answer_that_breaks_off_is_no_answer(
    server: LocalServer, client: OutgoingClient
) -> None:
    server.script.append(breaks_off(b'{"a": 1}', after=4))
    with pytest.raises(NoAnswer, match="closed connection without sending complete"):
        client.send(Request("GET", server.url))


def test_something_that_is_not_http_is_no_answer(
    server: LocalServer, client: OutgoingClient
) -> None:
    server.script.append(lambda handler: void(handler.wfile.write(b"SSH-2.0-x\r\n\r\n")))
    with pytest.raises(NoAnswer):
        client.send(Request("GET", server.url))


def test_nobody_listening_is_no_answer(server: LocalServer, client: OutgoingClient) -> None:
    with local_server() as gone:
        pass
    with pytest.raises(NoAnswer, match="refused"):
        OutgoingClient(read_allow_list([gone.allowed])).send(Request("GET", gone.url))


def test_an_unknown_name_is_no_answer() -> None:
    with pytest.raises(NoAnswer, match=r"^x\.invalid: the name has no address"):
        resolve("x.invalid", 80)


def test_silence_ends_the_wait(server: LocalServer, client: OutgoingClient) -> None:
    server.script.append(server.never_answers())
    with pytest.raises(TimedOut, match="no answer in time"):
        client.send(Request("GET", server.url), Limits(read_seconds=0.05))


def test_an_answer_that_drips_for_ever_ends_with_the_time_for_the_whole(
    server: LocalServer,
) -> None:
    server.script.append(drips(itertools.repeat(b"x" * 50_000)))
    clock = FakeClock(step=1.0)  # a second passes with every read
    client = OutgoingClient(read_allow_list([server.allowed]), clock=clock)
    with pytest.raises(TimedOut):
        client.send(Request("GET", server.url), Limits(total_seconds=20, answer_bytes=2**40))
    assert 20 <= clock.seconds < 25


@pytest.mark.parametrize("act", [answers(b"x" * 101), drips(iter([b"x" * 60] * 2))])
def test_an_answer_longer_than_wanted_is_not_read(
    server: LocalServer, client: OutgoingClient, act: Any
) -> None:
    server.script.append(act)
    with pytest.raises(AnswerTooLarge, match="more than 100 bytes"):
        client.send(Request("GET", server.url), Limits(answer_bytes=100))


def test_an_answer_as_long_as_wanted_is_read(server: LocalServer, client: OutgoingClient) -> None:
    server.script.append(answers(b"x" * 100))
    response = client.send(Request("GET", server.url), Limits(answer_bytes=100))
    assert response == Response(200, response.headers, b"x" * 100)


def test_a_packed_answer_is_refused(server: LocalServer, client: OutgoingClient) -> None:
    server.script.append(answers(b"\x1f\x8b", headers={"Content-Encoding": "gzip"}))
    with pytest.raises(OutgoingError, match="compressed"):
        client.send(Request("GET", server.url))


def test_a_server_without_tls_is_no_answer_to_https(
    server: LocalServer, client: OutgoingClient
) -> None:
    with pytest.raises(NoAnswer):
        client.send(Request("GET", f"https://127.0.0.1:{server.port}/"))


def test_certificates_are_checked(client: OutgoingClient) -> None:
    context = client._ssl_context
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)


@pytest.mark.parametrize(
    "headers",
    [{"X": "a\r\nY: b"}, {"X\n": "a"}, {"X": "ключ"}, {"Host": "b"}, {"content-length": "1"}],
)
def test_headers_cannot_be_smuggled(
    server: LocalServer, client: OutgoingClient, headers: dict[str, str]
) -> None:
    with pytest.raises(ValueError, match="header"):
        client.send(Request("GET", server.url, headers))
    assert server.received == []


def test_a_request_shows_no_secret() -> None:
    request = Request("GET", "http://a.example/s3cret", {"Authorization": "s3cret"}, b"s3cret")
    assert repr(request) == "Request(method='GET')"
