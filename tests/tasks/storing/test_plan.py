"""Plans: what they keep until it is stored."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.models import Document, Question
from tasks.storing.plan import Plan
from tests.factories import make_campaign


def test_plan_makes_tables_for_the_kinds_of_rows_that_come(db: None) -> None:
    campaign = make_campaign()
    with CaptureQueriesContext(connection) as queries, Plan(campaign) as plan:
        plan.add([Document(campaign=campaign, key=key) for key in ("hills", "sea")])
        counts = {model: (plan.has(model), plan.count_new(model)) for model in (Document, Question)}
        plan.store()
    made = [
        query["sql"] for query in queries if "CREATE TEMPORARY TABLE planned_tasks" in query["sql"]
    ]
    assert len(made) == 1
    assert counts == {Document: (True, 2), Question: (False, 0)}
    assert [each.key for each in Document.objects.order_by("pk")] == ["hills", "sea"]
