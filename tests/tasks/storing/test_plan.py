"""Plans: what they keep until it is stored."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.models import Document, Question
from tasks.storing.database import BATCH
from tasks.storing.plan import Plan
from tests.factories import make_campaign


@pytest.mark.parametrize(("documents", "tables"), [(2, 0), (BATCH + 1, 1)])
def test_plan_makes_tables_for_the_kinds_of_which_many_rows_come(
    db: None, documents: int, tables: int
) -> None:
    campaign = make_campaign()
    keys = [f"document {n:04}" for n in range(documents)]
    with CaptureQueriesContext(connection) as queries, Plan(campaign) as plan:
        plan.add([Document(campaign=campaign, key=key) for key in keys])
        counts = {model: (plan.has(model), plan.count_new(model)) for model in (Document, Question)}
        plan.store()
    made = [
        query["sql"] for query in queries if "CREATE TEMPORARY TABLE planned_tasks" in query["sql"]
    ]
    assert len(made) == tables
    assert counts == {Document: (True, documents), Question: (False, 0)}
    assert [each.key for each in Document.objects.order_by("pk")] == keys


def test_plan_has_rows_as_they_are_to_be_wherever_it_holds_them(db: None) -> None:
    campaign = make_campaign()
    stored = Document.objects.create(campaign=campaign, key="sea")
    with Plan(campaign) as plan:
        first = Document(campaign=campaign, key="hills")
        plan.add([first])
        stored.key = "ocean"
        plan.change(stored)
        plan.add([Document(campaign=campaign, key=f"{n}") for n in range(BATCH)])
        first.key = "mountains"  # in the table by now
        plan.change(first)
        wanted = ("sea", "hills", "mountains", "0", f"{BATCH - 1}")
        found = plan.find(Document.objects.filter(campaign=campaign), key=wanted)
        plan.store()
    expected = {"ocean", "mountains", "0", f"{BATCH - 1}"}
    assert {row.key for row in found.values()} == expected
    assert expected < set(Document.objects.values_list("key", flat=True))
    assert Document.objects.count() == BATCH + 2
