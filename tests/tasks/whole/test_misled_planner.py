"""Every page and call while PostgreSQL's planner takes every table for an empty one.

It does so after rows of a table were rolled back, and plans as if there were no more than one row
of each. What then compares all rows of one table with all of another takes hours.

What counts is how long a request waits for the database, and that is several times less than the
limit: a busy machine makes the rest of a request slow, which is not asked here. A statement that
takes the limit alone is cancelled, so that a fault shows as a failure and not as a test that hangs.
"""

import logging
import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.functions import Now
from django.test import Client
from pytest_django import Settings

from tasks.agreement.figures.figures import FIGURES
from tasks.models import Assignment, Evaluation, Item, Membership, SchedulerTick, Webhook
from tests.busy_campaign import make_busy_campaign
from tests.misled_planner import is_misled, mislead_planner
from tests.simulated_suggestions import MATCHER
from tests.tasks.browsers import signed_in
from tests.tasks.whole.routes import LET_IN, ROWS, addresses, filled

pytestmark = [pytest.mark.slow]
if not os.environ.get("DATABASE_URL"):  # SQLite's planner is not misled: there it asks all the same
    pytestmark.append(pytest.mark.thorough)


ITEMS = 500
EXPLORED = (  # what is asked of the explorer, alone and together
    *("q=hills", "q=%22northern+hills%22+OR+sea", "q=-hills", "q=hills&system=larch&disputed=yes"),
    *(
        "label=equivalent",
        "vote=not-equivalent",
        "vote=equivalent&other_vote=not-equivalent",
        "rater={rater}",
        "rater={rater}&vote=equivalent",
    ),
    *("system=larch&order=-share", "state=disputed", "flagged=any", "guideline=1", "purpose=live"),
    "assigned={rater}",
    *("matcher={matcher}&score_min=0.4&score_max=0.9", "matcher={matcher}&differs=yes"),
    *("matcher={matcher}&order=-score", "order=label", "order=-last_rated&q=hills"),
)
NARROWED_TO = ("system=larch", "guideline=1&source=rated", "system=larch&since=2020-01-01")
LIMIT = 3.0  # seconds that a request may wait for the database
OTHERS = {403}  # pages of the site's operators


class Waiting:
    """The time that all statements have taken together, in seconds."""

    seconds = 0.0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        began = time.monotonic()
        try:
            return execute(sql, params, many, context)
        finally:
            self.seconds += time.monotonic() - began


def limit_statements() -> None:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {round(LIMIT * 1000)}")


def asked(admin: Membership) -> Iterator[str]:
    """Every address that is there to be read, with parts of the admin's campaign."""
    rated = Item.objects.filter(campaign=admin.campaign, ratings__isnull=False)
    rater = Membership.objects.filter(campaign=admin.campaign, ratings__isnull=False)
    evaluation = Evaluation.objects.get()
    known = {
        "item_id": rated.earliest("pk").pk,
        "version": "1.1.0",
        "assignment_id": Assignment.objects.get(rater=admin).pk,
        "webhook_id": Webhook.objects.get().pk,
        "evaluation_id": evaluation.pk,
        "job_id": evaluation.job_id,
    }
    for name, pattern in addresses():
        if name in ROWS and "GET" in ROWS[name].methods:
            for figures in FIGURES if name == "api-figures" else ("",):
                yield filled(pattern, rater.earliest("pk"), **known, name=figures)
    named = {"rater": rater.earliest("pk").pseudonym, "matcher": MATCHER}
    for query in EXPLORED:
        yield f"/c/{admin.campaign.slug}/items/?{query.format(**named)}"
    for query in NARROWED_TO:
        yield f"/api/v1/campaigns/{admin.campaign.slug}/figures/agreement?{query}"
        yield f"/api/v1/campaigns/{admin.campaign.slug}/figures/raters?{query}"


def answer(client: Client, address: str) -> tuple[int, float]:
    """The status, and the seconds of the database; nothing that the request does stays."""
    waiting, cookies = Waiting(), dict(client.cookies)
    with transaction.atomic(), connection.execute_wrapper(waiting):
        response = client.get(address)
        response.getvalue()  # a download is read to its end
        transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(cookies)
    return response.status_code, waiting.seconds


def test_every_page_and_call_answers_soon_when_the_planner_expects_no_rows(
    db: None, tmp_path: Path, settings: Settings
) -> None:
    settings.RELEASES_DIR = tmp_path
    admin = make_busy_campaign("busy", tmp_path, items=ITEMS)
    SchedulerTick.objects.create(seen_at=Now() + timedelta(hours=1))
    client = signed_in(admin)
    client.raise_request_exception = False
    todo = list(asked(admin))
    mislead_planner()
    limit_statements()
    logging.disable(logging.ERROR)
    try:
        found = {address: answer(client, address) for address in todo}
    finally:
        logging.disable(logging.NOTSET)
    wrong = [
        f"{address}: {status} after {seconds:.1f} s"
        for address, (status, seconds) in found.items()
        if status not in LET_IN | OTHERS or seconds > LIMIT
    ]
    assert not wrong, "\n".join(wrong)
    assert is_misled()
