"""A backup as one file: packed, unpacked, and refused where it is not whole."""

import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tasks.backup.errors import BackupError
from tasks.backup.scheduled.archive import (
    archive_name,
    pack,
    unpack,
    unpacked,
)

KEY = bytes(range(32))
FILES = {"manifest.json": b"{}\n", "tables/a.jsonl": b"[1]\n" * 300, "files/releases/x/y": b""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path, content in FILES.items():
        place = tmp_path / "backup" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return tmp_path / "backup"


def content_of(folder: Path) -> dict[str, bytes]:
    found = [place for place in folder.rglob("*") if place.is_file()]
    return {place.relative_to(folder).as_posix(): place.read_bytes() for place in found}


@pytest.mark.parametrize("key", [b"", KEY])
def test_what_was_packed_is_unpacked(folder: Path, tmp_path: Path, key: bytes) -> None:
    pack(folder, tmp_path / "archive", key)
    assert (tmp_path / "archive").stat().st_mode & 0o777 == 0o600
    with unpacked(tmp_path / "archive", tmp_path / "work", key) as found:
        assert content_of(found) == FILES
    assert list((tmp_path / "work").iterdir()) == []


def test_folder_is_taken_as_it_is(folder: Path, tmp_path: Path) -> None:
    with unpacked(folder, tmp_path / "work", b"") as found:
        assert found == folder


@pytest.mark.parametrize("key", [b"", KEY])
def test_archive_cut_at_any_byte_is_refused(folder: Path, tmp_path: Path, key: bytes) -> None:
    pack(folder, tmp_path / "archive", key)
    whole = (tmp_path / "archive").read_bytes()
    for length in range(len(whole)):
        (tmp_path / "archive").write_bytes(whole[:length])
        with pytest.raises(BackupError):
            unpack(tmp_path / "archive", tmp_path / f"to-{length}", key)


def test_archive_that_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "archive", "w:gz") as tar:
        (tmp_path / "evil").write_text("x")
        tar.add(tmp_path / "evil", arcname="../evil-placed")
    with pytest.raises(BackupError, match="is damaged"):
        unpack(tmp_path / "archive", tmp_path / "to", b"")
    assert not (tmp_path / "evil-placed").exists()


def test_names_sort_as_their_moments() -> None:
    moments = [datetime(2026, month, 1, 2, 3, 4, tzinfo=UTC) for month in (1, 2, 11)]
    names = [archive_name(moment, is_encrypted=moment.month == 2) for moment in moments]
    assert names == [
        "tomahto-20260101T020304Z.tar.gz",
        "tomahto-20260201T020304Z.tar.gz.encrypted",
        "tomahto-20261101T020304Z.tar.gz",
    ]
    assert sorted(names) == names
