"""Keys and cache come from the site."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tests.chat_server import KEY, options, says
from tests.http_server import LocalServer
from tomahto.endpoint.chat import Message, Parameters, chat_endpoint, configure_endpoints
from tomahto.endpoint.reply import EndpointRefused
from tomahto.outgoing.configuration import configure_outgoing

ASKED = [Message("user", "Yes?")]


@pytest.fixture(autouse=True)
def _as_configured(settings: Settings) -> Iterator[None]:
    yield
    configure_endpoints(keys=settings.API_KEYS, cache_folder=settings.ENDPOINT_CACHE)
    configure_outgoing(settings.OUTGOING_ALLOWED)


def test_an_endpoint_gets_its_key_the_cache_and_the_list(
    server: LocalServer, tmp_path: Path
) -> None:
    server.script.append(says("yes"))
    configure_outgoing([server.allowed])
    configure_endpoints(keys={"LAB_API_KEY": f" {KEY}\n"}, cache_folder=tmp_path)
    for _ in range(2):
        chat = chat_endpoint(options(server, key_variable="LAB_API_KEY"))
        assert chat.complete(ASKED, Parameters(8, 0.0)).text == "yes"
    assert [r.headers["authorization"] for r in server.received] == [f"Bearer {KEY}"]


@pytest.mark.parametrize(
    ("keys", "reason"),
    [
        ({}, "^LAB_API_KEY is not set"),
        (
            {"LAB_API_KEY": " "},
            "^LAB_API_KEY is empty or contains a character that is not allowed in a key$",
        ),
        ({"LAB_API_KEY": "sk\r\nX: y"}, "^LAB_API_KEY is empty or contains"),
        ({"LAB_API_KEY": "ключ"}, "^LAB_API_KEY is empty or contains"),
    ],
)
def test_a_key_that_cannot_be_used_is_named_by_its_variable(
    server: LocalServer, keys: dict[str, str], reason: str
) -> None:
    configure_endpoints(keys=keys, cache_folder=None)
    with pytest.raises(EndpointRefused, match=reason):
        chat_endpoint(options(server, key_variable="LAB_API_KEY"))
