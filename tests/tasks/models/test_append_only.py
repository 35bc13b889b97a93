"""Acts that the database refuses to the application's own role: changed and deleted rows."""

import pytest
from django.db import DatabaseError, connection

from tasks.campaigns.workflow.lives import delete_campaign
from tasks.models import Campaign
from tasks.models.guards import APPEND_ONLY
from tests.factories import make_campaign, make_labelled_items
from tests.tasks.conftest import deleted_long_ago
from tests.tasks.models.guards import execute, remove_guard

TABLES = ("tasks_rating", "tasks_outcome", "tasks_auditentry")
_COLUMN = {"tasks_rating": "comment", "tasks_outcome": "label", "tasks_auditentry": "actor"}
_KEY = {"tasks_rating": "id", "tasks_outcome": "id", "tasks_auditentry": "sequence"}
_ON_SQLITE = ("INSERT OR REPLACE INTO {table} SELECT * FROM {table}",)
# a table that others point to is truncated with them, or not at all
_ON_POSTGRES = ("TRUNCATE {table} CASCADE",)


def attempts(table: str) -> list[str]:
    """The statements that would change or remove what is there."""
    own = _ON_POSTGRES if connection.vendor == "postgresql" else _ON_SQLITE
    column = _COLUMN[table]
    upsert = (
        "INSERT INTO {table} SELECT * FROM {table} WHERE true"
        f" ON CONFLICT ({_KEY[table]}) DO UPDATE SET {column} = 'x'"
    )
    every = (f"UPDATE {{table}} SET {column} = {column}", "DELETE FROM {table}", upsert, *own)
    return [statement.format(table=table) for statement in every]


def refusal(statement: str) -> str:
    try:
        execute(statement)
        connection.check_constraints()  # none is left to be looked at, which keeps from TRUNCATE
    except DatabaseError as error:
        return str(error)
    return "done"


@pytest.fixture
def campaign(db: None) -> Campaign:
    campaign = make_campaign()
    make_labelled_items(campaign, items=2)
    connection.check_constraints()
    return campaign


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.usefixtures("campaign")
def test_rows_of_append_only_tables_cannot_be_changed_or_removed(table: str) -> None:
    for statement in attempts(table):
        assert "is append-only" in refusal(statement), statement


@pytest.mark.usefixtures("campaign")
def test_audit_entries_can_be_changed_without_the_guard() -> None:
    remove_guard("tasks_auditentry")
    assert {refusal(statement) for statement in attempts("tasks_auditentry")} == {"done"}


@pytest.mark.parametrize(
    ("days", "found"),
    [(0, "is append-only"), (29.9, "is append-only"), (30.1, "done")],
)
def test_ratings_can_be_deleted_long_after_their_campaign(
    campaign: Campaign, days: float, found: str
) -> None:
    delete_campaign(campaign=campaign, typed=campaign.slug)
    deleted_long_ago(campaign, days=days)
    assert found in refusal("DELETE FROM tasks_rating")


def test_no_other_row_can_be_changed_or_deleted_then(campaign: Campaign) -> None:
    delete_campaign(campaign=campaign, typed=campaign.slug)
    deleted_long_ago(campaign, days=30.1)
    make_labelled_items(make_campaign("seas"), items=1)
    connection.check_constraints()
    for statement in (*attempts("tasks_rating"), *attempts("tasks_auditentry")):
        assert "is append-only" in refusal(statement), statement


def test_every_append_only_table_has_its_guards(db: None) -> None:
    kinds = (
        ("no_change", "no_delete", "no_truncate")
        if connection.vendor == "postgresql"
        else ("no_UPDATE", "no_DELETE", "no_REPLACE")
    )
    catalogue = (
        "SELECT tgname FROM pg_trigger"
        if connection.vendor == "postgresql"
        else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
    )
    with connection.cursor() as cursor:
        cursor.execute(catalogue)
        there = {name for (name,) in cursor.fetchall()}
    assert {f"{table}_{kind}" for table in APPEND_ONLY for kind in kinds} <= there
