import resource
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from tests.exporters.builders import write_release
from tests.exporters.folders import names
from tests.exporters.samples import CONTENT, ITEMS
from tomahto.releases.files.folder import FileEntry, new_folder
from tomahto.releases.records.fields import ReleaseError


def test_new_folder_records_its_files(tmp_path: Path) -> None:
    with new_folder(tmp_path / "out") as folder:
        folder.write("a/b.txt", "é\n")
        with folder.open("c.jsonl", rows=1) as file:
            file.write(b"{}")
            file.write(b"\n")
    assert folder.files == [
        FileEntry("a/b.txt", sha256("é\n".encode()).hexdigest(), 3),
        FileEntry("c.jsonl", sha256(b"{}\n").hexdigest(), 3, rows=1),
    ]
    assert (tmp_path / "out/a/b.txt").read_text() == "é\n"
    assert names(tmp_path) == ["out"]


def test_new_folder_makes_the_parents_of_its_target(tmp_path: Path) -> None:
    with new_folder(tmp_path / "a/b/out") as folder:
        folder.write("x", "")
    assert (tmp_path / "a/b/out/x").read_bytes() == b""


def test_new_folder_is_not_visible_before_its_end(tmp_path: Path) -> None:
    with new_folder(tmp_path / "out") as folder:
        folder.write("x", "x")
        assert not (tmp_path / "out").exists()
        assert folder.path.parent == tmp_path  # the same filesystem: renaming is one step


@pytest.mark.parametrize(
    "take",
    [Path.mkdir, Path.touch, lambda target: target.symlink_to("nowhere")],
    ids=["folder", "file", "dangling link"],
)
def test_new_folder_refuses_a_place_that_is_taken(
    tmp_path: Path, take: Callable[[Path], None]
) -> None:
    target = tmp_path / "out"
    take(target)
    with pytest.raises(ReleaseError, match="already exists; a release is never overwritten"):
        write_release(CONTENT, target)
    assert names(tmp_path) == ["out"]


def test_new_folder_refuses_a_place_that_is_taken_meanwhile(tmp_path: Path) -> None:
    def write_slowly() -> None:
        with new_folder(tmp_path / "out") as folder:
            folder.write("x", "mine")
            (tmp_path / "out").mkdir()

    with pytest.raises(ReleaseError, match="already exists"):
        write_slowly()
    assert names(tmp_path) == ["out"]
    assert names(tmp_path / "out") == []


@pytest.fixture
def small_files() -> Iterator[None]:
    """No file can grow beyond 20,000 bytes, as on a disk without room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.usefixtures("small_files")
@pytest.mark.parametrize("size", [20_000, 400_000])  # fails in the last flush, fails in pyarrow
def test_write_release_leaves_nothing_behind_without_room(tmp_path: Path, size: int) -> None:
    context = Random(1).randbytes(size).hex()
    content = replace(CONTENT, items=[replace(record, context=context) for record in ITEMS])
    with pytest.raises(OSError, match="File too large"):
        write_release(content, tmp_path / "out")
    assert names(tmp_path) == []
