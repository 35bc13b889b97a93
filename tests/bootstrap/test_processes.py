import socket
import subprocess
from pathlib import Path

import pytest

from bootstrap import BootstrapError, system
from bootstrap.system import Process


def start(script: str, folder: Path) -> Process:
    return system.start(["sh", "-c", script], log=folder / "log", folder=folder)


def await_line(process: Process, folder: Path) -> str:
    """The first line that a script wrote."""
    log = folder / "log"
    system.await_ready(
        process, lambda: log.read_text().endswith("\n"), name="script", log=log, seconds=30
    )
    return log.read_text().strip()


def test_stop_asks_first(tmp_path: Path) -> None:
    process = start(
        'trap "echo asked; exit 7" TERM; echo up; while :; do sleep 0.01; done', tmp_path
    )
    await_line(process, tmp_path)
    assert system.stop(process, patience=30) == 7
    assert (tmp_path / "log").read_text() == "up\nasked\n"


def test_stop_kills_what_does_not_listen(tmp_path: Path) -> None:
    process = start('trap "" TERM; echo up; while :; do sleep 0.01; done', tmp_path)
    await_line(process, tmp_path)
    assert system.stop(process, patience=0.1) == -9


def test_stop_leaves_nobody_of_the_group_behind(tmp_path: Path) -> None:
    """A grandchild keeps the writing end of a pipe open until it ends."""
    fifo = tmp_path / "fifo"
    subprocess.run(["mkfifo", fifo], check=True)
    process = start(f'(trap "" TERM; echo up > {fifo}; exec sleep 60) > {fifo} & wait', tmp_path)
    with fifo.open() as reader:
        assert reader.readline() == "up\n"
        system.stop(process, patience=0.1)
        assert reader.read() == ""  # comes back only when all writers are gone


def test_stop_of_a_finished_process_signals_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start("exit 3", tmp_path)
    process.wait()
    monkeypatch.setattr("os.killpg", lambda *_: pytest.fail("signalled a number of the past"))
    assert system.stop(process, patience=0) == 3


def test_process_that_ends_before_it_is_ready_shows_its_log(tmp_path: Path) -> None:
    process = start("echo no such option; exit 2", tmp_path)
    with pytest.raises(BootstrapError) as failure:
        system.await_ready(process, lambda: False, name="Redis", log=tmp_path / "log", seconds=30)
    assert str(failure.value) == "Redis ended at once (exit status 2):\nno such option"


def test_process_that_is_never_ready_is_given_up(tmp_path: Path) -> None:
    process = start("echo thinking; sleep 60", tmp_path)
    try:
        await_line(process, tmp_path)
        with pytest.raises(BootstrapError, match="Redis was not ready after 0 s:\nthinking"):
            system.await_ready(
                process, lambda: False, name="Redis", log=tmp_path / "log", seconds=0
            )
    finally:
        system.stop(process, patience=0)


def test_log_tail_shows_the_last_lines(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("".join(f"{number}\n" for number in range(100)))
    assert system.log_tail(log).splitlines() == [str(number) for number in range(80, 100)]


def test_port_is_taken_while_somebody_listens() -> None:
    port = system.free_port()
    assert system.is_port_free("127.0.0.1", port)
    with socket.create_server(("127.0.0.1", port)):
        assert not system.is_port_free("127.0.0.1", port)


def test_port_of_a_foreign_host_is_an_error() -> None:
    with pytest.raises(OSError, match="assign"):
        system.is_port_free("203.0.113.1", 8000)
