"""A fresh clone of the checkout, and folders to type commands of its documentation in."""

import os
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from bootstrap.system import PRIVATE, ROOT, waiting_turn

READY_SECONDS = 240  # it installs what it needs first
STOP_SECONDS = 30
TYPING_SECONDS = 240
_DOWNLOADED = ("cache", "tools")  # what a first start would download
_SITE = ("DATABASE_URL", "DJANGO_SETTINGS_MODULE", "PYTHONPATH", "PYTHONPYCACHEPREFIX")


class Clone:
    """The checkout's files in a folder of their own, started once, so that the demo is there.

    It installs its own environment. Several processes may ask for the same folder.
    """

    def __init__(self, folder: Path) -> None:
        self.checkout = folder / "checkout"
        self.data = folder / "data"
        self.folder = folder
        with waiting_turn(folder / "making", waiting="another process is making a clone …"):
            if not (folder / "made").exists():
                self._copy()
                self._start_once()
                (folder / "made").touch()

    def _copy(self) -> None:
        listing = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
        names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, names.decode().split("\0")):
            if (ROOT / name).is_file():
                target = self.checkout / name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, target)
        for name in _DOWNLOADED:
            if (PRIVATE / name).is_dir():
                shutil.copytree(
                    PRIVATE / name, self.checkout / ".tomahto" / name, copy_function=os.link
                )

    def desk(self, name: str) -> tuple[Path, Path]:
        """A folder that looks like the checkout, and data of its own as the first start left it."""
        folder = self.folder / "desks" / name
        folder.mkdir(parents=True)
        for entry in self.checkout.iterdir():
            (folder / entry.name).symlink_to(entry)
        data = self.folder / "desks" / f"{name}-data"
        shutil.copytree(self.data, data)
        return folder, data

    def _start_once(self) -> None:
        """Let `./run` serve until it is ready, then stop it as Ctrl-C would."""
        port = _free_port()
        with (self.folder / "run.log").open("wb") as log:
            process = subprocess.Popen(
                ["./run", "--port", str(port)],
                cwd=self.checkout,
                env=variables(self.data),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            _await_ready(f"http://127.0.0.1:{port}/readyz", process)
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)


def variables(data: Path) -> dict[str, str]:
    """The environment of somebody who has set nothing, but whose data is here."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in _SITE and not name.startswith("TOMAHTO_")
    }
    openssh = os.environ.get("TOMAHTO_TEST_OPENSSH_BIN", "")
    path = os.pathsep.join(filter(None, (kept["PATH"], openssh)))
    return kept | {"TOMAHTO_DATA": str(data), "HF_HUB_OFFLINE": "1", "PATH": path}


def type_in(folder: Path, text: str, environment: Mapping[str, str]) -> str:
    """Type a block into a shell that stops at the first failure; what was printed.

    Raises AssertionError with all of it.
    """
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TYPING_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}"
    return done.stdout


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await_ready(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, "./run ended on its own"
        try:
            with urllib.request.urlopen(address, timeout=2):  # noqa: S310 - http
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError("./run did not become ready")
