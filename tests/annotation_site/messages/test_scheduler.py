"""The scheduler with clocks that are set back and forth, and with a file that was cut off."""

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from celery import Celery
from celery.beat import PersistentScheduler

from annotation_site.messages.scheduler import SteadyScheduler
from tests.extent import IS_LONG

SCHEDULE = {
    "sweep": {"task": "sweep", "schedule": 5.0},
    "alerts": {"task": "alerts", "schedule": 60.0},
    "backups": {"task": "backups", "schedule": 300.0},
}
HOUR = timedelta(hours=1)


class Clock:
    """Of the machine: it goes on only when somebody waits, and can be set."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """That of all apps: what is read from a file belongs to the current one."""
    made = Clock()
    monkeypatch.setattr(Celery, "now", lambda _app: made.now)
    return made


@pytest.fixture
def app(clock: Clock) -> Iterator[Celery]:
    made = Celery("clocked", set_as_current=False)
    made.conf.beat_schedule = SCHEDULE
    yield made
    made.close()


def scheduler(
    app: Celery, file: Path, kind: Callable[..., PersistentScheduler] = SteadyScheduler
) -> Any:
    made: Any = kind(app, schedule_filename=str(file), Producer=lambda *_, **__: None)
    made.sent = Counter()
    made.apply_entry = lambda entry, producer=None: made.sent.update([entry.name])
    made.producer = None
    return made


def sent_within(made: Any, clock: Clock, seconds: float) -> Counter[str]:
    """What is sent while so many seconds go by."""
    made.sent.clear()
    left = seconds
    while left > 0:
        pause = min(max(made.tick(), 0.01), left)
        clock.now += timedelta(seconds=pause)
        left -= pause
    return Counter(made.sent)


def about(sent: Counter[str]) -> dict[str, bool]:
    """Of ten minutes: whether as much was sent as should be, one more or less."""
    wanted = {"sweep": 120, "alerts": 10, "backups": 2}
    return {name: abs(sent[name] - number) <= 1 for name, number in wanted.items()}


WELL = dict.fromkeys(SCHEDULE, True)


@pytest.mark.parametrize("jump", [-1000 * HOUR, -2 * HOUR, -HOUR / 60, 2 * HOUR, 1000 * HOUR])
def test_clock_that_is_set_stops_nothing_and_makes_no_storm(
    app: Celery, clock: Clock, tmp_path: Path, jump: timedelta
) -> None:
    made = scheduler(app, tmp_path / "beat")
    assert about(sent_within(made, clock, 600)) == WELL
    clock.now += jump
    assert about(sent_within(made, clock, 600)) == WELL
    clock.now -= jump
    assert about(sent_within(made, clock, 600)) == WELL
    made.close()


def test_clock_that_was_set_back_while_nobody_scheduled(
    app: Celery, clock: Clock, tmp_path: Path
) -> None:
    before = scheduler(app, tmp_path / "beat")
    sent_within(before, clock, 600)
    before.close()
    clock.now -= 2 * HOUR
    made = scheduler(app, tmp_path / "beat")
    assert about(sent_within(made, clock, 600)) == WELL
    made.close()


def test_nothing_is_sent_for_hours_without_the_guard(
    app: Celery, clock: Clock, tmp_path: Path
) -> None:
    made = scheduler(app, tmp_path / "beat", PersistentScheduler)
    sent_within(made, clock, 600)
    clock.now -= 2 * HOUR
    assert not sent_within(made, clock, 600)
    made.close()


def test_file_that_was_cut_off_is_begun_anew(app: Celery, clock: Clock, tmp_path: Path) -> None:
    made = scheduler(app, tmp_path / "beat")
    sent_within(made, clock, 600)
    made.close()
    whole = {file: file.read_bytes() for file in tmp_path.iterdir()}
    for torn, length in [(file, cut) for file in whole for cut in cuts(len(whole[file]))]:
        for file in tmp_path.iterdir():
            file.unlink()
        for file, content in whole.items():
            file.write_bytes(content[:length] if file == torn else content)
        again = scheduler(app, tmp_path / "beat")
        assert set(again.schedule) >= set(SCHEDULE)
        assert sent_within(again, clock, 61)["alerts"] >= 1
        again.close()


def cuts(size: int) -> range:
    """Some of the places where a file of that size can be cut off; the long form tries all."""
    return range(0, size, 1 if IS_LONG else max(1, size // 20))
