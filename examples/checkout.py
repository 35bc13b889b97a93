"""Shared by the examples: the commands of this checkout, a site of their own, simulated people.

Simulated people stand in for raters so that an example can be run from end to end. Draw no
conclusions from their figures. The same seed makes the same ratings of the same items.
"""

import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from examples.rater import Rater

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 60
Result = TypeVar("Result")
Judge = Callable[[Mapping[str, Any], str, random.Random], Mapping[str, Any]]
"""The form that a rater of this name fills in for an item."""


class Step:
    """Prints what is done and how long it took."""

    def __init__(self) -> None:
        self._begun = time.perf_counter()

    def __call__(self, name: str, work: Callable[[], Result]) -> Result:
        begun = time.perf_counter()
        result = work()
        print(f"{name:42} {time.perf_counter() - begun:8.2f} s", flush=True)
        return result

    def total(self) -> None:
        print(f"{'altogether':42} {time.perf_counter() - self._begun:8.2f} s")


def working_folder(data: Path | None, name: str) -> Path:
    """The folder of `--data`, made if it is not there, or else a new one with a name like this.
    Ends the example if there is anything in it."""
    if data is None:
        return Path(tempfile.mkdtemp(prefix=f"tomahto-{name}-"))
    data.mkdir(parents=True, exist_ok=True)
    if any(data.iterdir()):
        raise SystemExit(f"--data {data}: is not empty; name a folder that is, or a new one")
    return data


class Tomahto:
    """The commands of this checkout, on a data folder of their own."""

    def __init__(self, data: Path) -> None:
        self.variables = {**os.environ, "TOMAHTO_DATA": str(data)}
        self._tokens: dict[str, str] = {}

    def manage(self, *arguments: object) -> Any:
        """Run a command with --json and return its document; what it says of errors is shown."""
        return json.loads(self.printed(*arguments, "--json"))

    def printed(self, *arguments: object) -> str:
        """Run a command and return what it prints; what it says of errors is shown."""
        command = [sys.executable, str(ROOT / "manage.py"), *map(str, arguments)]
        done = subprocess.run(  # noqa: S603 - our own commands
            command, env=self.variables, stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"{arguments[0]} failed")
        return done.stdout

    def migrate(self) -> None:
        self.printed("migrate", "--verbosity", "0")

    def rate(
        self, campaign: str, raters: int, judge: Judge, *, limit: int | None = None, seed: int = 0
    ) -> int:
        """Let so many simulated people rate over the API, all at once; how many ratings they gave.

        Each of them judges what `judge` makes of an item and a source of chance that is the same
        whenever this rater sees this item. `limit` is the most that each of them rates.
        """
        create = ("--campaign", campaign, "--role", "rater")
        members = [
            self.manage("create_member", f"rater-{n}", *create) for n in range(1, raters + 1)
        ]
        for member in members:  # who is in another campaign already has a token from there
            known = self._tokens.setdefault(member["username"], member["token"])
            member["token"] = member["token"] or known
        with self.site() as address, ThreadPoolExecutor(raters) as pool:
            counts = [
                pool.submit(_rate_as, address, campaign, member, judge, limit, seed)
                for member in members
            ]
            return sum(count.result() for count in counts)

    @contextmanager
    def site(self) -> Iterator[str]:
        """The address of a site on a free port, which is ended afterwards."""
        port = _free_port()
        server = [
            *(sys.executable, "-m", "gunicorn", "annotation_site.wsgi:application"),
            *("--worker-class", "gthread", "--workers", "2", "--threads", "4"),
            *("--bind", f"127.0.0.1:{port}", "--log-level", "warning"),
        ]
        process = subprocess.Popen(server, cwd=ROOT, env=self.variables)  # noqa: S603 - as above
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_until_ready(address, process)
            yield address
        finally:
            process.terminate()
            process.wait()


def _rate_as(
    address: str,
    campaign: str,
    member: Mapping[str, str],
    judge: Judge,
    limit: int | None,
    seed: int,
) -> int:
    rater, name = Rater(address, member["token"]), member["username"]
    done = 0
    while (limit is None or done < limit) and (work := rater.claim(campaign)):
        item = work["item"]
        draw = random.Random(f"{seed} {name} {item['question']} {item['candidate']}")  # noqa: S311
        rater.submit(work, dict(judge(item, name, draw)))
        done += 1
    rater.close()
    return done


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_until_ready(address: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/healthz", timeout=2):  # noqa: S310 - http
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise SystemExit("the site did not start")
