"""The model of a disk loses what a disk may lose, and nothing else."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.disk import SECTOR, Disk, Luck, Write
from tests.faults.system_calls import steps

FILES = {"db": b"old."}
LOG = 'openat(AT_FDCWD</>, "/data/db-wal", O_RDWR|O_CREAT, 0644) = 8</data/db-wal>'


def after(folder: Path, *lines: str) -> Disk:
    """The disk when these calls have been made; before each stands its thread."""
    calls = folder / "calls"
    calls.write_text("".join(f"{line[0]} {at}.0 {line[2:]}\n" for at, line in enumerate(lines)))
    disk = Disk(Path("/data"), "db", FILES)
    for call in steps([calls]):
        disk.step(call)
    return disk


def left(disk: Disk, luck: Luck) -> dict[str, bytes]:
    return disk.left(luck, random.Random(0))


def possible(disk: Disk) -> Iterator[dict[str, bytes]]:
    for seed in range(50):
        for luck in Luck:
            yield disk.left(luck, random.Random(seed))


def test_a_change_is_there_for_certain_once_it_is_synced(tmp_path: Path) -> None:
    write = '1 pwrite64(7</data/db>, "n\\145w\\0", 4, 4) = 4'
    disk = after(tmp_path, write)
    assert left(disk, Luck.NONE) == {"db": b"old."}
    assert left(disk, Luck.ALL) == disk.current() == {"db": b"old.new\0"}
    synced = after(tmp_path, write, "1 fdatasync(7</data/db>) = 0")
    assert all(files == {"db": b"old.new\0"} for files in possible(synced))


def test_changes_are_kept_or_lost_each_for_itself(tmp_path: Path) -> None:
    disk = after(
        tmp_path, "1 ftruncate(7</data/db>, 1) = 0", '2 pwrite64(9</data/db>, "N", 1, 3) = 1'
    )
    contents = {files["db"] for files in possible(disk)}
    assert contents == {b"old.", b"o", b"oldN", b"o\0\0N"}


def test_a_sync_is_of_what_had_returned_before_it_began(tmp_path: Path) -> None:
    disk = after(
        tmp_path,
        '1 pwrite64(7</data/db>, "1", 1, 0) = 1',
        '1 pwrite64(7</data/db>, "2", 1, 1 <unfinished ...>',
        "2 fsync(9</data/db> <unfinished ...>",
        "1 <... pwrite64 resumed>) = 1",
        '1 pwrite64(7</data/db>, "3", 1, 2) = 1',
        "2 <... fsync resumed>) = 0",
    )
    assert left(disk, Luck.NONE) == {"db": b"1ld."}
    assert left(disk, Luck.ALL) == {"db": b"123."}


def test_a_sync_counts_when_it_has_returned(tmp_path: Path) -> None:
    write = '1 pwrite64(7</data/db>, "N", 1, 0) = 1'
    disk = after(tmp_path, write, "1 fsync(7</data/db> <unfinished ...>")
    assert left(disk, Luck.NONE) == {"db": b"old."}


def test_a_new_file_and_one_removed_need_a_sync_of_their_folder(tmp_path: Path) -> None:
    made = [
        f"1 {LOG}",
        '1 pwrite64(8</data/db-wal>, "log", 3, 0) = 3',
        "1 fsync(8</data/db-wal>) = 0",
    ]
    disk = after(tmp_path, *made)
    assert left(disk, Luck.NONE) == FILES
    assert left(disk, Luck.ALL) == {**FILES, "db-wal": b"log"}
    removed = [*made, "1 fsync(9</data>) = 0", '1 unlink("/data/db-wal") = 0']
    disk = after(tmp_path, *removed)
    assert left(disk, Luck.NONE) == {**FILES, "db-wal": b"log"}
    assert left(disk, Luck.ALL) == disk.current() == FILES
    disk = after(tmp_path, *removed, "1 fsync(9</data>) = 0")
    assert all(files == FILES for files in possible(disk))


def test_a_write_is_torn_between_sectors() -> None:
    write = Write(SECTOR - 1, b"a" + SECTOR * b"b" + b"c")
    parts = {
        tuple(
            (part.offset, part.data[:1], len(part.data)) for part in write.torn(random.Random(seed))
        )
        for seed in range(100)
    }
    a, b, c = (SECTOR - 1, b"a", 1), (SECTOR, b"b", SECTOR), (2 * SECTOR, b"c", 1)
    assert parts == {(), (a,), (b,), (c,), (a, b), (a, c), (b, c), (a, b, c)}


@pytest.mark.parametrize(
    "line",
    [
        '1 write(7</data/db>, "new", 3) = 3',
        '1 pwrite64(7</data/db>, "ne"..., 3, 0) = 3',
        '1 pwrite64(7</data/db>, "new", 3, 0) = -1 ENOSPC (No space left on device)',
    ],
)
def test_what_the_model_does_not_know_is_an_error(line: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="know"):
        after(tmp_path, line)
