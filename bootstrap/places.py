"""Folders: where the checkout is, what it may fill, and what other accounts can reach."""

import os
import pwd
import stat
import tempfile
from pathlib import Path
from typing import NamedTuple

from bootstrap import BootstrapError

ROOT = Path(__file__).resolve().parent.parent
PRIVATE = ROOT / ".tomahto"  # ignored by git; may be deleted at any time
REQUIREMENTS = ROOT / "requirements"

LASTING = Path("/var/tmp")  # noqa: S108 (only folders that are ours are used there)
NOBODY = 65534


class Account(NamedTuple):
    """User and group id of an account without rights."""

    user: int
    group: int


def unprivileged_account() -> Account | None:
    """The account for servers that refuse to run as root; None when we are not root ourselves."""
    if os.geteuid() != 0:
        return None
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        return Account(NOBODY, NOBODY)
    return Account(entry.pw_uid, entry.pw_gid)


def is_within_reach(path: Path) -> bool:
    """Whether the account that servers run as may enter every folder on the way to `path`."""
    if unprivileged_account() is None:
        return True
    resolved = path.resolve()
    folders = [resolved, *resolved.parents] if resolved.is_dir() else resolved.parents
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in folders)


def program_folder(name: str) -> Path:
    """A lasting folder for programs that servers' account must be able to start.

    Inside the checkout where that works; otherwise, as for root with a checkout below /root,
    in a folder of ours among the temporary files.
    """
    ours = f"tomahto-{os.geteuid()}"
    for parent in (PRIVATE, LASTING / ours, Path(tempfile.gettempdir()) / ours):
        if _is_ours(parent) and is_within_reach(parent):
            folder = parent / name
            _make_public(folder)
            return folder
    raise BootstrapError(f"no folder for {name} is accessible to other accounts")


def server_folder(prefix: str) -> Path:
    """A new folder for one server's data, to be removed by the caller."""
    for parent in (Path(tempfile.gettempdir()), LASTING):
        if parent.is_dir() and is_within_reach(parent):
            return Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
    raise BootstrapError("no temporary folder is accessible to other accounts")


def _is_ours(folder: Path) -> bool:
    """Make the folder if it is missing; refuse one that somebody else laid out for us."""
    try:
        _make_public(folder)
    except OSError:
        return False
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _make_public(folder: Path) -> None:
    """Make a folder that everybody may read, whatever the umask; leave an existing one alone."""
    try:
        folder.mkdir()
    except FileExistsError:
        return
    folder.chmod(0o755)
