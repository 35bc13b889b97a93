"""PostgreSQL's planner learns how many rows there are."""

from django.db import connection

from tasks.storing.database import analyse_what_counts_as_empty
from tests.factories import make_campaign, make_items
from tests.misled_planner import is_misled, mislead_planner


def test_tables_that_count_as_empty_are_counted(db: None) -> None:
    make_items(make_campaign(), 2)
    mislead_planner()
    assert analyse_what_counts_as_empty(at_least=1 << 40) == []  # small ones are read at once
    found = analyse_what_counts_as_empty(at_least=1)
    is_postgres = connection.vendor == "postgresql"
    assert ({"tasks_item", "tasks_slot"} <= set(found), is_misled()) == (
        is_postgres,
        not is_postgres,
    )
    assert "tasks_item" not in analyse_what_counts_as_empty(at_least=1)
