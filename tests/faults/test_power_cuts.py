"""The power may fail at any moment: afterwards every acknowledged rating is there, and the database
is whole.

The system calls of a site under load are written down; a model of a disk (`disk.py`) is given them
and loses power again and again. Meanwhile all processes of the site are stopped now and then, and
its data folder is copied as it stands.
"""

import random
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

import pytest

from annotation_site.sqlite import safe_journals
from bootstrap import programs
from examples.rater import Rater
from tests.faults.campaigns import make_campaign
from tests.faults.disk import TRACED, Disk, Luck, files_of
from tests.faults.supervised import standing_still
from tests.faults.system_calls import Call, steps, wrapper
from tests.migrated import SQLITE_FILE
from tests.sampling import IS_LONG
from tests.site import Site, running_site

pytestmark = pytest.mark.faults

SEED = 20261130
RATERS = 6
ITEMS = 300 if IS_LONG else 90
COPIES = 120 if IS_LONG else 30
CUTS = 2000 if IS_LONG else 240
PAUSE = 0.02  # seconds between two copies, at most
CAMPAIGN = "races"
WHOLE_CALLS = 100_000  # bytes of data
_ANSWER = re.compile(r'sendto\(.*"\{\\"(?P<kind>rating|assignment)\\":(?P<number>\d+),')
_LOG_BEGINS = re.compile(r"pwrite64\(.*-wal>, .*, 32, 0\) = 32")
_CHECKS = (
    "PRAGMA integrity_check",
    "PRAGMA foreign_key_check",
    """
    SELECT 'rating without its assignment', r.id FROM tasks_rating r
    LEFT JOIN tasks_assignment a ON a.id = r.assignment_id WHERE a.state IS NOT 'submitted'
    """,
    """
    SELECT 'rating without its slot', r.id FROM tasks_rating r
    LEFT JOIN tasks_slot s ON s.id = r.slot_id WHERE s.is_filled IS NOT 1
    """,
    """
    SELECT 'slot without its rating', s.id FROM tasks_slot s
    WHERE s.is_filled AND NOT EXISTS (SELECT 1 FROM tasks_rating r WHERE r.slot_id = s.id)
    """,
)
Ratings = dict[int, tuple[Any, ...]]


class Stored(NamedTuple):
    """The content of a database, and what is wrong with it."""

    ratings: Ratings
    assignments: set[int]
    broken: list[Any]


class Damage(NamedTuple):
    """Acknowledged ratings that a database lacks, ratings that are not as they were, and whatever
    else is wrong; nothing is if every list is empty."""

    lost: list[int]
    changed: list[int]
    broken: list[Any]


NO_DAMAGE = Damage([], [], [])


class Moment(NamedTuple):
    """The data folder as it was, and what had been acknowledged by then: ratings, and claims by the
    number of their assignment."""

    folder: Path
    ratings: Set[int]
    claims: Set[int]

    def damage(self, in_the_end: Ratings) -> Damage:
        try:
            stored, _assignments, broken = contents(self.folder)
        except sqlite3.DatabaseError as error:
            return Damage(sorted(self.ratings), [], [str(error)])
        changed = [number for number, row in stored.items() if in_the_end.get(number) != row]
        return Damage(sorted(self.ratings - set(stored)), changed, broken)


@dataclass(frozen=True)
class Recording:
    """A site under load: its database files before, the calls that changed them, and these files
    and the ratings in the end."""

    journal: str
    site: Path
    tokens: list[str]
    before: dict[str, bytes]
    calls: Path
    after: dict[str, bytes]
    ratings: Ratings

    def cuts(self, folder: Path) -> Iterator[Moment]:
        """The folder after a cut at each of many moments, half of them just as an answer is sent.

        The moment that comes next is written over it.
        """
        dice = random.Random(SEED)
        answers, others = self._moments()
        cuts = Counter(dice.choices(answers, k=CUTS // 2) + dice.choices(others, k=CUTS // 2))
        disk = Disk(self.site, SQLITE_FILE, self.before)
        acknowledged: dict[str, set[int]] = {"rating": set(), "assignment": set()}
        for number, call in enumerate(steps([self.calls])):
            disk.step(call)
            if answer := _answer(call):
                acknowledged[answer["kind"]].add(int(answer["number"]))
            for _cut in range(cuts[number]):
                write(disk.left(dice.choice([*Luck]), dice), folder, dice)
                yield Moment(folder, *map(frozenset, acknowledged.values()))
        assert disk.current() == self.after  # no call was missed

    def _moments(self) -> tuple[list[int], list[int]]:
        """The numbers of the steps that are answers, and of those that concern files."""
        answers, others = list[int](), list[int]()
        for number, call in enumerate(steps([self.calls])):
            if _answer(call):
                answers.append(number)
            elif str(self.site / SQLITE_FILE) in call.text:
                others.append(number)
        return answers, others


def _answer(call: Call) -> re.Match[str] | None:
    """The acknowledgement that begins to be sent."""
    return None if call.has_returned else _ANSWER.match(call.text)


class Resumed(NamedTuple):
    """A site that went on after a cut until everything was rated: claims that the cut undid, what
    was acknowledged since, ratings of before included, and stored in the end, and moments in
    between."""

    undone: Set[int]
    ratings: Set[int]
    claims: Set[int]
    stored: Stored
    copies: list[Moment]


def write(files: dict[str, bytes], folder: Path, dice: random.Random) -> None:
    """Put them into the folder instead of others, and with them an index of the log, of noise."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, content in {f"{SQLITE_FILE}-shm": dice.randbytes(32_768), **files}.items():
        (folder / name).write_bytes(content)


def contents(folder: Path) -> Stored:
    with closing(sqlite3.connect(folder / SQLITE_FILE)) as connection:
        connection.execute("PRAGMA synchronous=OFF")  # nobody cuts the power here
        broken = [row for check in _CHECKS for row in connection.execute(check) if row != ("ok",)]
        ratings = {row[0]: row for row in connection.execute("SELECT * FROM tasks_rating")}
        assignments = {
            number for (number,) in connection.execute("SELECT id FROM tasks_assignment")
        }
    return Stored(ratings, assignments, broken)


def environment(journal: str) -> dict[str, str]:
    return {"DATABASE_URL": "", "TOMAHTO_SQLITE_JOURNAL": journal}


def record(folder: Path, journal: str, *, application: str) -> Recording:
    """Let raters rate everything at once."""
    with running_site(folder / "site", environment=environment(journal), start=False) as site:
        tokens = make_campaign(site, items=ITEMS, overlap=1, raters=RATERS, slug=CAMPAIGN)
        before, calls = files_of(site.folder, SQLITE_FILE), folder / "calls"
        strace = programs.find_strace()
        site.wrapper = wrapper(strace, calls, traced=TRACED, length=WHOLE_CALLS)
        site.start_web(workers=2, threads=4, application=application)
        ratings, claims = set[int](), set[int]()
        with at_work(site, tokens, ratings, claims):
            pass
        site.stop()
        after = files_of(site.folder, SQLITE_FILE)
        stored = contents(site.folder)
    assert (set(stored.ratings), stored.assignments, stored.broken) == (ratings, claims, [])
    return Recording(journal, site.folder, tokens, before, calls, after, stored.ratings)


@contextmanager
def at_work(
    site: Site, tokens: Sequence[str], ratings: set[int], claims: set[int]
) -> Iterator[None]:
    """Raters who rate until nothing is left, and note what was acknowledged."""

    def rate_all(token: str) -> None:
        with closing(Rater(site.address, token)) as rater:
            while work := rater.claim(CAMPAIGN):
                claims.add(work["assignment"])
                answers = {"q1": False, "q2": True, "comment": f"of {work['assignment']}"}
                ratings.add(rater.submit(work, answers)["rating"])

    with ThreadPoolExecutor(len(tokens)) as pool:
        work = [pool.submit(rate_all, token) for token in tokens]
        yield
    for each in work:
        each.result()


def copies_of(site: Site, folder: Path, ratings: Set[int]) -> Iterator[Moment]:
    """Copies of a site's folder, each made while all of its processes are stopped."""
    [web], dice, pause = site.processes, random.Random(SEED), Event()
    for number in range(COPIES):
        pause.wait(dice.random() * PAUSE)
        with standing_still(web.pid):
            copy = shutil.copytree(site.folder, folder / str(number))
            yield Moment(copy, frozenset(ratings), frozenset())


_FIRST, *_OTHERS = safe_journals()
_USUAL = pytest.param(_FIRST, marks=pytest.mark.representative("a cut of the power"))


@pytest.fixture(scope="module", params=[_USUAL, *_OTHERS])
def recording(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Recording:
    folder = tmp_path_factory.mktemp("load")
    return record(folder, request.param, application="tests.faults.small_log")


@pytest.fixture(scope="module")
def resumed(recording: Recording, tmp_path_factory: pytest.TempPathFactory) -> Resumed:
    """From the first cut on that undid a claim when half of the items were rated."""
    folder = tmp_path_factory.mktemp("resumed")
    for cut in recording.cuts(folder / "cut"):
        if len(cut.ratings) > ITEMS // 2:
            shutil.copytree(cut.folder, folder / "site", dirs_exist_ok=True)
            undone = cut.claims - contents(cut.folder).assignments
            if undone or recording.journal != "WAL":
                break
    else:
        raise AssertionError("no cut undid a claim")
    site = Site(folder / "site", environment(recording.journal), migrate=None)
    ratings, claims = set(cut.ratings), set[int]()
    try:
        site.start_web(workers=2, threads=4)
        with at_work(site, recording.tokens, ratings, claims):
            copies = list(copies_of(site, folder, ratings))
    finally:
        site.stop()
    return Resumed(undone, ratings, claims, contents(site.folder), copies)


def test_the_log_is_begun_anew_under_load(recording: Recording) -> None:
    lines = recording.calls.read_text().splitlines()
    beginnings = sum(1 for line in lines if _LOG_BEGINS.search(line))
    assert beginnings > 1 if recording.journal == "WAL" else beginnings == 0


def test_a_cut_of_the_power_loses_no_acknowledged_rating(
    recording: Recording, tmp_path: Path
) -> None:
    cuts = recording.cuts(tmp_path / "cut")
    damages = [moment.damage(recording.ratings) for moment in cuts]
    assert (len(damages), [each for each in damages if each != NO_DAMAGE]) == (CUTS, [])


def test_a_site_goes_on_after_a_cut(resumed: Resumed) -> None:
    stored = resumed.stored
    assert (len(stored.ratings), stored.broken) == (ITEMS, [])
    assert resumed.ratings - set(stored.ratings) == set()


def test_the_number_of_a_claim_that_a_cut_undid_is_not_given_out_again(resumed: Resumed) -> None:
    assert resumed.undone & resumed.claims == set()


def test_copies_of_all_files_of_one_moment_have_every_acknowledged_rating(
    resumed: Resumed,
) -> None:
    damages = [moment.damage(resumed.stored.ratings) for moment in resumed.copies]
    assert (len(damages), [each for each in damages if each != NO_DAMAGE]) == (COPIES, [])


@pytest.mark.parametrize("journal", safe_journals())
def test_acknowledged_ratings_are_lost_in_a_cut_without_the_guard(
    journal: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UNSYNCED", "PRAGMA synchronous=NORMAL;")
    recording = record(tmp_path, journal, application="tests.faults.unsynced")
    cuts = recording.cuts(tmp_path / "cut")
    assert any(moment.damage(recording.ratings).lost for moment in cuts)
