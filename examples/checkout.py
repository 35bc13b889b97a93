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
from argparse import ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from examples.rater import Rater

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 60
Result = TypeVar("Result")
Judge = Callable[[Mapping[str, Any], str, random.Random], Mapping[str, Any]]
"""The form that a rater of this name fills in for an item."""


def system_and_file(text: str) -> tuple[str, Path]:
    """An option's SYSTEM=FILE."""
    system, equals, path = text.partition("=")
    if not equals:
        raise ArgumentTypeError(f"{text!r} is not SYSTEM=FILE")
    return system, Path(path)


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
    """The commands of this checkout, on a data folder of their own. Of each step it prints what is
    done and how long it took."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.variables = {**os.environ, "TOMAHTO_DATA": str(data)}
        self._tokens: dict[str, str] = {}
        self._begun = time.perf_counter()

    def step(self, name: str, *arguments: object) -> Any:
        """A step that is a command, run as by `manage`."""
        return self.timed(name, lambda: self.manage(*arguments))

    def timed(self, name: str, work: Callable[[], Result]) -> Result:
        begun = time.perf_counter()
        result = work()
        print(f"{name:42} {time.perf_counter() - begun:8.2f} s", flush=True)
        return result

    def total(self) -> None:
        print(f"{'altogether':42} {time.perf_counter() - self._begun:8.2f} s")

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
        self.timed("database made", lambda: self.printed("migrate", "--verbosity", "0"))

    def measure_agreement(self, campaign: str) -> None:
        alpha = self.step("agreement measured", "agreement", campaign)["alpha"]
        if alpha["value"] is None:
            print(f"  Krippendorff's alpha is undefined: {alpha['reason']}")
        else:
            print("  Krippendorff's alpha {value:.3f} [{low:.3f}, {high:.3f}]".format(**alpha))

    def release(self, campaign: str, folder: Path, *options: object, name: str = "released") -> Any:
        """Make version 1.0.0 in the folder and verify it; what the verification says."""
        place = ("--version", "1.0.0", *options, "--out", folder)
        made = self.step(name, "release", campaign, *place)
        print("  {items} items, {ratings} ratings, digest {digest}".format(**made))
        return self.step("release verified", "verify_release", folder)

    def name_endpoint(
        self, name: str, url: str, model: str, key_variable: str | None, per_minute: int | None
    ) -> None:
        """In `answerers.toml`; an address of this machine or its network has to be allowed."""
        said = {"kind": "endpoint", "url": url, "model": model}
        said |= {"key_variable": key_variable} if key_variable else {}
        lines = [f"[{name}]", *(f"{key} = {json.dumps(text)}" for key, text in said.items())]
        lines += [f"requests_per_minute = {per_minute}"] if per_minute else []
        (self.data / "answerers.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        allowed = [os.environ.get("TOMAHTO_OUTGOING_ALLOWED", ""), urlsplit(url).netloc]
        self.variables["TOMAHTO_OUTGOING_ALLOWED"] = ",".join(filter(None, allowed))

    def rate(
        self,
        name: str,
        campaign: str,
        raters: int,
        judge: Judge,
        *,
        limit: int | None = None,
        seed: int = 0,
    ) -> None:
        """A step in which so many simulated people rate over the API, all at once.

        Each of them judges what `judge` makes of an item and a source of chance that is the same
        whenever this rater sees this item. `limit` is the most that each of them rates.
        """
        create = ("--campaign", campaign, "--role", "rater")

        def ratings() -> int:
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

        print(f"  {self.timed(name, ratings)} ratings by {raters} raters")

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
