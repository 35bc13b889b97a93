"""Asking an endpoint: what is sent, what comes back, and every way in which it fails."""

import itertools
import json
import logging
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from tests.chat_server import KEY, completion, endpoint, fails, says
from tests.clocks import FakeClock
from tests.http_server import Act, LocalServer, answers, breaks_off, drips, resets
from tomahto.endpoint.chat import LONGEST_WAIT, Message, Parameters
from tomahto.endpoint.reply import (
    EndpointError,
    EndpointRefused,
    EndpointUnavailable,
    MalformedReply,
    Reply,
    RequestRefused,
)
from tomahto.outgoing.client import OutgoingClient
from tomahto.outgoing.destination import AllowList

pytestmark = pytest.mark.slow


ASKED = [Message("system", "Answer."), Message("user", "Where does the Rhine rise?")]
PARAMETERS = Parameters(max_tokens=256, temperature=0.0)


def test_a_question_is_sent_in_the_protocol_and_the_reply_is_read(server: LocalServer) -> None:
    server.script.append(says("in the Alps"))
    reply = endpoint(server).complete(ASKED, PARAMETERS)
    [received] = server.received
    assert (received.method, received.path) == ("POST", "/v1/chat/completions")
    assert received.headers["authorization"] == f"Bearer {KEY}"
    assert received.headers["content-type"] == "application/json"
    assert received.json == {
        "model": "finch-7b",
        "messages": [
            {"role": "system", "content": "Answer."},
            {"role": "user", "content": "Where does the Rhine rise?"},
        ],
        "stream": False,
        "max_tokens": 256,
        "temperature": 0.0,
    }
    assert reply == Reply(
        text="in the Alps",
        model="finch-7b-2026",
        finish_reason="stop",
        prompt_tokens=21,
        completion_tokens=4,
        body=json.dumps(completion("in the Alps")),
    )


def test_without_a_key_none_is_sent(server: LocalServer) -> None:
    server.script.append(says("yes"))
    endpoint(server, key="").complete(ASKED, PARAMETERS)
    assert "authorization" not in server.received[0].headers


# --- what may pass --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "failure",
    [
        *(fails(status) for status in (408, 409, 425, 429, 500, 502, 503, 504, 529)),
        answers("<html>Bad gateway</html>", 502),
        breaks_off(b'{"choices": [', after=5),
        resets,
    ],
)
def test_what_may_pass_is_tried_again(server: LocalServer, failure: Act) -> None:
    server.script += [failure, says("yes")]
    clock = FakeClock()
    assert endpoint(server, clock=clock).complete(ASKED, PARAMETERS).text == "yes"
    assert (len(server.received), clock.waits) == (2, [1.0])


def test_pauses_double_until_the_retries_are_used_up(server: LocalServer) -> None:
    server.script += [fails(500, "overloaded")] * 9
    clock = FakeClock()
    with pytest.raises(EndpointUnavailable, match=r"answered 500: overloaded$"):
        endpoint(server, clock=clock, retries=8).complete(ASKED, PARAMETERS)
    # 1 s doubled each time, at most a minute
    assert clock.waits == [1, 2, 4, 8, 16, 32, 60, 60]
    assert len(server.received) == 9


@pytest.mark.parametrize(
    ("header", "pause"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Thu, 01 Jan 2026 12:00:20 GMT", 20.0),  # the fake clock stands at noon
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0.0),
        ("soon", 1.0),  # neither: as if there were none
        ("-5", 1.0),
        ("", 1.0),
    ],
)
@pytest.mark.parametrize("status", [429, 503])
def test_a_wait_the_endpoint_asks_for_is_kept(
    server: LocalServer, header: str, pause: float, status: int
) -> None:
    server.script += [fails(status, Retry_After=header), says("yes")]
    clock = FakeClock()
    endpoint(server, clock=clock).complete(ASKED, PARAMETERS)
    assert clock.waits == [pause]


@pytest.mark.parametrize("header", ["301", "9" * 400, "Fri, 02 Jan 2026 12:00:00 GMT"])
def test_a_wait_that_is_too_long_is_left_to_the_next_attempt(
    server: LocalServer, header: str
) -> None:
    server.script.append(fails(429, Retry_After=header))
    clock = FakeClock()
    with pytest.raises(EndpointUnavailable) as caught:
        endpoint(server, clock=clock).complete(ASKED, PARAMETERS)
    assert clock.waits == []
    assert caught.value.retry_after is not None
    assert caught.value.retry_after > LONGEST_WAIT


def test_silence_may_pass(server: LocalServer) -> None:
    server.script += [server.never_answers()]
    with pytest.raises(EndpointUnavailable, match="no answer in time"):
        # the least that options allow is a second; this is the test's own second
        endpoint(server, timeout_seconds=1, retries=0).complete(ASKED, PARAMETERS)


def test_nobody_listening_may_pass(server: LocalServer) -> None:
    chat = endpoint(server, url="http://127.0.0.1:9/v1", retries=0)
    chat._client = OutgoingClient(AllowList(networks=()), resolve=lambda *_: [])
    with pytest.raises(EndpointUnavailable, match="has no address"):
        chat.complete(ASKED, PARAMETERS)


# --- what does not pass ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("statuses", "error"),
    [
        ([401, 402, 403, 404, 405, 410], EndpointRefused),  # it concerns every request
        ([301, 302, 307, 308], EndpointRefused),  # a redirect is not followed
        ([400, 413, 422], RequestRefused),  # it concerns this one
    ],
)
def test_what_does_not_pass_is_final(
    server: LocalServer, statuses: list[int], error: type[EndpointError]
) -> None:
    for status in statuses:
        server.script.append(fails(status, "said why", Location="http://169.254.169.254/"))
        with pytest.raises(error, match=f"answered {status}: said why$"):
            endpoint(server).complete(ASKED, PARAMETERS)
    assert len(server.received) == len(statuses)


def test_an_address_inside_that_is_not_on_the_list_is_final(server: LocalServer) -> None:
    chat = endpoint(server)
    chat._client = OutgoingClient(AllowList())
    with pytest.raises(EndpointRefused, match="TOMAHTO_OUTGOING_ALLOWED"):
        chat.complete(ASKED, PARAMETERS)
    assert server.received == []


def with_choices(*choices: object) -> dict[str, object]:
    return {**completion("x"), "choices": list(choices)}


MALFORMED = {
    "truncated": (b'{"choices": [{"message": {"content": "ye', "is not JSON"),
    "empty": (b"", "is not JSON: Expecting value"),
    "text before": (b"Sure! " + json.dumps(completion("x")).encode(), "is not JSON"),
    "text behind": (json.dumps(completion("x")).encode() + b" Done.", "is not JSON: Extra data"),
    "two": (json.dumps(completion("x")).encode() * 2, "is not JSON: Extra data"),
    "NaN": (b'{"choices": NaN}', "holds NaN"),
    "infinity": (b'{"created": 1e999}', "out of range"),
    "long number": (b'{"created": ' + b"1" * 5000 + b"}", "a number that is too long"),
    "twice": (b'{"model": "a", "model": "b"}', "the same key twice"),
    "deep": (b"[" * 40 + b"]" * 40, "nested more than 32 deep"),
    "bottomless": (b"[" * 100_000 + b"]" * 100_000, "nested more than 32 deep"),
    "latin-1": ('{"model": "é"}'.encode("latin-1"), "not in UTF-8"),
    "control character": (b'{"model": "a\x00b"}', "is not JSON: Invalid control character"),
    "list": (b"[]", "not a chat completion with one choice"),
    "no choices": (b'{"choices": []}', "not a chat completion with one choice"),
    "two choices": (with_choices({}, {}), "not a chat completion with one choice"),
    "no message": (with_choices({}), "no message in its choice"),
    "parts": (with_choices({"message": {"content": ["x"]}}), "has no text"),
    "number": (with_choices({"message": {"content": 7}}), "no text as its content"),
    "model": (completion("x", model=7), "no text as its model"),
    "reason": (completion("x", finish_reason=7), "no text as its finish_reason"),
    "usage": (completion("x", usage=7), "no counts as its usage"),
    "tokens": (completion("x", usage={"prompt_tokens": -1}), "not count prompt_tokens in whole"),
    "true tokens": (completion("x", usage={"prompt_tokens": True}), "count prompt_tokens"),
}


@pytest.mark.parametrize(("body", "reason"), MALFORMED.values(), ids=MALFORMED)
def test_a_malformed_reply_is_an_error_and_is_not_kept(
    server: LocalServer, tmp_path: Path, body: bytes | dict[str, object], reason: str
) -> None:
    server.script.append(answers(body, headers={"Content-Type": "application/json"}))
    with pytest.raises(MalformedReply, match=reason) as caught:
        endpoint(server, cache=tmp_path).complete(ASKED, PARAMETERS)
    assert len(server.received) == 1
    assert list(tmp_path.iterdir()) == []
    assert len(caught.value.raw) <= 20_001
    assert "\x00" not in caught.value.raw


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("application/json; charset=utf-8", None),
        ("Application/JSON", None),
        ("text/html; charset=utf-8", "text/html"),
        ("text/event-stream", "text/event-stream"),
        ("", "of no type"),
    ],
)
def test_another_type_of_content_than_json_is_malformed(
    server: LocalServer, kind: str, name: str | None
) -> None:
    server.script.append(answers(completion("x"), headers={"Content-Type": kind}))
    if name is None:
        assert endpoint(server).complete(ASKED, PARAMETERS).text == "x"
        return
    with pytest.raises(MalformedReply, match=f"is {name}, not"):
        endpoint(server).complete(ASKED, PARAMETERS)


@pytest.mark.parametrize(
    "act", [answers(b" " * (2**20 + 1)), drips(itertools.repeat(b" " * 65_536))]
)
def test_a_reply_of_more_than_a_mebibyte_is_malformed(server: LocalServer, act: Act) -> None:
    server.script.append(act)
    with pytest.raises(MalformedReply, match="more than 1,048,576 bytes"):
        endpoint(server).complete(ASKED, PARAMETERS)


# --- the cache ------------------------------------------------------------------------------


def test_the_same_question_is_asked_once(server: LocalServer, tmp_path: Path) -> None:
    server.script.append(says("yes"))
    first = endpoint(server, cache=tmp_path).complete(ASKED, PARAMETERS)
    again = endpoint(server, cache=tmp_path).complete(ASKED, PARAMETERS)
    assert (first.from_cache, again.from_cache) == (False, True)
    assert (again.text, again.body) == (first.text, first.body)
    assert len(server.received) == 1


def test_whatever_could_change_the_reply_makes_another_request(
    server: LocalServer, tmp_path: Path
) -> None:
    server.otherwise = lambda _: says("yes")
    ways: list[Callable[[], Reply]] = [
        lambda: endpoint(server, cache=tmp_path).complete(ASKED, PARAMETERS),
        lambda: endpoint(server, cache=tmp_path).complete(ASKED[1:], PARAMETERS),
        lambda: endpoint(server, cache=tmp_path).complete(ASKED, Parameters(256, 1.0)),
        lambda: endpoint(server, cache=tmp_path).complete(ASKED, Parameters(255, 0.0)),
        lambda: endpoint(server, cache=tmp_path).complete(ASKED, Parameters(256, 0.0, top_p=0.9)),
        lambda: endpoint(server, cache=tmp_path).complete(ASKED, PARAMETERS, draw=1),
        lambda: endpoint(server, cache=tmp_path, model="wren").complete(ASKED, PARAMETERS),
        lambda: endpoint(server, cache=tmp_path, url=f"{server.url}/v2").complete(
            ASKED, PARAMETERS
        ),
    ]
    for way in ways * 2:
        way()
    assert len(server.received) == len(ways)


# --- the key --------------------------------------------------------------------------------


def test_the_key_is_shown_nowhere(
    server: LocalServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.script += [fails(500, f"cannot use {KEY}"), says("yes"), fails(401, f"wrong: {KEY}")]
    chat = endpoint(server, cache=tmp_path)
    chat.complete(ASKED, PARAMETERS)
    with pytest.raises(EndpointError) as caught:
        chat.complete(ASKED, PARAMETERS, draw=1)
    assert str(caught.value).endswith("answered 401: wrong: …")
    [kept] = tmp_path.rglob("*.json")
    seen = [caplog.text, repr(chat), repr(chat.options), repr(caught.value), kept.read_text()]
    seen += [repr(vars(chat)), repr(chat._key)]
    assert not [text for text in seen if KEY in text]


@pytest.mark.parametrize("escape", [False, True])
def test_a_reply_that_repeats_the_key_does_not_get_through(
    server: LocalServer, tmp_path: Path, escape: bool
) -> None:
    body = json.dumps(completion(f"it is {KEY}"))
    if escape:
        body = body.replace("sk-test", "\\u0073k-test")
    server.script.append(answers(body, headers={"Content-Type": "application/json"}))
    shown = ""
    try:
        shown = endpoint(server, cache=tmp_path).complete(ASKED, PARAMETERS).text
    except MalformedReply as error:
        shown = f"{error} {error.raw}"
    assert KEY not in shown
    assert not [path for path in tmp_path.rglob("*.json") if "k-test" in path.read_text()]


# --- the rate -------------------------------------------------------------------------------


def test_retries_count_as_requests(server: LocalServer) -> None:
    server.script += [fails(500, Retry_After="0"), says("yes")]
    clock = FakeClock()
    endpoint(server, clock=clock, requests_per_minute=1).complete(ASKED, PARAMETERS)
    assert clock.waits == [0.0, 60.0]


def test_threads_share_one_endpoint(server: LocalServer) -> None:
    server.otherwise = lambda request: says(request.json["messages"][1]["content"])
    chat, said = endpoint(server), {}

    def ask(number: int) -> None:
        messages = [ASKED[0], Message("user", str(number))]
        said[number] = chat.complete(messages, PARAMETERS).text

    threads = [Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == {number: str(number) for number in range(8)}
