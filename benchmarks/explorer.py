"""The data explorer over a large campaign: how fast each kind of question is answered.

    python -m benchmarks.explorer [--items 1000000] [--times 5]

A campaign with three ratings for each item; on SQLite, and on PostgreSQL where DATABASE_URL names a
server. First the summaries are worked out, once for all items. Then each question is asked
`--times` times, each time in another place of the list where there are more: the page of 100 rows
with all that they show, and the count up to 10,000, as the explorer's page asks for both. Prints
median and 95th percentile of both together for each kind, and over all; on PostgreSQL once more
while its planner takes every table for empty, as it does after rows of it were rolled back. The
goal is a 95th percentile of 300 ms on PostgreSQL and 500 ms on SQLite.
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from benchmarks.sites import each_site

SLUG = "explored"
HOURS = 2 * 3600
_MEASURE = """
from benchmarks.explorer import measure
measure({items}, {times})
"""


def questions() -> Mapping[str, Mapping[str, Any]]:
    alone: dict[str, dict[str, Any]] = {
        "nothing": {},
        "q: a rare word": {"q": "zyzzyva"},
        "q: a word of some": {"q": "kurzo"},
        "q: the word of all": {"q": "river"},
        "q: two words": {"q": "kurzo belven"},
        "q: a phrase": {"q": '"northern hills"'},
        "q: a beginning": {"q": "hill"},
        "q: either": {"q": "zyzzyva OR kurzo"},
        "q: without": {"q": "-kurzo"},
        "q: nothing found": {"q": "nowhere"},
        "label": {"label": "equivalent"},
        "vote": {"vote": "not-equivalent"},
        "rater": {"rater": "R003"},
        "rater and vote": {"rater": "R003", "vote": "not-equivalent"},
        "assigned": {"assigned": "R003"},
        "guideline": {"guideline": 2},
        "guideline, rare": {"guideline": 3},
        "system": {"system": "larch"},
        "system, rare": {"system": "alder"},
        "document": {"document": "document-17"},
        "question_type": {"question_type": "why"},
        "question_type, rare": {"question_type": "riddle"},
        "split": {"split": "dev"},
        "purpose": {"purpose": "control"},
        "state: open": {"state": "open"},
        "state: disputed": {"state": "disputed"},
        "disputed": {"disputed": "yes"},
        "unfinished": {"unfinished": "yes"},
        "flagged": {"flagged": "open"},
        "tag": {"tag": "odd"},
        "state: dismissed": {"state": "dismissed"},
        "matcher, scores": {"matcher": "f1", "score_min": 0.45, "score_max": 0.5},
        "matcher, accepted": {"matcher": "f1", "accepted": "no"},
        "matcher, differs": {"matcher": "f1", "differs": "yes"},
        "matcher, rare, scores": {"matcher": "bem", "score_min": 0.45, "score_max": 0.5},
    }
    orders = {
        f"order {order}": {"order": order}
        for order in ("number", "question", "-candidate", "ratings", "-share", "-last_rated")
    } | {"order label": {"order": "label"}, "order -score": {"order": "-score", "matcher": "f1"}}
    together: dict[str, dict[str, Any]] = {
        "label and system": {"label": "not-equivalent", "system": "rowan"},
        "disputed by share": {"disputed": "yes", "order": "share"},
        "q and disputed": {"q": "kurzo", "disputed": "yes"},
        "q and rater": {"q": "kurzo", "rater": "R003"},
        "q of all by time": {"q": "river", "order": "-last_rated"},
        "q by candidate": {"q": "kurzo", "order": "candidate"},
        "system, rare, by share": {"system": "alder", "order": "-share"},
        "type, rare, by question": {"question_type": "riddle", "order": "question"},
        "flagged and label": {"flagged": "open", "label": "equivalent"},
        "tag and disputed by time": {"tag": "odd", "disputed": "yes", "order": "-last_rated"},
        "scores of a rare matcher by share": {"matcher": "bem", "order": "share"},
        "differs by score": {"matcher": "f1", "differs": "yes", "order": "score"},
        "rater and vote by share": {"rater": "R003", "vote": "equivalent", "order": "share"},
    }
    return {**alone, **orders, **together}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=1_000_000)
    options.add_argument("--times", type=int, default=5, help="how often each question is asked")
    given = options.parse_args()
    for name, site in each_site():
        print(f"\n{name}, {given.items:,} items\n", flush=True)
        code = _MEASURE.format(items=given.items, times=given.times)
        print(site.python(code, seconds=HOURS), flush=True)


def measure(items: int, times: int) -> None:
    """Within a site: make the campaign, work out its summaries, ask every question."""
    # what a site has, and this module's command line has not
    from django.db import connection

    from benchmarks.campaigns.explored import make_explored_campaign, queue_every_item
    from tasks.explorer.workflow.refreshing import refresh_all
    from tests.misled_planner import is_misled, mislead_planner

    begun = time.perf_counter()
    seeing, blind = make_explored_campaign(SLUG, items)
    made = time.perf_counter()
    queue_every_item()
    refresh_all(campaign=seeing.campaign)
    seconds = time.perf_counter() - made
    print(f"made in {made - begun:.0f} s; summaries: {items / seconds:,.0f} items a second")
    _analyse()
    ask_all(seeing, blind, times)
    if connection.vendor == "postgresql":
        mislead_planner()
        print("\nWhile the planner expects no rows:")
        ask_all(seeing, blind, times)
        print("" if is_misled() else "The planner was told better in between.")


def ask_all(seeing: Any, blind: Any, times: int, only: Sequence[str] = ()) -> None:
    """Ask every question, or these only, of a member who may see all votes, and some of one who
    may not."""
    print("\n| question | found | p50 ms | p95 ms |\n| --- | --- | --- | --- |")
    everything = []
    for name, asked in questions().items():
        if not only or name in only:
            everything += _row(seeing, name, asked, times)
    for name in ("nothing", "label", "disputed", "state: open", "order -share"):
        everything += _row(blind, f"{name}, votes withheld", questions()[name], times)
    print(f"| all | | {statistics.median(everything):.0f} | {_late(everything):.0f} |")


def _row(member: Any, name: str, asked: Mapping[str, Any], times: int) -> list[float]:
    answers = list(_timed_queries(member, asked, times))
    found, waits = answers[-1][0], [wait for _found, wait in answers]
    middle, late = statistics.median(waits), _late(waits)
    print(f"| {name} | {found} | {middle:.0f} | {late:.0f} |", flush=True)
    return waits


def _timed_queries(
    member: Any, given: Mapping[str, Any], times: int
) -> Iterator[tuple[str, float]]:
    from dataclasses import replace

    from tasks.explorer.queries.found import count, page_of_items
    from tasks.explorer.queries.listing import ItemListing
    from tasks.explorer.workflow.refreshing import refresh_before_reading

    listing = ItemListing(**given)
    for _time in range(times):
        begun = time.perf_counter()
        refresh_before_reading(campaign=member.campaign)
        page = page_of_items(member, listing)
        number = count(member, listing)
        wait = (time.perf_counter() - begun) * 1000
        listing = replace(listing, cursor=page.next)
        yield f"{number.items:,}{'+' if number.is_more else ''}", wait


def _late(waits: Sequence[float]) -> float:
    """The 95th percentile; of few the longest."""
    return statistics.quantiles(waits, n=20)[18] if len(waits) >= 20 else max(waits)


def _analyse() -> None:
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


if __name__ == "__main__":
    main()
