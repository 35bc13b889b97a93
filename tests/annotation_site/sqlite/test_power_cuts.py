"""The power fails while people rate: no acknowledged rating is lost, and the database is whole.

Every byte that the server writes, every sync and every answer is written down as it happens; so the
disk is known as it may be at any moment, with any part of what was not synced. And a data folder
that is copied at one moment, with all processes stopped, is as after a crash.
"""

import os
import random
import re
import signal
import sqlite3
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

from bootstrap import programs
from examples.rater import Rater
from tests.extent import IS_LONG
from tests.faults.campaigns import make_campaign
from tests.faults.disk import Disk
from tests.faults.oracle import entries_of
from tests.faults.steady_raters import SteadyRater, at_work, await_ratings
from tests.faults.supervised import children
from tests.faults.system_calls import calls_of, wrapper
from tests.migrated import SQLITE_FILE
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

SEED = 20261127
CUTS = 2_000 if IS_LONG else 200
COPIES = 50 if IS_LONG else 10
RATERS, ITEMS, OVERLAP = 8, 60, 3
UNSYNCED = "PRAGMA synchronous=NORMAL;"
_CALL = re.compile(r'(?P<name>\w+)\((?:\d+<)?"?(?P<path>(?:\\x[0-9a-f]{2})*)(?P<rest>.*)')
_BYTES = re.compile(r', "(?P<content>(?:\\x[0-9a-f]{2})*)", \d+(?:, (?P<offset>\d+))?')
_SIZE = re.compile(r"[^,]*, (\d+)\)")
_RATED = re.compile(rb'"rating": ?(\d+)')


class Change(NamedTuple):
    """A system call on a file: its place or size, and what was written."""

    name: str
    path: str
    number: int
    content: bytes


class Recorded:
    """What the disk did from when the server was started to when it was stopped.

    `events` are changes of files, and the numbers of ratings as they were acknowledged.
    """

    def __init__(self, before: Mapping[str, bytes], output: Path) -> None:
        self._before = before
        self.events = [event for call in calls_of([output]) for event in _events(call)]

    def cuts(self, number: int) -> Iterator[tuple[set[int], dict[str, bytes]]]:
        """The ratings acknowledged by each cut, and the files as they may be then.

        Half of the cuts come right after an answer, the others anywhere between two.
        """
        dice = random.Random(SEED)
        answers = [n for n, event in enumerate(self.events) if isinstance(event, int)]
        between = range(answers[0], answers[-1])
        places = dice.choices(answers, k=number // 2) + dice.choices(between, k=number // 2)
        disk, acknowledged, past = Disk(self._before), set[int](), 0
        for place in sorted(places):
            for event in self.events[past : place + 1]:
                if isinstance(event, int):
                    acknowledged.add(event)
                else:
                    _follow(disk, event)
            past = place + 1
            yield set(acknowledged), disk.after_cut(dice)


def _events(call: str) -> Iterator[Change | int]:
    found = _CALL.match(call)
    if found is None or found["name"] in {"recvfrom", "write"}:
        return
    name, path, rest = found["name"], _plain(found["path"]).decode(), found["rest"]
    if name == "sendto":
        if rated := _RATED.search(_plain(rest)):
            yield int(rated[1])
    elif not path.endswith("-shm"):  # made anew by who opens the database first
        written, size = _BYTES.search(rest), _SIZE.match(rest)
        number = int(written["offset"]) if written else int(size[1]) if size else 0
        yield Change(name, path, number, _plain(written["content"]) if written else b"")


def _plain(escaped: str) -> bytes:
    return bytes.fromhex("".join(re.findall(r"\\x([0-9a-f]{2})", escaped)))


def _follow(disk: Disk, change: Change) -> None:
    match change.name:
        case "pwrite64":
            disk.write(change.path, change.number, change.content)
        case "ftruncate":
            disk.truncate(change.path, change.number)
        case "fsync" | "fdatasync":
            disk.sync(change.path)
        case "unlink":
            disk.remove(change.path)


def record(site: Site, slug: str, *, application: str = "annotation_site.wsgi") -> Recorded:
    """Let raters rate all there is, at once, and write down what that asks of the system."""
    tokens = make_campaign(site, slug=slug, items=ITEMS, overlap=OVERLAP, raters=RATERS)
    database, output = site.folder / SQLITE_FILE, site.folder / f"{slug}.calls"
    before = {str(path): path.read_bytes() for path in site.folder.glob(f"{SQLITE_FILE}*")}
    assert list(before) == [str(database)]
    site.wrapper = wrapper(programs.find_strace(), output, content=True)
    site.start_web(application=application)
    with ThreadPoolExecutor(RATERS) as pool:
        list(pool.map(partial(rate_everything, site.address, slug), tokens))
    site.stop()
    site.wrapper = ()
    return Recorded(before, output)


def rate_everything(address: str, slug: str, token: str) -> None:
    with closing(Rater(address, token)) as rater:
        while work := rater.claim(slug):
            rater.submit(work, {"q1": False, "q2": True})


def lost(acknowledged: set[int], files: Mapping[str, bytes], folder: Path) -> set[int]:
    """The acknowledged ratings that a database of these files lacks; it has to be whole."""
    for old in folder.iterdir():
        old.unlink()
    for path, content in files.items():
        (folder / Path(path).name).write_bytes(content)
    with closing(sqlite3.connect(folder / SQLITE_FILE)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        stored = {number for (number,) in database.execute("SELECT id FROM tasks_rating")}
    return acknowledged - stored


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path / "site", start=False) as site:
        yield site


def test_power_cuts_lose_no_acknowledged_rating(site: Site, scratch: Path) -> None:
    recorded = record(site, "cut")
    answers = [event for event in recorded.events if isinstance(event, int)]
    assert len(answers) == ITEMS * OVERLAP
    names = {Path(event.path).name for event in recorded.events if isinstance(event, Change)}
    assert {SQLITE_FILE} < names  # pages of the database beside its log or journal
    found = [lost(acknowledged, files, scratch) for acknowledged, files in recorded.cuts(CUTS)]
    assert found == [set()] * CUTS


def test_power_cuts_lose_ratings_without_the_guard(site: Site, scratch: Path) -> None:
    site.environment["UNSYNCED"] = UNSYNCED
    recorded = record(site, "uncut", application="tests.faults.unsynced")
    assert any(lost(acknowledged, files, scratch) for acknowledged, files in recorded.cuts(CUTS))


def test_copies_made_at_one_moment_hold_all_that_was_acknowledged(
    site: Site, tmp_path: Path, scratch: Path
) -> None:
    tokens = make_campaign(site, slug="copied", items=ITEMS, overlap=OVERLAP, raters=RATERS)
    site.start_web()
    raters = [
        SteadyRater(site.address, token, "copied", tmp_path / f"{n}.journal")
        for n, token in enumerate(tokens)
    ]
    with at_work(raters):
        for _ in range(COPIES):
            await_ratings(raters, deadline=time.monotonic() + 30)
            acknowledged, files = copied_at_once(site, raters)
            assert acknowledged
            assert lost(acknowledged, files, scratch) == set()


def copied_at_once(site: Site, raters: list[SteadyRater]) -> tuple[set[int], dict[str, bytes]]:
    """Stop all processes of the server, read its folder, and let them go on."""
    [web] = site.processes
    stopped = [web.pid, *children(web.pid)]
    for process in stopped:
        os.kill(process, signal.SIGSTOP)
    try:
        entries = entries_of([rater.path for rater in raters])
        files = {
            str(path): path.read_bytes()
            for path in site.folder.glob(f"{SQLITE_FILE}*")
            if not path.name.endswith("-shm")
        }
    finally:
        for process in stopped:
            os.kill(process, signal.SIGCONT)
    return {entry["rating"] for entry in entries if "rating" in entry}, files
