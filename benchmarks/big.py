"""A big campaign on PostgreSQL: raters, figures, explorer, export and release.

    python -m benchmarks.big [--items 20000] [--only PART]

DATABASE_URL names a PostgreSQL server; the campaign is loaded by COPY into a database of its own,
which is dropped at the end, with three ratings for each item. A million items take 4.7 GB.

    cycle      claim and submit beside the same in a campaign of 1,000 items: medians in ms
    agreement  all figures of the page *Agreement*, as a worker makes them
    explorer   the first page of 100 items and the count, for some filters
    export     ratings streamed as JSON lines: rows a second, and memory beyond that at the start
    release    the release of all items, and its memory

Each part runs in a process of its own. Seconds of the processor are those of that process and of
PostgreSQL's that serves it. The goals: a cycle within 1.5 times that of the small
campaign, 100,000 exported rows a second in memory that does not grow with the campaign.
"""

import argparse
import os
import statistics
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.explorer import HOURS, ask_all
from benchmarks.processor import Spent, peak
from benchmarks.timing import timed
from tests.site import running_site

SLUG, SMALL = "explored", "small"
_CYCLES, _SMALL_ITEMS = 300, 1000
_ASKED = ("nothing", "label", "rater and vote", "state: open", "order -share", "q: a rare word")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=20_000)
    options.add_argument("--only", choices=PARTS, help="this part alone")
    given = options.parse_args()
    if not os.environ.get("DATABASE_URL"):
        raise SystemExit("DATABASE_URL names no PostgreSQL server")
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder), start=False) as site,
    ):
        for part in ("make", given.only) if given.only else ("make", *PARTS):
            code = f"from benchmarks.big import run\nrun({part!r}, {given.items})"
            print(site.python(code, seconds=HOURS).rstrip(), flush=True)


def run(part: str, items: int) -> None:
    """Within a site: one part."""
    ({"make": _make} | dict(PARTS))[part](items)


def _make(items: int) -> None:
    from django.db import connection

    from benchmarks.campaigns.explored_campaign import make_explored_campaign
    from benchmarks.campaigns.open_campaign import make_open_campaign
    from tasks.explorer.workflow.refreshing import refresh_all

    loading, (seeing, _blind) = timed(lambda: make_explored_campaign(SLUG, items))
    refreshing, _done = timed(lambda: refresh_all(campaign=seeing.campaign))
    make_open_campaign(SMALL, items=_SMALL_ITEMS, overlap=3, raters=0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        size = cursor.fetchone()[0] / 1e9
    times = f"loaded in {loading:.0f} s, summaries in {refreshing:.0f} s"
    print(f"{items:,} items: {times}, {size:.2f} GB on the disk")


def _cycle(items: int) -> None:
    from tasks.campaigns.workflow.campaign import add_member
    from tasks.models import Campaign, User

    user = User.objects.create_user("quick")
    members = {
        slug: add_member(campaign=Campaign.objects.get(slug=slug), user=user, role="rater")
        for slug in (SMALL, SLUG)
    }
    took: dict[str, list[float]] = {slug: [] for slug in members}
    for number in range(min(_CYCLES, items // 20)):  # one item of 20 is open
        for slug, member in members.items():
            took[slug].append(timed(lambda: _rate(member, f"{slug}-{number}"))[0] * 1000)  # noqa: B023 - called at once
    small, big = (statistics.median(took[slug]) for slug in (SMALL, SLUG))
    of = f"{small:.1f} ms of {_SMALL_ITEMS:,} items, {big:.1f} ms of all"
    print(f"cycle      {of}: {big / small:.2f} times")


def _rate(member: Any, key: str) -> None:
    from tasks.rating.workflow.assignment import claim_item
    from tasks.rating.workflow.rating import submit_rating

    claim = claim_item(membership=member)
    assert claim is not None
    submit_rating(
        assignment_id=claim.assignment_id,
        membership=member,
        answers={"q1": "no", "q2": "yes"},
        idempotency_key=key,
    )


def _agreement(_items: int) -> None:
    from tasks.agreement.figures.agreement_figures import agreement_figures
    from tasks.models import Campaign

    campaign, spent = Campaign.objects.get(slug=SLUG), Spent()
    seconds, _figures = timed(lambda: agreement_figures(campaign))
    print(f"agreement  {seconds:.1f} s, of the processor {spent}")


def _explorer(_items: int) -> None:
    from tasks.models import Membership

    seeing, blind = (
        Membership.objects.get(campaign__slug=SLUG, user__username=name)
        for name in ("seeing", "blind")
    )
    ask_all(seeing, blind, 3, _ASKED)


def _export(_items: int) -> None:
    from tasks.models import Campaign
    from tasks.rating.workflow.exports import export_ratings
    from tasks.web.downloads import in_batches

    campaign, before, spent = Campaign.objects.get(slug=SLUG), peak(), Spent()

    def all_rows() -> int:
        lines = export_ratings(campaign=campaign)
        return sum(batch.count(b"\n") for batch in in_batches(lines))

    seconds, rows = timed(all_rows)
    rates = f"{rows / seconds:,.0f} rows a second, {rows / spent.own:,.0f} of the processor"
    print(f"export     {rates} ({spent}), {peak() - before:.0f} MiB")


def _release(_items: int) -> None:
    from exporters.plan import ReleasePlan
    from tasks.models import Campaign
    from tasks.releases.workflow.release import publish_release

    campaign, before, spent = Campaign.objects.get(slug=SLUG), peak(), Spent()
    plan = ReleasePlan(version="1.0.0", split="document:dev=30,test=70", seed=0)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        seconds, _done = timed(lambda: publish_release(campaign=campaign, plan=plan, out=out))
    print(f"release    {seconds:.0f} s, of the processor {spent}, {peak() - before:.0f} MiB")


PARTS: Mapping[str, Callable[[int], None]] = {
    "cycle": _cycle,
    "agreement": _agreement,
    "explorer": _explorer,
    "export": _export,
    "release": _release,
}

if __name__ == "__main__":
    main()
