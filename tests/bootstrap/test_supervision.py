"""Supervision of children that are no processes: they end when they are told to."""

import errno
import os
import signal
import time
from collections.abc import Iterator

import pytest

from bootstrap import supervision
from bootstrap.forks import STOP_SIGNALS, Fork
from bootstrap.supervision import Child, Pauses, Stopped, StopRequest, await_done, stop_all


class FakeFork(Fork):
    """A child by name only."""

    def __init__(self) -> None:
        super().__init__(pid=0)
        self.done: list[str] = []

    def has_ended(self) -> bool:
        return self.status is not None

    def ask_to_end(self) -> None:
        self.done.append("asked")

    def await_end(self, deadline: float) -> None:
        self.done.append(f"awaited {deadline - time.monotonic():.0f} s")

    def kill_group(self) -> None:
        self.done.append("group killed")


class Clock:
    """The time as the module under test sees it: it goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(supervision, "time", made)
    return made


@pytest.fixture
def request_to_stop() -> Iterator[StopRequest]:
    """The real one; what pytest does with the signals is restored afterwards."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in STOP_SIGNALS}
    yield StopRequest()
    for number, handler in before.items():
        signal.signal(number, handler)


def test_pauses_double_up_to_a_minute() -> None:
    pauses = Pauses()
    assert [pauses.after(0.5) for _ in range(8)] == [1, 2, 4, 8, 16, 32, 60, 60]


def test_pauses_begin_anew_after_a_long_life() -> None:
    pauses = Pauses()
    assert [pauses.after(lived) for lived in (0, 0, 60, 60.1, 0)] == [1, 2, 4, 1, 2]


def test_child_that_ends_is_started_again_after_its_pause(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    forks = [FakeFork(), FakeFork(), FakeFork()]
    waiting = iter(forks[1:])
    child = Child("the web process", forks[0], lambda: next(waiting))
    child.check()
    assert (child.fork, capsys.readouterr().err) == (forks[0], "")
    for pause, status, how in ((1, 3, "exit status 3"), (2, -9, "signal SIGKILL")):
        ended = child.fork
        ended.status = status
        child.check()
        line = f"the web process ended ({how}); starting it again in {pause} s\n"
        assert capsys.readouterr().err == line
        clock.now += pause - 0.1
        child.check()
        assert child.fork is ended, "too early"
        clock.now += 0.1
        child.check()
        assert child.fork is not ended
    assert child.fork is forks[2]
    assert [fork.done for fork in forks] == [["group killed"], ["group killed"], []]
    assert capsys.readouterr().err == ""


def test_child_that_cannot_be_started_is_tried_again(
    clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    failures = [OSError(errno.EAGAIN, "Resource temporarily unavailable")]

    def begin() -> Fork:
        if failures:
            raise failures.pop()
        return FakeFork()

    first = FakeFork()
    child = Child("the worker process", first, begin)
    first.status = 1
    for seconds in (0, 1, 2):
        clock.now += seconds
        child.check()
    assert child.fork is not first
    assert capsys.readouterr().err.splitlines() == [
        "the worker process ended (exit status 1); starting it again in 1 s",
        "the worker process cannot be started (Resource temporarily unavailable); again in 2 s",
    ]


def test_waiting_keeps_children_running(clock: Clock, request_to_stop: StopRequest) -> None:
    lives: list[FakeFork] = []

    def begin() -> FakeFork:
        lives.append(FakeFork())
        lives[-1].status = 0  # ends at once
        return lives[-1]

    child = Child("the scheduler process", begin(), begin)
    await_done(lambda: len(lives) == 4, [child], request_to_stop)
    # after one, two and four seconds, looked for every tenth
    assert 1007 <= clock.now < 1008


@pytest.mark.parametrize("number", STOP_SIGNALS)
def test_signal_ends_the_waiting(
    number: signal.Signals, request_to_stop: StopRequest, clock: Clock
) -> None:
    os.kill(os.getpid(), number)
    with pytest.raises(Stopped):
        await_done(lambda: False, [], request_to_stop)
    assert clock.now == 1000.0


def test_hangup_that_is_ignored_stays_ignored() -> None:
    """As under nohup, where the site is to outlive the terminal."""
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        StopRequest().check()
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_all_are_asked_before_anybody_is_waited_for() -> None:
    order: list[str] = []

    class Ordered(FakeFork):
        def ask_to_end(self) -> None:
            order.append("asked")

        def await_end(self, deadline: float) -> None:
            order.append(f"awaited {deadline - time.monotonic():.0f} s")

    ended = FakeFork()
    ended.status = 0
    stop_all([Ordered(), ended, Ordered()])
    assert order == ["asked", "asked", "awaited 15 s", "awaited 15 s"]
    assert ended.done == []  # its number may be somebody else's by now
