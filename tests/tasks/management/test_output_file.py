"""Files that commands write: whole, or not there."""

from pathlib import Path

import pytest
from django.core.management.base import CommandError

from tasks.management.command import output_file


def test_output_file_takes_its_name_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with output_file(path) as file:
        file.write("Köln\n")
        assert not path.exists()
    assert path.read_bytes() == "Köln\n".encode()
    assert list(tmp_path.iterdir()) == [path]


def test_output_file_leaves_the_earlier_one_when_something_fails(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old")

    def fail() -> None:
        with output_file(path) as file:
            file.write("new")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_output_file_writes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "out.txt")
    with output_file(tmp_path / "link") as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "out.txt").read_text() == "new"


def test_output_file_refuses_a_folder(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="is not a regular file"), output_file(tmp_path):
        pass
