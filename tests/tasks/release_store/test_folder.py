"""A release in a folder."""

from pathlib import Path

import pytest

from tasks.release_store.files import FolderFiles, NoSuchFile, StoredFile, chunks, read_whole

CONTENT = bytes(range(256)) * 1000  # longer than a chunk


@pytest.fixture
def files(tmp_path: Path) -> FolderFiles:
    folder = tmp_path / "release"
    (folder / "jsonl").mkdir(parents=True)
    (folder / "jsonl" / "dev.jsonl").write_bytes(CONTENT)
    (folder / "README.md").write_text("card")
    (folder / "link").symlink_to(tmp_path / "secret")
    (tmp_path / "secret").write_text("x")
    return FolderFiles(folder)


def test_files_are_listed_in_order_of_their_paths(files: FolderFiles) -> None:
    (files.folder / "link").unlink()
    assert files.listed() == [StoredFile("README.md", 4), StoredFile("jsonl/dev.jsonl", 256_000)]


def test_files_are_read_whole_and_from_a_place_on(files: FolderFiles) -> None:
    assert read_whole(files, "README.md") == b"card"
    assert b"".join(chunks(files.open("jsonl/dev.jsonl"))) == CONTENT
    with files.open("jsonl/dev.jsonl", range(1000, 1010)) as part:
        assert part.read(10) == CONTENT[1000:1010]


@pytest.mark.parametrize(
    "path", ["../secret", "jsonl/../../secret", "jsonl", "", ".", "none", "/etc/passwd", "link"]
)
def test_only_regular_files_below_the_folder_are_files(files: FolderFiles, path: str) -> None:
    with pytest.raises(NoSuchFile):
        files.size(path)
    with pytest.raises(NoSuchFile):
        files.open(path)
