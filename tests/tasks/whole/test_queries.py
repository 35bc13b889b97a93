"""The number of statements of a rating, whatever the size of the campaign."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tasks.models import ApiToken, Assignment, Membership, Slot
from tasks.rating.workflow.assignment import claim_item, items_left
from tasks.rating.workflow.claim_statements import CLAIM
from tests.bulk import OVERLAP, fill, make_large_campaign
from tests.factories import make_campaign, make_member
from tests.tasks.browsers import HTMX, signed_in
from tests.tasks.rating.forms import assignment_in, open_item
from tests.tasks.statements import statements

pytestmark = pytest.mark.slow


EQUIVALENT = {"q1": "no", "q2": "yes"}
COST = {
    "rating page": 10,
    "item after it": 12,
    "submission, next item shown": 8,
    "submission, next item answered": 12,
    "draft": 6,
    "API claim": 2,
    "API submission": 2,
}
# one transaction of several statements for what PostgreSQL does in one
COST_ON_SQLITE = {
    **COST,
    "rating page": 12,
    "item after it": 16,
    "submission, next item shown": 15,
    "submission, next item answered": 21,
    "API claim": 6,
    "API submission": 7,
}


def cost_of_a_rating(rater: Membership) -> dict[str, int]:
    """The statements of each step, from the second item on."""
    browser, slug = signed_in(rater), rater.campaign.slug
    address, fields = open_item(browser, slug)
    browser.post(address, {**fields, **EQUIVALENT, "action": "submit"}, headers=HTMX)
    cost = {}
    cost["rating page"], _page = statements(lambda: browser.get(f"/c/{slug}/rate/"))
    address, fields = open_item(browser, slug)
    body = {**fields, **EQUIVALENT, "action": "submit"}
    cost["item after it"], after = statements(lambda: browser.post(f"{address}following/"))
    cost["draft"], _draft = statements(lambda: browser.post(f"{address}draft/", body))
    shown = {"shown": assignment_in(after.content.decode())}
    cost["submission, next item shown"], _answer = statements(
        lambda: browser.post(address, {**body, **shown}, headers=HTMX)
    )
    address, fields = open_item(browser, slug)
    body = {**fields, **EQUIVALENT, "action": "submit"}
    cost["submission, next item answered"], _answer = statements(
        lambda: browser.post(address, body, headers=HTMX)
    )
    return cost | cost_over_api(rater)


def cost_over_api(rater: Membership) -> dict[str, int]:
    assert rater.user is not None
    program = Client(headers={"Authorization": f"Token {ApiToken.issue(rater.user)}"})
    claim = f"/api/v1/campaigns/{rater.campaign.slug}/claim"

    def submit(assignment: int) -> Any:
        return program.post(
            f"/api/v1/assignments/{assignment}/rating",
            EQUIVALENT,
            content_type="application/json",
            headers={"Idempotency-Key": f"key-{assignment}"},
        )

    submit(program.post(claim).json()["assignment"])
    claiming, claimed = statements(lambda: program.post(claim))
    submitting, stored = statements(lambda: submit(claimed.json()["assignment"]))
    assert stored.status_code == 201
    return {"API claim": claiming, "API submission": submitting}


@pytest.mark.parametrize(
    ("items", "campaigns"), [(10, 1), (10, 3), (400, 1)], ids=["few", "several", "many"]
)
def test_a_rating_costs_the_same_statements_in_every_campaign(
    db: None, items: int, campaigns: int
) -> None:
    raters = []
    for number in range(campaigns):
        campaign = make_campaign(f"campaign-{number}", overlap=OVERLAP)
        fill(campaign, items)
        raters = [make_member(campaign) for _ in range(campaigns)]
    expected = COST if connection.vendor == "postgresql" else COST_ON_SQLITE
    assert cost_of_a_rating(raters[-1]) == expected


def test_a_claim_of_who_may_see_votes_costs_one_lock_more(db: None) -> None:
    """Of PostgreSQL, where others write at the same time; SQLite lets one do so anyhow."""
    campaign = make_campaign("rivers", overlap=OVERLAP)
    fill(campaign, 10)
    cost = {}
    for role in ("rater", "researcher", "admin"):
        member = make_member(campaign, role)
        cost[role], claimed = statements(partial(claim_item, membership=member))
        assert claimed is not None
    one_more = cost["rater"] + (connection.vendor == "postgresql")
    assert (cost["researcher"], cost["admin"]) == (one_more, one_more)


@contextmanager
def counted_work() -> Iterator[list[int]]:
    """The work of the database: steps of SQLite's machine, rows that PostgreSQL read."""
    done = [0]
    if connection.vendor == "postgresql":
        done[0] = -rows_read()
        yield done
        done[0] += rows_read()
        return

    def count() -> None:
        done[0] += 1

    connection.connection.set_progress_handler(count, 1)
    yield done
    connection.connection.set_progress_handler(None, 1)


def rows_read() -> int:
    """By this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)) FROM pg_stat_xact_user_tables"
        )
        (rows,) = cursor.fetchone()
    return int(rows)


def test_a_rating_costs_the_same_work_in_every_campaign(db: None) -> None:
    work = []
    for number, items in enumerate((2000, 50)):
        campaign = make_campaign(f"campaign-{number}", overlap=OVERLAP)
        fill(campaign, items)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # the worst moment for it: nobody has claimed anything yet
        rater = make_member(campaign)
        cost_over_api(rater)
        with counted_work() as done:
            cost_over_api(rater)
        work += done
    many, few = work
    assert 0 < many < 1.5 * few


def test_postgres_does_not_think_a_claim_dear(db: None) -> None:
    """It plans each one anew otherwise, which takes longer than claiming."""
    if connection.vendor != "postgresql":
        return  # SQLite keeps its plans
    campaign = make_campaign(overlap=OVERLAP)
    fill(campaign, 2000)
    rater = make_member(campaign)
    Assignment.objects.bulk_create(
        Assignment(item_id=slot.item_id, rater=rater, slot=slot, state="submitted")
        for slot in Slot.objects.filter(campaign=campaign, number=0)[:1000]
    )
    whose = {"rater": rater.pk, "campaign": campaign.pk}
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
        cursor.execute(
            f"EXPLAIN (FORMAT JSON) {CLAIM}", whose | {"lease": "1 hour", "from_start": False}
        )
        ((plan,),) = cursor.fetchall()
    assert plan[0]["Plan"]["Total Cost"] < 200


def test_the_work_of_saying_what_is_left_grows_with_the_items(db: None) -> None:
    work = []
    for items in (2000, 200):
        campaign = make_large_campaign(
            f"of-{items}", items=items, rated=items // 2, overlap=OVERLAP, raters=3
        )
        rater = make_member(campaign)
        with counted_work() as done:
            assert items_left(rater) == items // 2
        work += done
    many, few = work
    # ten times as many items: counting for each of them anew would take a hundred times the work
    assert 0 < many < 30 * few
