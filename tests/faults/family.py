"""./run over a site of the tests: its processes, and how they come and go."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.faults.supervised import children
from tests.site import ROOT, Site

WITHIN = 60.0  # seconds
SCHEDULER = "tomahto-schedul"  # as long as Linux lets names be
CHILDREN = {"tomahto-web", "tomahto-worker", SCHEDULER}
# in the environment of the tests, which has been installed
RUN = """
import sys
from pathlib import Path
from bootstrap import commands, environment
environment.provide = lambda wanted: Path(sys.executable)
sys.exit(commands.run(sys.argv[1:]))
"""


def await_that(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WITHIN
    while not is_so():
        assert time.monotonic() < deadline
        time.sleep(0.05)


class Family:
    """./run, and everybody it has forked. What it says is kept over several lives of it."""

    def __init__(self, site: Site) -> None:
        self.site = site
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", RUN, "--port", str(site.port), "--data", str(site.folder)],
                cwd=ROOT,
                env=site.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    @property
    def log(self) -> Path:
        return self.site.folder / "run.log"

    def children(self) -> dict[str, int]:
        """The processes it has forked itself, by name."""
        named = {}
        for pid in children(self.process.pid):
            with suppress(FileNotFoundError):  # ended meanwhile
                named[Path(f"/proc/{pid}/comm").read_text().strip()] = pid
        return named

    def await_ready(self) -> None:
        """Returns once all of it is there, the scheduler heard of included."""
        await_that(lambda: self.site.readiness().get("status") == 200)

    def stop(self) -> int:
        """As Ctrl-C; the exit status."""
        self.process.terminate()
        return self.process.wait(WITHIN)


@contextmanager
def family_of(site: Site) -> Iterator[Family]:
    """Stopped at the end, however the test ends."""
    family = Family(site)
    try:
        yield family
    finally:
        if family.process.poll() is None:
            family.stop()


def everybody(pid: int) -> set[int]:
    """A process with all that descend from it."""
    return {pid}.union(*(everybody(child) for child in children(pid)))


def is_there(pid: int) -> bool:
    """Whether it has not ended; one whose parent has not looked yet has."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def proportional_size(pid: int) -> float:
    """What a process takes of memory in MB; of what it shares, its part."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024
