import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bootstrap import BootstrapError, system
from bootstrap.system import Account, is_within_reach, program_folder, server_folder


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter, which those of pytest are not."""
    folder = server_folder("tomahto-test-")
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def closed(open_folder: Path) -> Path:
    """A folder such as /root."""
    folder = open_folder / "closed"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "unprivileged_account", lambda: Account(65534, 65534))


@pytest.mark.usefixtures("as_root")
def test_reach_ends_at_a_closed_folder(closed: Path, open_folder: Path) -> None:
    inside = closed / "program"
    inside.touch()
    assert [is_within_reach(path) for path in (inside, closed, open_folder)] == [False, False, True]


@pytest.mark.usefixtures("as_root")
def test_reach_follows_links(closed: Path, open_folder: Path) -> None:
    (open_folder / "link").symlink_to(closed / "program")
    assert not is_within_reach(open_folder / "link")


def test_ordinary_users_reach_their_own_folders(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "unprivileged_account", lambda: None)
    monkeypatch.setattr(system, "PRIVATE", closed)
    assert is_within_reach(closed)
    assert program_folder("redis") == closed / "redis"


@pytest.mark.usefixtures("as_root")
def test_programs_move_out_of_a_closed_checkout(
    closed: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system, "PRIVATE", closed / ".tomahto")
    monkeypatch.setattr(system, "LASTING", open_folder)
    folder = program_folder("redis")
    assert folder == open_folder / f"tomahto-{os.geteuid()}" / "redis"
    assert folder.stat().st_mode & 0o777 == 0o755


@pytest.mark.usefixtures("as_root")
def test_folder_that_is_a_link_is_not_ours(
    closed: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (open_folder / f"tomahto-{os.geteuid()}").symlink_to(open_folder)
    monkeypatch.setattr(system, "PRIVATE", closed / ".tomahto")
    monkeypatch.setattr(system, "LASTING", open_folder)
    monkeypatch.setattr("tempfile.tempdir", str(open_folder))
    with pytest.raises(BootstrapError, match="no folder for redis"):
        program_folder("redis")


@pytest.mark.usefixtures("as_root")
def test_server_folder_avoids_closed_temporary_folders(
    closed: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(closed))
    monkeypatch.setattr(system, "LASTING", open_folder)
    folder = server_folder("tomahto-test-")
    assert folder.parent == open_folder
    assert folder.stat().st_mode & 0o777 == 0o700
