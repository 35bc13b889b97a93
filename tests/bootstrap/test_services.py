"""Real servers, as tests and benchmarks start them."""

import os
import socket
from pathlib import Path

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from bootstrap import BootstrapError, services
from bootstrap.services import PrivatePostgres, PrivateRedis

pytestmark = pytest.mark.faults

SETTINGS = "SELECT current_setting('fsync'), current_setting('synchronous_commit'), upper('é')"


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def owner(pid: int) -> int:
    return Path("/proc", str(pid)).stat().st_uid


@pytest.mark.parametrize(("durable", "fsync"), [(False, "off"), (True, "on")])
def test_postgres_keeps_what_it_acknowledged_through_a_kill(durable: bool, fsync: str) -> None:
    with PrivatePostgres(durable=durable) as server:
        with psycopg.connect(server.url, autocommit=True) as connection:
            assert connection.execute(SETTINGS).fetchone() == (fsync, "on", "É")
            connection.execute("CREATE TABLE rating (label text)")
            connection.execute("INSERT INTO rating VALUES ('correct')")
            server.kill()
        server.start()
        with psycopg.connect(server.url) as connection:
            assert connection.execute("SELECT label FROM rating").fetchall() == [("correct",)]


def test_postgres_never_runs_as_root_and_leaves_nothing() -> None:
    with PrivatePostgres() as server:
        assert owner(server.process.pid) == (os.geteuid() or 65534)
        assert is_listening(server.port)
        assert sorted(path.name for path in server.folder.iterdir()) == ["data", "log"]
    assert server.process.returncode == 0
    assert not server.folder.exists()
    assert not is_listening(server.port)


def test_postgres_refuses_a_wrong_password() -> None:
    with (
        PrivatePostgres() as server,
        pytest.raises(psycopg.OperationalError, match="password authentication failed"),
    ):
        psycopg.connect(server.url.replace(server.password, "guessed"))


def test_redis_answers_and_leaves_nothing() -> None:
    with PrivateRedis() as server, redis.Redis.from_url(server.url) as client:
        assert client.ping()
        assert client.config_get("save") == {"save": ""}
    assert server.process.returncode == 0
    assert not server.folder.exists()
    assert not is_listening(server.port)


def test_redis_comes_back_empty_after_a_kill() -> None:
    with PrivateRedis() as server:
        with redis.Redis.from_url(server.url) as client:
            client.set("message", "lost")
        server.kill()
        assert not is_listening(server.port)
        server.start()
        with redis.Redis.from_url(server.url) as client:
            assert client.get("message") is None


def test_redis_refuses_a_missing_password() -> None:
    with (
        PrivateRedis() as server,
        redis.Redis(port=server.port, retry=Retry(NoBackoff(), 0)) as client,
        pytest.raises(redis.AuthenticationError),
    ):
        client.ping()


def test_server_that_does_not_start_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "redis-server"
    broken.write_text("#!/bin/sh\necho no memory\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(services, "server_folder", lambda prefix: _made(tmp_path / prefix))
    with (
        pytest.raises(BootstrapError, match=r"Redis ended at once \(exit status 1\):\nno memory"),
        PrivateRedis(program=broken),
    ):
        pytest.fail("it cannot have started")
    assert [path.name for path in tmp_path.iterdir()] == ["redis-server"]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_process_before_the_start_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BootstrapError, match="Redis has not been started"):
        _ = PrivateRedis(program=tmp_path / "redis-server").process
