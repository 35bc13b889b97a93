"""HTTP as a client sees it, at the doors of a real server."""

import hashlib
import http.client
import json
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from annotation_site.serving import limits
from tests.faults.campaigns import make_campaign
from tests.faults.slow_clients import FORM, SILENT, SlowClient
from tests.site import WORKER_CLASS, Site, running_site

pytestmark = pytest.mark.faults

LARGE = limits.BODY_BYTES_OF_STRANGERS + 1
HOST = b"Host: 127.0.0.1\r\n"
_SIGN_IN = """
from django.test import Client
from tasks.models import User
client = Client()
client.force_login(User.objects.get(username="races-0"))
print(client.cookies["sessionid"].value)
"""


@dataclass(frozen=True)
class Doors:
    site: Site
    token: str
    session: str

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=20)

    def post(self, body: bytes | Iterator[bytes], **headers: str) -> tuple[int, Any]:
        """To what tells the request that has reached the application."""
        with closing(self.connect()) as connection:
            connection.request("POST", "/mirror", body, headers)
            response = connection.getresponse()
            content = response.read()
        return response.status, json.loads(content) if response.status == 200 else content

    def raw(self, sent: bytes) -> bytes:
        """All that is answered until the server ends the connection."""
        with socket.create_connection(("127.0.0.1", self.site.port), timeout=20) as connection:
            connection.sendall(sent)
            return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    """A site that loses patience after a second."""
    folder = tmp_path_factory.mktemp("doors")
    with running_site(folder, environment={"CLOSED": str(folder / "closed")}, start=False) as site:
        [token] = make_campaign(site, items=1, overlap=1, raters=1)
        session = site.python(_SIGN_IN).strip()
        site.start_web(threads=4, application="tests.faults.doors:application")
        yield Doors(site, token, session)


def known_by(doors: Doors, how: str) -> dict[str, str]:
    if how == "token":
        return {"Authorization": f"Token {doors.token}"}
    return {"Cookie": f"csrftoken=x; sessionid={doors.session}"}


def pieces(size: int) -> Iterator[bytes]:
    """Sent as chunks."""
    yield from (b"a" * min(1000, size - begin) for begin in range(0, size, 1000))


def test_stranger_may_send_little(doors: Doors) -> None:
    body = b"a" * limits.BODY_BYTES_OF_STRANGERS
    status, said = doors.post(body)
    assert (status, said["size"]) == (200, len(body))
    status, said = doors.post(pieces(60_000))
    assert (status, said["size"], said["CONTENT_LENGTH"]) == (200, 60_000, "60000")


STRANGERS = [
    {},
    {"Authorization": "Token unknown"},
    {"Cookie": "sessionid=unknown"},
    {"Authorization": "Basic eDp5", "Cookie": "csrftoken=x"},
]


@pytest.mark.parametrize("headers", STRANGERS)
def test_large_body_of_a_stranger_is_refused(doors: Doors, headers: dict[str, str]) -> None:
    """Also where all of it is sent before the answer is read."""
    for body in (b"a" * LARGE, b"a" * 2_000_000, pieces(200_000)):
        status, said = doors.post(body, **headers)
        assert (status, said.splitlines()[2]) == (
            413,
            b"Without signing in at most 64 KiB are taken.",
        )


def test_refusal_does_not_wait_for_the_body(doors: Doors) -> None:
    head = b"POST /mirror HTTP/1.1\r\n" + HOST + b"Content-Length: 199000000\r\n"
    assert doors.raw(head + b"\r\n").startswith(b"HTTP/1.1 413 ")
    expecting = head.replace(b"199000000", b"100000") + b"Expect: 100-continue\r\n\r\n"
    assert doors.raw(expecting).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("how", ["token", "session"])
def test_large_body_of_who_is_signed_in_arrives_whole(doors: Doors, how: str) -> None:
    body = bytes(range(256)) * 12_000
    status, said = doors.post(body, **known_by(doors, how))
    assert (status, said["size"]) == (200, len(body))
    assert said["sha256"] == hashlib.sha256(body).hexdigest()
    status, said = doors.post(pieces(300_000), **known_by(doors, how))
    assert (status, said["size"]) == (200, 300_000)


def test_nobody_may_send_more_than_a_file_to_import(doors: Doors) -> None:
    head = f"POST /mirror HTTP/1.1\r\nHost: x\r\nAuthorization: Token {doors.token}\r\n"
    head += f"Content-Length: {limits.BODY_BYTES + 1}\r\n\r\n"
    assert doors.raw(head.encode()).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("size", [10, LARGE])
def test_client_that_waits_is_told_to_go_on(doors: Doors, size: int) -> None:
    head = f"POST /mirror HTTP/1.1\r\nHost: x\r\nAuthorization: Token {doors.token}\r\n"
    head += f"Content-Length: {size}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", doors.site.port), timeout=20) as connection:
        connection.sendall(head.encode())
        assert connection.recv(25, socket.MSG_WAITALL) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"a" * size)
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["size"] == size


HEAD = b"POST /mirror HTTP/1.1\r\n" + HOST
AMBIGUOUS = {
    "length and chunks": HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths": HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "length that is none": HEAD + b"Content-Length: +5\r\n\r\nabcde",
    "chunks of 1.0": HEAD.replace(b"1.1", b"1.0") + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunk of no size": HEAD + b"Transfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n",
    "chunk line without end": HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"0" * 9000,
    "bare end of line": HEAD + b"A: b\nContent-Length: 5\r\n\r\nabcde",
    "space before the colon": HEAD + b"Content-Length : 5\r\n\r\nabcde",
}


@pytest.mark.parametrize("sent", AMBIGUOUS.values(), ids=AMBIGUOUS.keys())
def test_what_servers_read_differently_is_refused(doors: Doors, sent: bytes) -> None:
    """With nothing that follows taken for a request of its own."""
    answer = doors.raw(sent + b"GET /mirror HTTP/1.1\r\n" + HOST + b"\r\n")
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 "))
    assert b" 200 OK" not in answer


def test_headers_have_a_limit(doors: Doors) -> None:
    large = b"A: " + b"a" * limits.HEADER_BYTES
    answer = doors.raw(b"GET / HTTP/1.1\r\n" + HOST + large + b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.0 431 ")


def test_connection_is_kept_for_the_next_request(doors: Doors) -> None:
    with closing(doors.connect()) as connection:
        for method, path in [
            ("GET", "/healthz"),
            ("HEAD", "/login/"),
            ("HEAD", "/static/css/layout.css"),
        ]:
            connection.request(method, path)
            response = connection.getresponse()
            assert (response.status, bool(response.read())) == (200, method == "GET")
            assert int(response.headers["Content-Length"]) > 0
            begun = connection.sock
            assert begun is not None
        connection.request("GET", "/static/css/layout.css", headers={"Range": "bytes=2-5"})
        response = connection.getresponse()
        assert (response.status, len(response.read())) == (206, 4)
        assert connection.sock is begun


def test_requests_sent_together_are_answered_in_their_order(doors: Doors) -> None:
    paths = [b"/mirror?a", b"/mirror?b", b"/mirror?c"]
    sent = b"".join(b"GET " + path + b" HTTP/1.1\r\n" + HOST + b"\r\n" for path in paths)
    answer = doors.raw(sent + b"GET /healthz HTTP/1.0\r\n" + HOST + b"\r\n")
    places = [answer.index(b'"QUERY_STRING": "%s"' % path[-1:]) for path in paths]
    assert places == sorted(places)


def test_application_is_told_where_a_request_comes_from(doors: Doors) -> None:
    _, said = doors.post(b"x", **{"X-Forwarded-For": "10.1.2.3"})
    wanted = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.1.2.3"}
    wanted |= {"wsgi.url_scheme": "http", "SERVER_NAME": "127.0.0.1", "CONTENT_LENGTH": "1"}
    assert {name: said[name] for name in wanted} == wanted
    # gunicorn believes a proxy on this machine
    _, said = doors.post(b"x", **{"X-Forwarded-Proto": "https"})
    assert said["wsgi.url_scheme"] == "https"


def test_one_address_has_a_share_and_the_newest_have_it(doors: Doors) -> None:
    source = "127.0.0.9"
    clients = [
        SlowClient(doors.site.port, SILENT, source) for _ in range(limits.CONNECTIONS_OF_ONE)
    ]
    last = SlowClient(doors.site.port, b"GET /endless HTTP/1.1\r\n" + HOST + b"\r\n", source)
    assert last.socket.recv(15) == b"HTTP/1.1 200 OK"
    assert not clients[0].is_open()
    for client in [*clients, last]:
        client.socket.close()


def test_behind_a_proxy_clients_are_told_apart_by_its_header(tmp_path: Path) -> None:
    """Each has a share; the proxy, from which all connections come, has none."""
    form = FORM.replace(b"Host", b"X-Forwarded-For: 10.1.1.%d\r\nHost")
    with running_site(tmp_path, environment={"TOMAHTO_TRUSTED_PROXIES": "1"}, start=False) as site:
        site.start_web(threads=2)
        elsewhere = SlowClient(site.port, form % 2)
        first = SlowClient(site.port, form % 1)
        await_taken(site, form % 1)
        others = [SlowClient(site.port, form % 1) for _ in range(limits.CONNECTIONS_OF_ONE)]
        assert first.socket.recv(1) == b""
        assert elsewhere.is_open()
        assert others[-1].is_open()
        for client in [elsewhere, first, *others]:
            client.socket.close()


def await_taken(site: Site, sent: bytes) -> None:
    """Returns when the server has read what was sent before."""
    head = sent.partition(b"\r\n\r\n")[0].replace(b"60000", b"0").replace(b"POST", b"GET")
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        connection.sendall(head + b"\r\nConnection: close\r\n\r\n")
        assert connection.recv(15, socket.MSG_WAITALL) == b"HTTP/1.1 200 OK"


def test_server_that_stops_answers_what_has_begun(doors: Doors) -> None:
    with running_site(doors.site.folder / "stopping", start=False) as site:
        server = site.launch_web(workers=1, threads=2, application="tests.faults.doors:application")
        site.await_port()
        with (
            socket.create_connection(("127.0.0.1", site.port), timeout=20) as kept,
            socket.create_connection(("127.0.0.1", site.port), timeout=20) as begun,
        ):
            kept.sendall(b"GET /mirror HTTP/1.1\r\n" + HOST + b"\r\n")
            assert kept.recv(15, socket.MSG_WAITALL) == b"HTTP/1.1 200 OK"
            begun.sendall(b"POST /mirror HTTP/1.1\r\n" + HOST + b"Content-Length: 2\r\n\r\na")
            server.send_signal(signal.SIGTERM)
            while "Handling signal: term" not in (site.folder / "gunicorn.log").read_text():
                time.sleep(0.02)
            begun.sendall(b"b")
            answer = b"".join(iter(lambda: begun.recv(1 << 16), b""))
            assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
            assert b"\r\nConnection: close\r\n" in answer
            rest = b"".join(iter(lambda: kept.recv(1 << 16), b""))
            assert b"\r\nConnection: close" not in rest
        assert server.wait(20) == 0


def test_process_that_is_replaced_loses_no_request(doors: Doors) -> None:
    folder = doors.site.folder / "replaced"
    with running_site(folder, start=False) as site:
        site.start(
            *("gunicorn", "tests.faults.doors:application", "--worker-class", WORKER_CLASS),
            *("--workers", "2", "--max-requests", "40", "--bind", f"127.0.0.1:{site.port}"),
            *("--no-control-socket", "--preload"),
        )
        site.await_port()

        def ask(_number: int) -> int:
            with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)) as one:
                one.request("GET", "/mirror")
                return one.getresponse().status

        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(ask, range(400))) == {200}
        assert (folder / "gunicorn.log").read_text().count("Booting worker") > 2
