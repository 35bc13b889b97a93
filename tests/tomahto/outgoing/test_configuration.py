"""The site's allow-list reaches the client."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from tests.http_server import answers, local_server
from tomahto.outgoing.configuration import configure_outgoing, outgoing_client
from tomahto.outgoing.destination import AllowListError, DestinationRefused
from tomahto.outgoing.messages import Request


@pytest.fixture(autouse=True)
def _as_configured(settings: Settings) -> Iterator[None]:
    yield
    configure_outgoing(settings.OUTGOING_ALLOWED)


def test_the_last_list_given_counts() -> None:
    with local_server() as server:
        server.script.append(answers("hello"))
        configure_outgoing([server.allowed])
        assert outgoing_client().send(Request("GET", server.url)).body == b"hello"
        configure_outgoing([])
        with pytest.raises(DestinationRefused):
            outgoing_client().send(Request("GET", server.url))


def test_a_list_that_cannot_be_read_changes_nothing() -> None:
    with local_server() as server:
        server.script.append(answers("hello"))
        configure_outgoing([server.allowed])
        with pytest.raises(AllowListError):
            configure_outgoing(["everything"])
        assert outgoing_client().send(Request("GET", server.url)).body == b"hello"


def test_the_site_does_not_start_with_a_list_that_cannot_be_read(settings: Settings) -> None:
    settings.OUTGOING_ALLOWED = ["everything"]
    with pytest.raises(
        ImproperlyConfigured, match=r"^TOMAHTO_OUTGOING_ALLOWED: 'everything' is neither"
    ):
        apps.get_app_config("tasks").ready()
    settings.OUTGOING_ALLOWED = []
