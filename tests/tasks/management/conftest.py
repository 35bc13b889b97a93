"""Commands are called as users call them, handed files as importers are."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import load_command_class
from django.db import connections
from pytest_django import Settings

from tests.chat_server import KEY
from tests.http_server import LocalServer, local_server
from tests.tomahto.interchange.files import write
from tomahto.answerers.registry import configure_answerers
from tomahto.endpoint.chat import configure_endpoints
from tomahto.outgoing.configuration import configure_outgoing

__all__ = ["write"]

Counts = dict[str, int]


def run_command(name: object, *arguments: object) -> None:
    """Run one of our commands with these arguments.

    Not by way of ManagementUtility: that configures logging again and so closes the handlers of
    other libraries, absl's together with the file that pytest keeps a test's output in.
    """
    command = load_command_class("tasks", str(name))
    command.run_from_argv(["manage.py", str(name), *map(str, arguments)])


class Manage:
    """Calls a command as `manage.py` does and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self.stderr = ""

    def __call__(self, *arguments: object, code: int = 0) -> str:
        """The output of a command; `code` is the expected exit code."""
        if code:
            with pytest.raises(SystemExit) as caught:
                run_command(*arguments)
            assert caught.value.code == code
        else:
            run_command(*arguments)
        printed = self._capsys.readouterr()
        self.stderr = printed.err
        return printed.out

    def json(self, *arguments: object, code: int = 0) -> dict[str, Any]:
        """The one JSON document that the command prints."""
        printed = self(*arguments, "--json", code=code)
        assert printed.count("\n") == 1
        values: dict[str, Any] = json.loads(printed)
        return values

    def error(self, *arguments: object, code: int = 1) -> str:
        """The message on stderr about a refused input: one line, nothing on stdout, nothing
        changed."""
        before = rows()
        with pytest.raises(SystemExit) as caught:
            self(*arguments)
        assert caught.value.code == code
        assert rows() == before
        printed = self._capsys.readouterr()
        assert printed.out == ""
        if code == 1:
            assert printed.err.count("\n") == 1
        return printed.err


class Evaluate:
    """Calls `evaluate`, which needs no database, and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> str:
        run_command("evaluate", *arguments)
        printed = self._capsys.readouterr()
        assert printed.err == ""
        return printed.out

    def json(self, *arguments: str | Path) -> dict[str, Any]:
        printed = self(*arguments, "--json")
        assert printed.count("\n") == 1
        values: dict[str, Any] = json.loads(printed)
        return values

    def error(self, *arguments: str | Path, code: int = 1) -> str:
        with pytest.raises(SystemExit) as caught:
            self(*arguments)
        assert caught.value.code == code
        printed = self._capsys.readouterr()
        assert printed.out == ""
        if code == 1:
            assert printed.err.count("\n") == 1
        return printed.err


def rows() -> Counts:
    """The number of rows in every table of the application."""
    models = apps.get_app_config("tasks").get_models()
    return {model.__name__: model._default_manager.count() for model in models}


@pytest.fixture
def manage(capsys: pytest.CaptureFixture[str], db: None, monkeypatch: pytest.MonkeyPatch) -> Manage:
    """On the test's own connection, which a command would close as the last thing it does."""
    monkeypatch.setattr(connections, "close_all", lambda: None)
    return Manage(capsys)


@pytest.fixture
def evaluate(capsys: pytest.CaptureFixture[str]) -> Evaluate:
    return Evaluate(capsys)


@pytest.fixture
def campaign(manage: Manage) -> str:
    """An empty campaign for answer equivalence; its slug."""
    manage("create_campaign", "rivers", "--protocol", "ae", "--overlap", "2")
    return "rivers"


@pytest.fixture
def cap_campaign(manage: Manage) -> str:
    manage("create_campaign", "classes", "--protocol", "cap", "--overlap", "2")
    return "classes"


@pytest.fixture
def nobody_else_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """No broker: nothing is sent, and nobody is waited for."""
    monkeypatch.setattr("tasks.jobs.workflow.jobs.send_waiting_jobs", lambda: None)
    monkeypatch.setattr("tasks.management.waiting._WORKER_GRACE_SECONDS", 0.0)
    monkeypatch.setattr("tasks.management.waiting._POLL_SECONDS", 0.0)


@pytest.fixture
def finch(tmp_path: Path, settings: Settings) -> Iterator[LocalServer]:
    """A model at an endpoint on loopback, configured as an operator would."""
    with local_server() as server:
        path = tmp_path / "answerers.toml"
        path.write_text(
            f'[finch]\nkind = "endpoint"\nurl = "{server.url}/v1"\nmodel = "finch-7b"\n'
            'key_variable = "LAB_API_KEY"\nrequests_per_minute = 1000\n'
        )
        configure_outgoing([server.allowed])
        configure_endpoints(keys={"LAB_API_KEY": KEY}, cache_folder=tmp_path / "cache")
        configure_answerers(path)
        yield server
    configure_outgoing(settings.OUTGOING_ALLOWED)
    configure_endpoints(keys=settings.API_KEYS, cache_folder=settings.ENDPOINT_CACHE)
    configure_answerers(settings.ANSWERERS_FILE)
