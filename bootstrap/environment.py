"""The private virtual environments: to serve with, also with torch, and to test with."""

import hashlib
import os
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

from bootstrap import installers
from bootstrap.console import note
from bootstrap.installers import InstallError
from bootstrap.mutex import waiting_turn
from bootstrap.places import PRIVATE, REQUIREMENTS, ROOT

RELEASES_URL = "TOMAHTO_RELEASES_URL"


@dataclass(frozen=True)
class Environment:
    """A virtual environment that holds exactly a lock file, and on top what no lock can name.

    `additions` are requirements whose file depends on the machine (torch: processor or CUDA), so
    that they carry no hashes; what they need in turn stays at the locked versions.
    """

    folder: Path
    lock: Path
    additions: tuple[str, ...] = ()

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    @property
    def stamp(self) -> Path:
        """Written last, so that an interrupted installation is started again."""
        return self.folder / "installed"

    def fingerprint(self) -> str:
        """Changes whenever the environment would have to be made again."""
        version = ".".join(map(str, sys.version_info[:3]))
        parts = (self.lock.read_text(), *self.additions, version, str(self.folder))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def is_current(self) -> bool:
        """Whether it is complete, up to date and its Python still exists."""
        if not (self.python.exists() and self.stamp.exists()):
            return False
        return self.stamp.read_text() == self.fingerprint()

    @property
    def constraints(self) -> Path:
        """The locked versions without their hashes, which would demand one for torch as well."""
        return self.folder.with_name(f"{self.folder.name}.constraints")

    def steps(self) -> list[tuple[str, ...]]:
        """Arguments of one `pip install` after another."""
        locked = installers.hashed(self.lock)
        if not self.additions:
            return [locked]
        return [locked, (*self.additions, "--constraint", str(self.constraints))]


def pinned_versions(lock: str) -> str:
    """The lines `name==version ; marker` of a lock file's text, without hashes."""
    lines = [line.removesuffix("\\").strip() for line in lock.splitlines() if line[:1].isalnum()]
    return "".join(f"{line}\n" for line in lines)


def serving_environment(*, with_models: bool = False) -> Environment:
    """What `./run` needs, the object store's client only if releases go to one.

    For models and baselines, and for the client, that is one more environment each, so that none
    unmakes another.
    """
    has_store = bool(os.environ.get(RELEASES_URL))
    prefix, lock = ("s3-", "s3.lock") if has_store else ("", "core.lock")
    if with_models:
        extras = _extras("neural", "baselines", "bertscore")
        return Environment(PRIVATE / f"{prefix}models-venv", REQUIREMENTS / lock, extras)
    return Environment(PRIVATE / f"{prefix}venv", REQUIREMENTS / lock)


def testing_environment() -> Environment:
    """What `./test` needs: the tools, and the extras that need torch."""
    additions = _extras("neural", "bertscore")
    return Environment(PRIVATE / "test-venv", REQUIREMENTS / "test.lock", additions)


def _extras(*names: str) -> tuple[str, ...]:
    """The requirements of these extras of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return tuple(one for name in names for one in project["optional-dependencies"][name])


def provide(environment: Environment) -> Path:
    """Make or renew the environment where needed; its Python.

    Raises InstallError when neither uv nor pip could.
    """
    if not environment.is_current():
        busy = "Waiting for another command to finish installing …"
        with waiting_turn(PRIVATE / "installing", waiting=busy):
            if not environment.is_current():
                _make(environment)
    return environment.python


def _make(environment: Environment) -> None:
    begun = time.monotonic()
    note(f"Installing {environment.lock.name} into {environment.folder} …")
    environment.stamp.unlink(missing_ok=True)
    environment.constraints.write_text(pinned_versions(environment.lock.read_text()))
    try:
        installers.with_uv(environment.folder, environment.steps())
    except InstallError as failure:
        note(f"uv is not available here ({failure}); using venv and pip, which takes longer …")
        installers.with_pip(environment.folder, environment.steps())
    environment.stamp.write_text(environment.fingerprint())
    note(f"Installed in {time.monotonic() - begun:.0f} s.")
