from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bootstrap import programs, services
from bootstrap.programs import ProgramNotFoundError
from bootstrap.services import provided_services


class Server:
    """Stands in for a private server, and remembers whether it is up."""

    running: list[str] = []

    def __init__(self, url: str) -> None:
        self.url = url
        self.programs_folder = Path("/bin/of", url)
        self.program = Path("/program/of", url)

    @contextmanager
    def __call__(self) -> Iterator["Server"]:
        self.running.append(self.url)
        try:
            yield self
        finally:
            self.running.remove(self.url)


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("POSTGRES_URL", "REDIS_URL", "OPENSSH_BIN", "CHROMIUM"):
        monkeypatch.delenv(f"TOMAHTO_TEST_{name}", raising=False)
    monkeypatch.setattr(services, "PrivatePostgres", Server("postgres"))
    monkeypatch.setattr(services, "PrivateRedis", Server("redis"))
    monkeypatch.setattr(programs, "find_openssh", lambda: Path("/openssh"))
    monkeypatch.setattr(programs, "find_chromium", lambda: Path("/chromium"))
    monkeypatch.setattr(programs, "find_rclone", lambda: Path("/rclone"))
    monkeypatch.setattr(programs, "find_strace", lambda: Path("/strace"))


def test_private_servers_run_as_long_as_the_tests() -> None:
    with provided_services(browser=True) as variables:
        assert Server.running == ["postgres", "redis"]
    assert Server.running == []
    assert variables == {
        "TOMAHTO_TEST_POSTGRES_URL": "postgres",
        "TOMAHTO_TEST_POSTGRES_BIN": "/bin/of/postgres",
        "TOMAHTO_TEST_REDIS_URL": "redis",
        "TOMAHTO_TEST_REDIS_SERVER": "/program/of/redis",
        "TOMAHTO_TEST_OPENSSH_BIN": "/openssh",
        "TOMAHTO_TEST_RCLONE": "/rclone",
        "TOMAHTO_TEST_STRACE": "/strace",
        "TOMAHTO_TEST_CHROMIUM": "/chromium",
    }


def test_named_servers_are_used_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOMAHTO_TEST_POSTGRES_URL", "postgresql://own")
    monkeypatch.setenv("TOMAHTO_TEST_REDIS_URL", "redis://own")
    with provided_services(browser=False) as variables:
        assert Server.running == []
    assert variables == {
        "TOMAHTO_TEST_POSTGRES_URL": "postgresql://own",
        "TOMAHTO_TEST_REDIS_URL": "redis://own",
        "TOMAHTO_TEST_OPENSSH_BIN": "/openssh",
        "TOMAHTO_TEST_RCLONE": "/rclone",
        "TOMAHTO_TEST_STRACE": "/strace",
    }


def test_missing_browser_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    def find() -> Path:
        raise ProgramNotFoundError("Chromium is needed")

    monkeypatch.setattr(programs, "find_chromium", find)
    with pytest.raises(ProgramNotFoundError), provided_services(browser=True):
        pytest.fail("the tests must not run without it")
