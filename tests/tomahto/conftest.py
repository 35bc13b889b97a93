"""A server on loopback for what asks models over HTTP."""

from collections.abc import Iterator

import pytest

from tests.http_server import LocalServer, local_server


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with local_server() as server:
        yield server
