"""A release that is interrupted anywhere is not there, and is the same when it is tried again."""

import errno
import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import write_release
from tests.exporters.folders import names
from tests.exporters.samples import CONTENT
from tests.exporters.steps import At, disk_full, every_step, run_killed_at
from tests.sampling import IS_WHOLE, sample
from tomahto.releases.files.folder import new_folder
from tomahto.releases.records.records import SplitSpec
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


SMALL = replace(CONTENT, spec=SplitSpec("document", {"test": 100.0}))
NOBODY = 65534


def steps_of(content: ReleaseContent, out: Path) -> list[str]:
    counter = At(-1, disk_full)
    with every_step(counter):
        write_release(content, out)
    return counter.names


def test_steps_are_all_that_writing_a_release_does(tmp_path: Path) -> None:
    steps = steps_of(SMALL, tmp_path / "whole")
    files = [place for place in (tmp_path / "whole").rglob("*") if place.is_file()]
    folders = [place for place in (tmp_path / "whole").rglob("*") if place.is_dir()]
    # the folder and its parent are synced too, and the parent is there already
    assert steps.count("open") == len(files) == 51
    assert steps.count("fsync") == len(files) + len(folders) + 2
    assert steps.count("rename") == 1
    assert steps[-2:] == ["rename", "fsync"]
    assert steps.count("write") >= len(files)


def test_the_names_of_new_parents_are_synced_first(tmp_path: Path) -> None:
    first, again = (steps_of(SMALL, tmp_path / "a/b" / name) for name in ("first", "again"))
    before_files = [steps[: steps.index("open")] for steps in (first, again)]
    # of a, which has b, and of what has a
    assert [steps.count("fsync") for steps in before_files] == [2, 0]
    assert first[first.index("open") :] == again[again.index("open") :]


def test_a_disk_that_is_full_at_any_step_leaves_nothing(tmp_path: Path) -> None:
    steps = steps_of(SMALL, tmp_path / "whole")
    for number, name in sample(list(enumerate(steps)), 120 if IS_WHOLE else 30):
        with (
            every_step(At(number, disk_full)),
            pytest.raises(OSError, match="No space left on device"),
        ):
            write_release(SMALL, tmp_path / "out")
        assert names(tmp_path) == ["whole"], (number, name)
    write_release(SMALL, tmp_path / "out")
    sums = [(tmp_path / folder / "SHA256SUMS").read_bytes() for folder in ("whole", "out")]
    assert sums[0] == sums[1]


def cut_off_at(size: int, work: Callable[[], object]) -> bool:
    """Do the work in a process whose files cannot grow any further, as on a disk that is full.

    Whether the work says so: what fits is written, and the rest is refused by the system.
    """
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        try:
            work()
        except OSError as error:
            os._exit(0 if error.errno == errno.EFBIG else 2)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    return status == 0


def test_a_disk_that_takes_no_more_leaves_nothing(tmp_path: Path) -> None:
    write_release(SMALL, tmp_path / "whole")
    sums = (tmp_path / "whole/SHA256SUMS").read_bytes()
    sizes = {place.stat().st_size for place in (tmp_path / "whole").rglob("*") if place.is_file()}
    for size in sample(sorted(sizes), 12 if IS_WHOLE else 5):
        assert cut_off_at(size - 1, lambda: write_release(SMALL, tmp_path / "out")), size
        assert names(tmp_path) == ["whole"], size
    assert not cut_off_at(max(sizes), lambda: write_release(SMALL, tmp_path / "out"))
    assert (tmp_path / "out/SHA256SUMS").read_bytes() == sums


@pytest.mark.thorough
def test_a_release_killed_at_any_step_is_whole_or_not_there(tmp_path: Path) -> None:
    steps = steps_of(SMALL, tmp_path / "whole")
    sums = (tmp_path / "whole/SHA256SUMS").read_bytes()
    for number in sample(range(len(steps)), 80):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert run_killed_at(number, lambda: write_release(SMALL, folder / "out"))  # noqa: B023 - at once
        is_renamed = number == len(steps) - 1
        assert (folder / "out").exists() == is_renamed
        if not is_renamed:
            assert len(names(folder)) <= 1  # what the kill left
        if not is_renamed and number % 5 == 0:
            write_release(SMALL, folder / "out")
            assert names(folder) == ["out"]
            assert (folder / "out/SHA256SUMS").read_bytes() == sums
    assert verify_release(tmp_path / f"{len(steps) - 1}/out") == []  # its parent was not synced
    assert not run_killed_at(len(steps), lambda: write_release(SMALL, tmp_path / "last"))
    assert verify_release(tmp_path / "last") == []


def as_nobody(work: Callable[[], None]) -> bool:
    """Whether the work is done by a user whom permissions bind, which root is not."""
    child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setuid(NOBODY)
            work()
        finally:
            os._exit(1)  # reached by an error that nobody expected
    _, status = os.waitpid(child, 0)
    return status == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that other users reach, as they do not reach `tmp_path`."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)
        Path(folder).chmod(0o755)


def test_a_folder_that_cannot_be_written_stays_as_it_is(open_folder: Path) -> None:
    (open_folder / "kept").touch()
    open_folder.chmod(0o555)

    def refused() -> None:
        with pytest.raises(PermissionError, match="Permission denied"):
            write_release(SMALL, open_folder / "out")
        os._exit(0)

    assert as_nobody(refused)
    assert names(open_folder) == ["kept"]


def leave_one_behind(target: Path) -> str:
    """Kill a process while it writes; the name of what it left."""
    assert run_killed_at(20, lambda: write_release(SMALL, target))
    (left,) = names(target.parent)
    return left


def test_the_next_release_removes_what_a_kill_left(tmp_path: Path) -> None:
    left = leave_one_behind(tmp_path / "1.0.0")
    assert left.startswith(".1.0.0.")
    assert left.endswith(".partial")
    write_release(SMALL, tmp_path / "1.0.1")  # of another version, too
    assert names(tmp_path) == ["1.0.1"]


def test_what_another_worker_is_writing_is_left_alone(tmp_path: Path) -> None:
    with new_folder(tmp_path / "1.0.0") as theirs:
        theirs.write("x", "theirs")
        write_release(SMALL, tmp_path / "1.0.1")
        theirs.write("y", "theirs")
    assert names(tmp_path) == ["1.0.0", "1.0.1"]
    assert names(tmp_path / "1.0.0") == ["x", "y"]


def test_what_only_looks_like_it_is_left_alone(tmp_path: Path) -> None:
    for name in (".mine.partial", ".a.0123456789abcdeg.partial", "b.0123456789abcdef.partial"):
        (tmp_path / name).mkdir()
    (tmp_path / ".file.0123456789abcdef.partial").touch()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".link.0123456789abcdef.partial").symlink_to("elsewhere")
    before = names(tmp_path)
    write_release(SMALL, tmp_path / "out")
    assert names(tmp_path) == sorted([*before, "out"])


def test_a_new_folder_taken_for_left_behind_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Path] = []
    make = Path.mkdir

    def overtaken(path: Path, *arguments: Any, **options: Any) -> None:
        make(path, *arguments, **options)
        if path.name.endswith(".partial"):
            made.append(path)
            if len(made) == 1:  # the first time it is made
                path.rmdir()  # another worker's look, before the lock

    monkeypatch.setattr(Path, "mkdir", overtaken)
    with new_folder(tmp_path / "out") as folder:
        folder.write("x", "")
    assert len(set(made)) == 2
    assert names(tmp_path) == ["out"]
