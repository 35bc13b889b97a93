"""Whether the file of a database is whole, and which backup to restore where it is not."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tasks.management import integrity
from tasks.management.endings import ended_well, note_end, note_start
from tasks.management.integrity import Damaged, require_intact

ROWS = 3000


@pytest.fixture
def database(tmp_path: Path) -> Path:
    place = tmp_path / "site.sqlite3"
    with closing(sqlite3.connect(place)) as connection:
        connection.execute("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT UNIQUE)")
        _fill(connection, 0)
    return place


def _fill(connection: sqlite3.Connection, first: int) -> None:
    rows = [(f"{number * 7919 % 10007:09}" * 20,) for number in range(first, first + ROWS)]
    connection.executemany("INSERT INTO texts (text) VALUES (?)", rows)
    connection.commit()


@pytest.fixture
def torn(database: Path) -> Path:
    """A copy whose first half was read before a write, and its second half after it."""
    before = database.read_bytes()
    with closing(sqlite3.connect(database)) as connection:
        _fill(connection, ROWS)
    after = database.read_bytes()
    copy = database.with_name("copy.sqlite3")
    copy.write_bytes(before[: len(before) // 2] + after[len(before) // 2 :])
    return copy


@pytest.fixture
def backups(tmp_path: Path) -> Iterator[str]:
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in ("tomahto-20260301T020000Z.tar.gz", "tomahto-20260302T020000Z.tar.gz", ".partial"):
        (folder / name).write_bytes(b"")
    yield str(folder)
    shutil.rmtree(folder, ignore_errors=True)


def test_whole_database_is_served(database: Path, backups: str) -> None:
    require_intact(database, backups)
    require_intact(database.with_name("none-yet.sqlite3"), backups)


def test_copy_of_two_moments_is_refused_and_left_alone(torn: Path, backups: str) -> None:
    content = torn.read_bytes()
    with pytest.raises(Damaged) as refusal:
        require_intact(torn, backups)
    said = str(refusal.value)
    assert said.startswith(f"the database {torn} is damaged (")
    newest = f"{backups}/tomahto-20260302T020000Z.tar.gz"
    assert said.endswith(
        f"restore its newest backup with `./run --data NEW manage restore {newest}`"
    )
    assert "\n" not in said
    assert torn.read_bytes() == content


@pytest.mark.parametrize("size", [100, 5000, -5000])
def test_file_that_was_cut_off_is_refused(database: Path, backups: str, size: int) -> None:
    database.write_bytes(database.read_bytes()[:size])
    with pytest.raises(Damaged):
        require_intact(database, backups)


def test_what_is_no_database_is_refused(database: Path, backups: str) -> None:
    database.write_bytes(b"x" * 8192)
    with pytest.raises(Damaged, match="file is not a database"):
        require_intact(database, backups)


def test_index_that_is_not_its_tables_is_refused(database: Path, backups: str) -> None:
    """Only the full look compares them, which small databases always get."""
    with closing(sqlite3.connect(database)) as connection:
        (root,) = connection.execute(
            "SELECT rootpage FROM sqlite_schema WHERE type = 'index'"
        ).fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    content = bytearray(database.read_bytes())
    wrong = content.find(b"000000000", size * (root - 1))
    content[wrong : wrong + 9] = b"000000001"
    database.write_bytes(content)
    with pytest.raises(Damaged):
        require_intact(database, backups)


def test_large_database_is_looked_through_after_an_end_of_another_kind_only(
    torn: Path, backups: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(integrity, "SMALL", 1000)
    note_end(torn)
    require_intact(torn, backups)  # as ./run itself left it
    note_start(torn)
    with pytest.raises(Damaged):
        require_intact(torn, backups)


def test_mark_is_of_one_file_as_it_was(database: Path) -> None:
    assert not ended_well(database)
    note_end(database)
    assert ended_well(database)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("DELETE FROM texts")
        connection.commit()
    assert not ended_well(database)


def test_mark_that_was_cut_off_is_none(database: Path) -> None:
    note_end(database)
    mark = database.parent / "ended-well.json"
    whole = mark.read_bytes()
    for length in range(len(whole)):
        mark.write_bytes(whole[:length])
        assert not ended_well(database)


def test_look_is_bounded_in_time(
    database: Path,
    backups: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(integrity, "SMALL", 1000)
    monkeypatch.setattr(integrity, "LONGEST", -1.0)
    monkeypatch.setattr(integrity, "_STEPS", 1)
    require_intact(database, backups)
    assert "not to its end; do it with `./run manage check_database`" in capsys.readouterr().err


def test_without_a_backup_nothing_is_named(torn: Path, tmp_path: Path) -> None:
    with pytest.raises(Damaged, match="; restore your newest one into a new data folder"):
        require_intact(torn, str(tmp_path / "none"))
    with pytest.raises(Damaged, match="restore the newest backup of s3://bucket/b into a new data"):
        require_intact(torn, "s3://bucket/b")
