"""Debian packages, downloaded and unpacked into a folder: no root, nothing installed.

apt-get works on the machine's own list of sources, with a state and a cache of its own; it
resolves what the machine lacks, and dpkg unpacks that. Scripts in `wrappers` set the library path.
"""

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bootstrap import BootstrapError
from bootstrap.console import note
from bootstrap.mutex import waiting_turn
from bootstrap.places import program_folder

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
