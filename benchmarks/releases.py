"""The cost of releases, by part and by size: `python -m benchmarks.releases`.

    python -m benchmarks.releases [--items 200 20000 100000] [--protocol ae] [--data DIR]

A campaign of each size is made, three ratings of every item, ten items of a question, ten questions
of a document, and released in a process of its own: the processor's time of the parts, and how much
memory the process had at most. A small campaign is released three times, of which the last counts:
the first loads what loads late, Matplotlib above all. Databases are SQLite in temporary folders
below DIR, or an empty one that DATABASE_URL names, for one size; a million items take 2 GB there,
and their release 8 GB.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

_PER_QUESTION, _OVERLAP, _SMALL = 10, 3, 2000
_PARTS = {
    "read": ("tasks.releases.workflow.release", "release_content"),
    "label": ("tasks.releases.workflow.release", "planned_with_progress"),
    "figures": ("exporters.release", "figures_of"),
    "tables": ("exporters.release", "write_table"),
    "formats": ("exporters.release", "write_formats"),
    "charts": ("tomahto.releases.documents.document_files", "chart_files"),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, nargs="+", default=[200, 20_000, 100_000])
    options.add_argument("--protocol", default="ae")
    options.add_argument("--data", help="where the temporary folders are made")
    options.add_argument("--part", choices=("make", "release"), help=argparse.SUPPRESS)
    given = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation_site.settings")
    if given.part == "make":
        _make(given.items[0], given.protocol)
        return
    if given.part == "release":
        print(json.dumps(_released(given.items[0])))
        return
    for items in given.items:
        with tempfile.TemporaryDirectory(dir=given.data) as folder:
            asked = ["--items", str(items), "--protocol", given.protocol]
            for part in ("make", "release"):
                done = subprocess.run(
                    [sys.executable, "-m", "benchmarks.releases", "--part", part, *asked],
                    env=os.environ | {"TOMAHTO_DATA": folder, "TMPDIR": folder},
                    check=True,
                    stdout=subprocess.PIPE,
                )
            seconds, peak = json.loads(done.stdout)
            parts = ", ".join(f"{name} {spent:.2f}" for name, spent in seconds.items())
            print(f"{items:9,} items: seconds {parts}; {peak >> 20:,} MiB at most", flush=True)


def _make(items: int, protocol: str) -> None:
    import django

    django.setup()
    from django.core.management import call_command

    from benchmarks.campaigns.rated import make_rated_campaign

    call_command("migrate", verbosity=0)
    questions = max(1, items // _PER_QUESTION)
    make_rated_campaign(
        "bench", protocol=protocol, items=items, overlap=_OVERLAP, questions=questions
    )


def _released(items: int) -> tuple[dict[str, float], int]:
    """Seconds of the last release by part, and the process's peak in bytes."""
    import django

    django.setup()
    from exporters.planned_release import ReleasePlan
    from tasks.models import Campaign
    from tasks.releases.workflow.release import publish_release
    from tomahto.releases.verification.verify import verify_release

    campaign = Campaign.objects.get(slug="bench")
    for number in range(3 if items <= _SMALL else 1):
        out = Path(os.environ["TMPDIR"], f"release-{number}")
        plan = ReleasePlan(version=f"{number + 1}.0.0", split="document:dev=30,test=70", seed=1)
        with _measured() as seconds:
            begun = time.process_time()
            publish_release(campaign=campaign, plan=plan, out=out)
            whole = time.process_time() - begun
        peak = _peak()
        begun = time.process_time()
        assert items > _SMALL or not verify_release(out)
        verified = time.process_time() - begun
    rest = whole - sum(seconds.values())
    checked = {"verify": verified} if items <= _SMALL else {}
    return {"whole": whole} | seconds | {"rest": rest} | checked, peak


@contextmanager
def _measured() -> Iterator[dict[str, float]]:
    """The processor's seconds that _PARTS take meanwhile."""
    seconds: dict[str, float] = defaultdict(float)

    def clocked(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **options: Any) -> Any:
            begun = time.process_time()
            try:
                return work(*args, **options)
            finally:
                seconds[name] += time.process_time() - begun

        return run

    patches = []
    for name, (module, function) in _PARTS.items():
        work = getattr(sys.modules[module], function)
        patches.append(mock.patch(f"{module}.{function}", clocked(name, work)))
    for patch in patches:
        patch.start()
    try:
        yield seconds
    finally:
        for patch in patches:
            patch.stop()


def _peak() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("VmHWM:"))
    return int(line.split()[1]) << 10


if __name__ == "__main__":
    main()
