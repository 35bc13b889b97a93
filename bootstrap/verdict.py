"""The tree that a run of all checks saw pass, kept for whoever hands it on.

`.tomahto/green` names it after `./test`, `.tomahto/green-all` after `./test --all`.
"""

import subprocess
from pathlib import Path

from bootstrap.extents import Extent
from bootstrap.places import PRIVATE, ROOT

_FILES = {Extent.USUAL: "green", Extent.ALL: "green-all"}


def verdict_file(extent: Extent) -> Path | None:
    """Where the verdict of an extent is kept, if it is one that says all is well."""
    name = _FILES.get(extent)
    return PRIVATE / name if name else None


def committed_tree() -> str | None:
    """The hash of HEAD's tree; None where files differ from it, or where there is no history."""
    if _git("status", "--porcelain") != "":
        return None
    return _git("rev-parse", "HEAD^{tree}")


def keep_verdict(file: Path, *, before: str | None, passed: bool) -> str:
    """Write down the tree that passed, or take back what stood there; a sentence that says which.

    `before` is the tree when the checks began.
    """
    if not passed:
        file.unlink(missing_ok=True)
        return ""
    if before is None or before != committed_tree():
        return "No verdict was recorded: the files are not those of a commit."
    file.write_text(f"{before}\n")
    return f"{file.relative_to(ROOT)} names the tree that passed, {before[:12]}."


def _git(*arguments: str) -> str | None:
    """What git answers; None if it refuses or is not there."""
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.decode().strip()
