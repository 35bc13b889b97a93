"""A backup that is not as it was written is told apart, and the file is named."""

from pathlib import Path

import pytest

from tasks.backup.checking import damage, require_whole
from tasks.backup.errors import BackupError
from tasks.backup.manifest import read_manifest
from tests.tasks.backup.steps import rewrite_manifest


def flip(path: Path, offset: int = 0) -> None:
    content = bytearray(path.read_bytes())
    content[offset] ^= 1
    path.write_bytes(bytes(content))


def test_whole_backup_is_whole(original: Path) -> None:
    assert require_whole(original) == read_manifest(original)


def test_flipped_bit_in_any_file_is_found(backup: Path) -> None:
    filled = [path for path in sorted(backup.rglob("*")) if path.is_file() and path.stat().st_size]
    assert len(filled) > 20
    for path in filled:
        content = path.read_bytes()
        flip(path, len(content) // 2 if path.name != "manifest.sha256" else 0)
        name = path.name if path.parent == backup else path.relative_to(backup).as_posix()
        with pytest.raises(BackupError, match=rf"{name.split('.sha256')[0]}.* is damaged"):
            require_whole(backup)
        path.write_bytes(content)
    assert require_whole(backup)


def test_missing_cut_and_additional_files_are_named(backup: Path) -> None:
    (backup / "tables" / "tasks_user.jsonl").unlink()
    with pytest.raises(BackupError, match=r"tables/tasks_user.jsonl is missing$"):
        require_whole(backup)
    ratings = backup / "tables" / "tasks_rating.jsonl"
    size = ratings.stat().st_size
    ratings.write_bytes(ratings.read_bytes()[:-1])
    (backup / "more").touch()
    assert sorted(damage(backup, read_manifest(backup))) == [
        "more is not part of the backup",
        f"tables/tasks_rating.jsonl is damaged: {size - 1} bytes instead of {size}",
        "tables/tasks_user.jsonl is missing",
    ]
    with pytest.raises(BackupError, match=r"is missing, and 2 more$"):
        require_whole(backup)


def test_missing_manifest_is_named(backup: Path) -> None:
    (backup / "manifest.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"manifest\.json"):
        require_whole(backup)


@pytest.mark.parametrize("path", ["../secret", "files/../../secret", "/etc/passwd", "files"])
def test_path_out_of_the_backup_is_refused(backup: Path, path: str) -> None:
    def lead_out(manifest: dict[str, list[dict[str, str]]]) -> None:
        manifest["files"][0]["path"] = path

    rewrite_manifest(backup, lead_out)
    with pytest.raises(BackupError, match="is not a path below files/"):
        require_whole(backup)


def test_other_format_is_refused(backup: Path) -> None:
    rewrite_manifest(backup, lambda manifest: manifest.update(format="tomahto-backup-2"))
    with pytest.raises(BackupError, match="the format is 'tomahto-backup-2', not 'tomahto-backup-"):
        require_whole(backup)
