"""A disk of a few megabytes that can be filled or made read-only, in a name space of its own."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class SmallDisk:
    """`inside` is where processes of the name space see it, `outside` where the test does."""

    def __init__(self, holder: int, inside: Path) -> None:
        self.inside = inside
        self.outside = Path(f"/proc/{holder}/root{inside}")
        self.enter = (
            *("nsenter", "--target", str(holder), "--mount", "--user"),
            "--preserve-credentials",
        )

    def fill(self) -> None:
        """Leave no byte of room."""
        with (self.outside / "filler").open("wb", buffering=0) as file:
            for size in (1 << 16, 1 << 12, 1):
                self._fill(file.fileno(), size)

    def _fill(self, file: int, size: int) -> None:
        while True:
            try:
                os.write(file, b"x" * size)
            except OSError:
                return

    def make_room(self) -> None:
        (self.outside / "filler").unlink()

    def remount(self, how: str) -> None:
        """`ro` or `rw`; not `ro` while somebody has a file open to write."""
        line = ("mount", "-o", f"remount,{how}", str(self.inside))
        subprocess.run([*self.enter, *line], check=True, timeout=30)


@contextmanager
def small_disk(place: Path, *, megabytes: int = 24) -> Iterator[SmallDisk]:
    """Mounted at `place` for those who enter; gone with the last of them."""
    place.mkdir()
    script = f'mount -t tmpfs -o size={megabytes}m none "$0" && echo mounted && exec cat'
    holder = subprocess.Popen(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert holder.stdin is not None
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"mounted\n"
        yield SmallDisk(holder.pid, place)
    finally:
        holder.stdin.close()
        holder.wait(30)
        holder.stdout.close()
