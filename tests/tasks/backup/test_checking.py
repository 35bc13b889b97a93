"""A backup that is not as it was written is told apart, and the file is named."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tasks.backup.manifest import BackupError, checksum_line, damage, read_manifest, require_whole
from tests.tasks.backup.steps import rewrite_manifest

pytestmark = pytest.mark.slow


ODD_PATHS = ["files//a", "files/./a", "files/a\nb", "files/a\0b", "files/\ud800", "tables/a"]


def flip(path: Path, offset: int = 0) -> None:
    content = bytearray(path.read_bytes())
    content[offset] ^= 1
    path.write_bytes(bytes(content))


def test_whole_backup_is_whole(either: Path) -> None:
    assert require_whole(either) == read_manifest(either)


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


@pytest.mark.parametrize(
    "path", ["../secret", "files/../../secret", "/etc/passwd", "files", "files/", *ODD_PATHS]
)
def test_path_out_of_the_backup_is_refused(backup: Path, path: str) -> None:
    def lead_out(manifest: dict[str, list[dict[str, str]]]) -> None:
        manifest["files"][0]["path"] = path

    rewrite_manifest(backup, lead_out)
    with pytest.raises(BackupError, match="is not a path below files/"):
        require_whole(backup)


def has(**changes: object) -> Callable[[Any], None]:
    return lambda manifest: manifest.update(changes)


def in_first(of: str, **changes: object) -> Callable[[Any], None]:
    return lambda manifest: manifest[of][0].update(changes)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (has(tables=5), "field tables: is not a list"),
        (has(tables=[5]), r"field tables\[0\]: is not an object"),
        (has(files={}), "field files: is not a list"),
        (has(migrations=[]), "field migrations: is not an object"),
        (has(migrations={"tasks": [1]}), "field tasks: is not a list of texts"),
        (has(software=None), "field software: is not a text"),
        (has(elsewhere=["a", 1]), "field elsewhere: is not a list of texts"),
        (lambda manifest: manifest.pop("missing"), "field missing: is missing"),
        (lambda manifest: manifest["tables"][0].pop("rows"), "field rows: is missing"),
        (in_first("tables", rows=-1), "field rows: is -1"),
        (in_first("tables", rows=True), "field rows: is not a whole number"),
        (in_first("tables", bytes=1.5), "field bytes: is not a whole number"),
        (in_first("tables", columns="id"), "field columns: is not a list"),
        (in_first("tables", table="../tasks_user"), "is not the name of a table"),
        (in_first("files", sha256="x"), "field sha256: is not a SHA-256"),
        (in_first("files", path=None), "field path: is not a text"),
        (lambda manifest: manifest["files"].append(manifest["files"][0]), "names one path twice"),
        (lambda manifest: manifest["tables"].append(manifest["tables"][0]), "names one path twice"),
    ],
)
def test_manifest_of_other_types_ends_in_one_line(
    backup: Path, change: Callable[[Any], None], said: str
) -> None:
    rewrite_manifest(backup, change)
    with pytest.raises(BackupError, match=said) as refused:
        require_whole(backup)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        "\ufeff{}",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"format": NaN}',
        '{"format": "tomahto-backup-1", "format": "tomahto-backup-1"}',
        '{"format": "tomahto-backup-1", "migrations": ' + "9" * 5_000 + "}",
    ],
)
def test_manifest_that_is_no_manifest_ends_in_one_line(backup: Path, text: str) -> None:
    (backup / "manifest.json").write_text(text)
    (backup / "manifest.sha256").write_text(checksum_line(text))
    with pytest.raises(BackupError, match=r"manifest\.json") as refused:
        require_whole(backup)
    assert str(refused.value).isprintable()


def test_huge_manifest_is_not_read(backup: Path) -> None:
    with (backup / "manifest.json").open("wb") as file:
        file.truncate(1 << 40)  # takes no room
    with pytest.raises(BackupError, match="is larger than 64 MiB"):
        require_whole(backup)


@pytest.mark.parametrize("name", ["manifest.json", "manifest.sha256"])
def test_manifest_behind_a_link_is_not_read(backup: Path, name: str) -> None:
    (backup / name).rename(backup.parent / name)
    (backup / name).symlink_to(backup.parent / name)
    with pytest.raises(BackupError, match=f"{name} is not a regular file"):
        require_whole(backup)


def test_links_pipes_and_folders_are_no_files(backup: Path) -> None:
    tables = backup / "tables"
    (tables / "tasks_user.jsonl").rename(backup.parent / "users")
    (tables / "tasks_user.jsonl").symlink_to(backup.parent / "users")
    (tables / "tasks_slot.jsonl").unlink()
    os.mkfifo(tables / "tasks_slot.jsonl")  # a read would wait for ever
    (backup / "files" / "more").symlink_to("/etc")
    assert sorted(damage(backup, read_manifest(backup))) == [
        "files/more is not part of the backup",
        "tables/tasks_slot.jsonl is damaged: it is not a regular file",
        "tables/tasks_user.jsonl is damaged: it is not a regular file",
    ]


def test_other_format_is_refused(backup: Path) -> None:
    rewrite_manifest(backup, lambda manifest: manifest.update(format="tomahto-backup-2"))
    with pytest.raises(BackupError, match="the format is 'tomahto-backup-2', not 'tomahto-backup-"):
        require_whole(backup)
