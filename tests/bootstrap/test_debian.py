import subprocess
from pathlib import Path

import pytest

from bootstrap.programs import ProgramNotFoundError, unpack_package, wrap

# Writes down what it was asked for, and downloads one "package" into the private cache.
APT_GET = """#!/bin/sh
echo "$@" >> {calls}
case "$*" in *install*) {download} ;; esac
"""
# `dpkg -x archive folder` makes one file.
DPKG = """#!/bin/sh
{before}
mkdir -p "$3/usr/bin" && cp "$2" "$3/usr/bin/server"
"""


class Machine:
    """A path with a pretended apt-get and dpkg, and the folder to unpack into."""

    def __init__(self, folder: Path) -> None:
        self.programs = folder / "programs"
        self.programs.mkdir()
        self.calls = folder / "calls"
        self.calls.touch()
        self.debian, self.status = folder / "debian", folder / "status"
        self.archive = self.debian / "cache" / "archives" / "server_1_all.deb"
        self.install(
            "apt-get", APT_GET.format(calls=self.calls, download=f"echo ok > {self.archive}")
        )
        self.install("dpkg", DPKG.format(before=""))

    def install(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def unpack(self) -> Path:
        return unpack_package("server", self.debian, status=self.status)

    @property
    def asked(self) -> list[str]:
        return self.calls.read_text().splitlines()


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setenv("PATH", f"{made.programs}:/usr/bin:/bin")
    return made


def test_package_is_downloaded_once_into_a_private_state(machine: Machine, tmp_path: Path) -> None:
    root = machine.unpack()
    assert machine.unpack() == root == tmp_path / "debian" / "server"
    assert (root / "usr" / "bin" / "server").read_text() == "ok\n"
    update, install = machine.asked
    assert update.endswith(" update")
    assert install.endswith(" install --yes --no-install-recommends --download-only server")
    for call in (update, install):
        assert f"-o Dir::State={tmp_path}/debian/state " in call
        assert f"-o Dir::Cache={tmp_path}/debian/cache " in call
        assert f"-o Dir::State::status={tmp_path}/status " in call


def test_interrupted_unpacking_is_repeated(machine: Machine) -> None:
    machine.install("dpkg", DPKG.format(before="exit 1"))
    with pytest.raises(subprocess.CalledProcessError):
        machine.unpack()
    machine.install("dpkg", DPKG.format(before=""))
    assert (machine.unpack() / "usr" / "bin" / "server").exists()


def test_refused_download_says_why(machine: Machine) -> None:
    refusal = "echo 'E: Unable to locate package server' >&2; exit 100"
    machine.install("apt-get", APT_GET.format(calls=machine.calls, download=refusal))
    with pytest.raises(
        ProgramNotFoundError, match="cannot download server: E: Unable to locate package"
    ):
        machine.unpack()


def test_package_the_machine_has_already_cannot_be_unpacked(machine: Machine) -> None:
    machine.install("apt-get", APT_GET.format(calls=machine.calls, download="true"))
    with pytest.raises(ProgramNotFoundError, match="server is installed on this machine"):
        machine.unpack()


def test_machine_without_apt_get_is_told_so(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine.programs / "apt-get").unlink()
    monkeypatch.setenv("PATH", str(machine.programs))
    with pytest.raises(ProgramNotFoundError, match="no apt-get and dpkg"):
        machine.unpack()


def test_wrapper_runs_the_program_with_its_libraries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "with space"
    program = root / "usr" / "bin" / "server"
    libraries = root / "usr" / "lib" / "x86_64-linux-gnu"
    program.parent.mkdir(parents=True)
    (libraries / "pulseaudio").mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$LD_LIBRARY_PATH|$$|$*"\n')
    program.chmod(0o755)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/own")
    with subprocess.Popen(
        [wrap(root, program), "--port", "1 2"], stdout=subprocess.PIPE, text=True
    ) as process:
        output, _ = process.communicate()
    # The same process id: signals to what was started reach the program itself.
    assert output == f"{libraries}:{libraries}/pulseaudio:/own|{process.pid}|--port 1 2\n"
