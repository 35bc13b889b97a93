"""The rating page in a real browser, by keyboard alone: from Enter to the next question drawn.

    python -m benchmarks.rating_page [--items 100] [--reading 1.0] [--others 10000]

gunicorn with two workers of four threads and Chromium on one machine; SQLite, or PostgreSQL where
DATABASE_URL names a server. Prints median and 95th percentile, the queries of a rating page and of
a submission, and the bytes that a first visit to the page takes, as sent. The browser itself takes
the times: from the key press to the second frame after the question has changed. `--reading` is how
long the rater looks at an item, `--others` how many further items the campaign has.
"""

import argparse
import json
import os
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, Response, sync_playwright

from bootstrap.programs import find_chromium
from tests.journeys.conftest import FLAGS, Person, Tomahto, item, sign_in
from tests.site import Site, running_site

WARM_UP = 10
SLUG = "pages"
PASSAGE = "A passage of ordinary length about rivers, hills and the sea. " * 12

# runs in the page before its own scripts: notes when Enter was pressed and when a question came
_WATCH = """
window.waits = [];
let pressed = 0;
addEventListener("keydown", (event) => {
  if (event.key === "Enter") pressed = performance.now();
}, { capture: true });
document.addEventListener("DOMContentLoaded", () => {
  let shown = document.querySelector("#item-question");
  new MutationObserver(() => {
    const now = document.querySelector("#item-question");
    if (!now || now === shown) return;
    shown = now;
    const since = pressed;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      window.waits.push(performance.now() - since);
    }));
  }).observe(document.body, { childList: true, subtree: true });
});
"""

_QUERIES = """
import json, re
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_test_environment
from tasks.models import User

setup_test_environment()
client = Client()
client.force_login(
    User.objects.get(username="reader"), backend="django.contrib.auth.backends.ModelBackend"
)
client.get("/c/{slug}/rate/")
with CaptureQueriesContext(connection) as page:
    html = client.get("/c/{slug}/rate/").content.decode()
address = re.search(r'action="(/c/[^"]*/rate/[0-9]+/)"', html)[1]
fields = dict(re.findall(r'name="(idempotency_key|guideline_version)" value="([^"]*)"', html))
with CaptureQueriesContext(connection) as submit:
    client.post(address, dict(fields, action="submit", q1="yes"), headers={{"HX-Request": "true"}})
print(json.dumps([len(page), len(submit)]))
"""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--items", type=int, default=100, help="submissions to time")
    options.add_argument("--reading", type=float, default=1.0, help="seconds spent on an item")
    options.add_argument("--others", type=int, default=0, help="further items of the campaign")
    given = options.parse_args()
    database = "PostgreSQL" if os.environ.get("DATABASE_URL") else "SQLite"
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder), start=False) as site:
        site.environment["TOMAHTO_STATIC"] = f"{folder}/static"
        site.manage("collectstatic", "--no-input", "--verbosity", "0")
        site.start_web(workers=2, threads=4)
        reader = make_reader(site, given.items + given.others + WARM_UP + 5)
        waits, weights = rate(site, reader, given.items, given.reading)
        page_queries, submit_queries = json.loads(site.python(_QUERIES.format(slug=SLUG)))
    cuts = statistics.quantiles(waits, n=20)
    print(
        f"{database}: {len(waits)} submissions, next question after median "
        f"{statistics.median(waits):.0f} ms, p95 {cuts[18]:.0f} ms; "
        f"{page_queries} queries per rating page, {submit_queries} per submission; "
        f"{sum(weights):,} bytes in {len(weights)} answers on the first visit"
    )


def make_reader(site: Site, items: int) -> Person:
    """The rater of a campaign with so many items, each with a passage."""
    rows = [
        item(number, context=f"{PASSAGE} River {number} rises in the northern hills.")
        for number in range(items)
    ]
    return Tomahto(site).campaign(SLUG, items=rows, rater="reader")


def rate(
    site: Site, reader: Person, items: int, reading: float
) -> tuple[list[float], Sequence[int]]:
    """Milliseconds from Enter to the next question, for each item after the first few; and the
    bytes of every answer until the first item could be rated."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        context = browser.new_context(base_url=site.address)
        page = context.new_page()
        page.goto("/login/")
        sign_in(page, reader)
        context.request.get(f"/c/{SLUG}/rate/")  # claims the first item
        page.close()
        page = browser.new_context(
            base_url=site.address, storage_state=context.storage_state()
        ).new_page()
        page.add_init_script(_WATCH)
        weights: list[int] = []
        page.on("response", lambda answer: weights.append(_size(answer)))
        page.goto(f"/c/{SLUG}/rate/", wait_until="networkidle")
        on_the_first_visit = tuple(weights)
        for number in range(items + WARM_UP):
            rate_one(page, number, reading)
        waits: list[float] = page.evaluate("window.waits")
        browser.close()
    return waits[WARM_UP:], on_the_first_visit


def _size(answer: Response) -> int:
    """Bytes of the body, compressed where it was."""
    return int(answer.headers.get("content-length", 0))


def rate_one(page: Page, number: int, reading: float) -> None:
    page.wait_for_timeout(reading * 1000)
    page.keyboard.press("n")
    page.keyboard.press("y")
    page.keyboard.press("Enter")
    page.wait_for_function("number => window.waits.length > number", arg=number)


if __name__ == "__main__":
    main()
