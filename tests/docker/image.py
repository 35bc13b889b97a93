"""Images without a container engine: mmdebstrap and buildah, unpacked and not installed.

Everything lies in one folder. As root, on a machine with Debian's sources.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from bootstrap.debian import debian_folder
from tests.docker.compose import FOLDER
from tests.site import ROOT

BASE = "localhost/python"
IMAGE = "localhost/tomahto"
BUILD_SECONDS = 1800
_LIBRARIES = f"/usr/lib/{os.uname().machine}-linux-gnu"
_LEFT_OUT = ("/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*")
# programs of an image find libraries in the usual place alone; nobody but buildah sees them there
_WITH_LIBRARIES = (
    f"mount -t overlay overlay -o lowerdir=$0:{_LIBRARIES} {_LIBRARIES}"
    ' && export PATH="$1:$PATH" && shift && exec "$@"'
)
CERTIFICATES = "/etc/ssl:/etc/ssl:ro"


class Images:
    """What buildah keeps in a folder: images, and containers made of them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._buildah = debian_folder().provide("buildah")
        self._settings = {
            "policy.json": '{"default": [{"type": "insecureAcceptAnything"}]}',
            "registries.conf": "",
            "containers.conf": "",
        }
        for name, text in self._settings.items():
            (folder / name).write_text(text)

    def make_base(self) -> None:
        """Debian with its Python, as the image that the Dockerfile starts from."""
        archive = self._folder / "base.tar"
        package = debian_folder().provide("mmdebstrap") / "usr"
        excluded = [f"--dpkgopt=path-exclude={path}" for path in _LEFT_OUT]
        _run(
            [
                *("mmdebstrap", "--mode=root", "--variant=minbase", *excluded),
                *("--include=python3-venv,ca-certificates", "bookworm", str(archive)),
            ],
            {
                "PATH": f"{package / 'bin'}:{os.environ['PATH']}",
                "PERL5LIB": str(package / "share" / "perl5"),
            },
        )
        container = self.buildah("from", "scratch").strip()
        self.buildah("add", container, str(archive), "/")
        self.buildah("run", container, "--", "ln", "-s", "python3", "/usr/bin/python")
        self.buildah("commit", container, BASE)
        self.buildah("rm", container)
        archive.unlink()

    def build(self) -> None:
        """The image of docker/Dockerfile; packages come from the index that this machine uses."""
        self.buildah(
            *("bud", "--network", "host", "--volume", CERTIFICATES),
            *("--env", "PIP_CERT=/etc/ssl/certs/ca-certificates.crt"),
            *("--build-arg", f"PYTHON_IMAGE={BASE}", "--tag", IMAGE),
            *("--file", str(FOLDER / "Dockerfile"), str(ROOT)),
        )

    def size(self, image: str) -> int:
        """Bytes of an image's files."""
        container = self.buildah("from", image).strip()
        printed = self.buildah("run", "--user=0", container, "--", "du", "-sxb", "/")
        self.buildah("rm", container)
        return int(printed.split()[0])

    def container(self) -> str:
        """A new container of the built image."""
        return self.buildah("from", IMAGE).strip()

    def buildah(self, *arguments: str) -> str:
        """Run buildah to its end; what it prints."""
        return _run(self.command(*arguments), self.environment())

    def command(self, verb: str, *arguments: str) -> list[str]:
        """How buildah is started, with its libraries where it looks for them."""
        signed = ("bud", "from", "commit")
        policy = ["--signature-policy", str(self._folder / "policy.json")] if verb in signed else []
        libraries = f"{self._buildah}{_LIBRARIES}"
        return [
            *("unshare", "--mount", "sh", "-c", _WITH_LIBRARIES),
            *(libraries, str(self._buildah / "usr" / "bin")),
            *("buildah", "--root", str(self._folder / "store")),
            *("--runroot", str(self._folder / "run")),
            *("--registries-conf", str(self._folder / "registries.conf")),
            *(verb, *policy, *arguments),
        ]

    def environment(self) -> dict[str, str]:
        return {
            **os.environ,
            "STORAGE_DRIVER": "vfs",
            "BUILDAH_ISOLATION": "chroot",
            "CONTAINERS_CONF": str(self._folder / "containers.conf"),
        }


def _run(command: Sequence[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=BUILD_SECONDS,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{' '.join(command)}:\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout
