import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tomahto.pretrained.files import ModelFilesError
from tomahto.pretrained.folders import (
    ContentFolder,
    digest_files,
    finish,
    publish,
    remove_unfinished,
    unfinished_folder,
)


def stored(place: Path, content: str = "weights") -> ContentFolder:
    with unfinished_folder(place, "job-1") as folder:
        (folder / "config.json").write_text("{}")
        (folder / "model.safetensors").write_text(content)
        return publish(folder, finish(folder))


def test_a_published_folder_has_the_digest_of_its_files_as_its_name(tmp_path: Path) -> None:
    folder = stored(tmp_path)
    lines = "".join(
        f"{hashlib.sha256(content).hexdigest()} {name}\n"
        for name, content in [("config.json", b"{}"), ("model.safetensors", b"weights")]
    )
    digest = hashlib.sha256(lines.encode()).hexdigest()
    assert folder == ContentFolder(tmp_path / digest, digest)
    assert [path.name for path in tmp_path.iterdir()] == [digest]
    assert stored(tmp_path / "elsewhere").digest == digest
    assert stored(tmp_path, "other weights").digest != digest
    folder.require_whole()


def test_nothing_stays_of_a_folder_that_is_not_published(tmp_path: Path) -> None:
    with unfinished_folder(tmp_path / "slug", "job-1") as folder:
        (folder / "config.json").write_text("{}")
        finish(folder)
    assert list((tmp_path / "slug").iterdir()) == []


def test_what_a_killed_owner_left_is_removed_and_no_other_s(tmp_path: Path) -> None:
    for name in (".job-1.77.partial", ".job-11.77.partial"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}")
    remove_unfinished(tmp_path, "job-1")
    assert [path.name for path in tmp_path.iterdir()] == [".job-11.77.partial"]


def _cut(folder: Path) -> None:
    (folder / "model.safetensors").write_text("weight")


def _add(folder: Path) -> None:
    (folder / "more").mkdir()
    (folder / "more" / "model.safetensors").write_text("")


def _drop(folder: Path) -> None:
    (folder / "config.json").unlink()


def _swap(folder: Path) -> None:
    (folder / "config.json").rename(folder / "x")
    (folder / "model.safetensors").rename(folder / "config.json")
    (folder / "x").rename(folder / "model.safetensors")


@pytest.mark.parametrize("damage", [_cut, _add, _drop, _swap])
def test_a_damaged_folder_is_noticed_and_mended_by_storing_it_again(
    tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    folder = stored(tmp_path)
    damage(folder.path)
    with pytest.raises(
        ModelFilesError, match=r": contains other files than were stored; train the matcher again$"
    ):
        folder.require_whole()
    assert stored(tmp_path) == folder
    assert digest_files(folder.path) == folder.digest
    assert [path.name for path in tmp_path.iterdir()] == [folder.digest]


def test_a_whole_folder_is_left_as_it_is(tmp_path: Path) -> None:
    folder = stored(tmp_path)
    before = (folder.path / "config.json").stat()
    assert stored(tmp_path) == folder
    assert (folder.path / "config.json").stat().st_ino == before.st_ino
    assert [path.name for path in tmp_path.iterdir()] == [folder.digest]


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFilesError, match=r"/gone: is not there; train the matcher again$"):
        ContentFolder(tmp_path / "gone", "0" * 64).require_whole()
