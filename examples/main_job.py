"""The main job, from the command line: questions in, a verified release of human ratings out.

    python examples/main_job.py QUESTIONS.json [--raters 3] [--items N] [--data DIR]

QUESTIONS.json is a SQuAD file. The baseline answerer answers every question, matchers score what
comes of it, and raters that are programs judge the items over the API of a site that is started
for them. Agreement is measured, a release is made and verified. Each step is printed with the
seconds it took.

The raters stand in for people: each compares token F1, blurred by noise of its own, with a
threshold of its own. Draw no conclusions from their figures. The same seed makes the same
ratings of the same items.

Run it with the Python that has Tomahto's packages installed; nothing else is needed.
"""

import argparse
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

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from examples.rater import Rater
from tomahto.text.normalisation import token_overlap

ROOT = Path(__file__).resolve().parents[1]
CAMPAIGN = "main-job"
START_SECONDS = 60
NOISE = 0.15  # standard deviation of what a rater takes token F1 for
Result = TypeVar("Result")


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


class Tomahto:
    """The commands of this checkout, on a data folder of their own."""

    def __init__(self, data: Path) -> None:
        self.variables = {**os.environ, "TOMAHTO_DATA": str(data)}

    def manage(self, *arguments: object) -> Any:
        """Run a command with --json and return its document; what it says of errors is shown."""
        command = [sys.executable, ROOT / "manage.py", *map(str, arguments), "--json"]
        done = subprocess.run(  # noqa: S603 - our own commands
            command, env=self.variables, stdout=subprocess.PIPE, check=False
        )
        if done.returncode:
            raise SystemExit(f"{arguments[0]} failed")
        return json.loads(done.stdout)

    def migrate(self) -> None:
        command = [sys.executable, ROOT / "manage.py", "migrate", "--verbosity", "0"]
        subprocess.run(command, env=self.variables, check=True)  # noqa: S603 - our own command

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


def main() -> None:
    options = _options()
    data = options.data or Path(tempfile.mkdtemp(prefix="tomahto-main-job-"))
    tomahto, step = Tomahto(data), Step()
    step("database made", tomahto.migrate)
    make_items(tomahto, step, options.questions, options.raters)
    ratings = step("items rated over the API", lambda: rate(tomahto, options))
    print(f"  {ratings} ratings by {options.raters} raters")
    publish(tomahto, step, data / "release")
    step.total()
    print(f"all of it is in {data}")


def make_items(tomahto: Tomahto, step: Step, questions: Path, overlap: int) -> None:
    """A campaign with the questions, the baseline's candidates and the matchers' scores."""
    manage = tomahto.manage
    create = ("create_campaign", CAMPAIGN, "--protocol", "ae", "--overlap", overlap)
    step("campaign created", lambda: manage(*create))
    intake = step(
        "questions imported",
        lambda: manage("import_questions", CAMPAIGN, questions, "--format", "squad"),
    )
    print("  {questions} questions, {unanswerable} of them unanswerable".format(**intake))
    step(
        "questions answered by the baseline",
        lambda: manage("prefill", CAMPAIGN, "--answerer", "lexical", "--wait"),
    )
    filled = step("items scored by the matchers", lambda: manage("prefill", CAMPAIGN, "--wait"))
    print(f"  {filled['jobs'][0]['result']['items']} items")


def rate(tomahto: Tomahto, options: argparse.Namespace) -> int:
    """Let every rater rate, all at once; how many ratings they gave."""
    tokens = [
        tomahto.manage("create_member", f"rater-{n}", "--campaign", CAMPAIGN, "--role", "rater")
        for n in range(1, options.raters + 1)
    ]
    with tomahto.site() as address, ThreadPoolExecutor(options.raters) as pool:
        counts = [
            pool.submit(_rate_as, address, member, options.items, options.seed) for member in tokens
        ]
        return sum(count.result() for count in counts)


def _rate_as(address: str, member: Mapping[str, str], limit: int | None, seed: int) -> int:
    rater = Rater(address, member["token"])
    threshold = random.Random(f"{seed} {member['username']}").uniform(0.45, 0.65)  # noqa: S311
    done = 0
    while (limit is None or done < limit) and (work := rater.claim(CAMPAIGN)):
        item = work["item"]
        draw = random.Random(f"{seed} {member['username']} {item['question']} {item['candidate']}")  # noqa: S311
        rater.submit(work, judge(item, threshold, draw))
        done += 1
    rater.close()
    return done


def judge(item: Mapping[str, Any], threshold: float, draw: random.Random) -> dict[str, bool]:
    """The answers to Q1-Q4 in the order they are asked: each closes or opens the next."""
    overlap = token_overlap(item["candidate"], item["references"][0])
    felt = overlap.f1 + draw.gauss(0, NOISE)
    if felt >= threshold:
        return {"q1": False, "q2": True}
    if overlap.f1 == 0:
        return {"q1": True}
    return {
        "q1": False,
        "q2": False,
        "q3": overlap.recall < 1,
        "q4": overlap.precision < 1,
    }


def publish(tomahto: Tomahto, step: Step, folder: Path) -> None:
    """Measure, release, verify."""
    manage = tomahto.manage
    report = step("agreement measured", lambda: manage("agreement", CAMPAIGN))
    alpha = report["alpha"]
    if alpha["value"] is None:
        print(f"  Krippendorff's alpha is undefined: {alpha['reason']}")
    else:
        print("  Krippendorff's alpha {value:.3f} [{low:.3f}, {high:.3f}]".format(**alpha))
    split = ("--split", "document:dev=30,test=70")
    release = step(
        "released",
        lambda: manage("release", CAMPAIGN, "--version", "1.0.0", *split, "--out", folder),
    )
    print("  {items} items, {ratings} ratings, digest {digest}".format(**release))
    step("release verified", lambda: manage("verify_release", folder))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", type=Path, help="a SQuAD file")
    parser.add_argument("--raters", type=int, default=3, help="default 3")
    parser.add_argument("--items", type=int, metavar="N", help="each rater rates at most so many")
    parser.add_argument("--seed", type=int, default=0, help="of the raters; default 0")
    parser.add_argument("--data", type=Path, help="an empty folder to work in; default a new one")
    return parser.parse_args()


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


if __name__ == "__main__":
    main()
