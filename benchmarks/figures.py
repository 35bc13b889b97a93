"""What each dashboard's figures take of a worker's processor: `python -m benchmarks.figures`.

    python -m benchmarks.figures [--items 200000] [--overlap 10] [--only NAME …]

A campaign on SQLite, and on PostgreSQL where DATABASE_URL names a server, with so many ratings for
each item. Each dashboard's figures are made as a worker makes them, one after the other: what
several are made of is read for the first. Seconds are those of the processor, of PostgreSQL's
process apart; memory is the peak beyond that at the start. What the figures are is shown by a hash,
so that two versions can be compared.
"""

import argparse
import hashlib
import json
import time
from collections.abc import Sequence

from benchmarks.explorer import HOURS
from benchmarks.processor import Spent, peak
from benchmarks.sites import each_site
from benchmarks.timing import timed

SLUG = "figures"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=200_000)
    options.add_argument("--overlap", type=int, default=10)
    options.add_argument("--only", nargs="+", default=[], help="these dashboards alone")
    given = options.parse_args()
    for name, site in each_site():
        for call in (f"make({given.items}, {given.overlap})", f"measure({given.only!r})"):
            code = f"from benchmarks.figures import *\n{call}"
            print(f"{name}\n{site.python(code, seconds=HOURS).rstrip()}", flush=True)


def make(items: int, overlap: int) -> None:
    """Within a site: the campaign."""
    from benchmarks.campaigns.explored_campaign import make_explored_campaign

    seconds, _members = timed(lambda: make_explored_campaign(SLUG, items, overlap))
    print(f"{items:,} items of {overlap} ratings: loaded in {seconds:.0f} s")


def measure(only: Sequence[str]) -> None:
    """Within a site: every dashboard's figures."""
    from tasks.agreement.figures.figures import FIGURES
    from tasks.models import Campaign
    from tasks.votes.one_reading import one_reading

    campaign, begun, before = Campaign.objects.get(slug=SLUG), time.process_time(), peak()
    with one_reading():
        for name in only or FIGURES:
            spent = Spent()
            content = json.dumps(FIGURES[name](campaign), allow_nan=False)
            digest = hashlib.sha256(content.encode()).hexdigest()[:12]
            print(f"{name:12} {spent}, {peak() - before:.0f} MiB, {digest}", flush=True)
    print(f"{'all':12} {time.process_time() - begun:.1f} s")


if __name__ == "__main__":
    main()
