"""Migrations run while the code of before still serves: what it needs must stay.

A migration that drops a column or a table names, as `unused_since` of its class, the release in
which the code stopped using it; a column that is added has a default of the database.
docs/operate.md gives the rules.
"""

import re
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ProjectState
from django.db.models import NOT_PROVIDED

from annotation_site.settings import VERSION

APP = "tasks"
_DESTROYS = re.compile(r"\b(DROP|RENAME)\s+(TABLE|COLUMN|TO)\b", re.IGNORECASE)

Columns = dict[tuple[str, str], "models.Field[object, object]"]


def columns_in(state: ProjectState) -> Columns:
    """Every column by table and name, as Django would name it."""
    found: Columns = {}
    for (app, _name), model in state.models.items():
        if app == APP and model.options.get("managed", True):
            table = str(model.options.get("db_table") or f"{app}_{model.name_lower}")
            for name, field in model.fields.items():
                if not isinstance(field, models.ManyToManyField):
                    suffix = "_id" if isinstance(field, models.ForeignKey) else ""
                    found[table, field.db_column or name + suffix] = field
    return found


def problems(migration: migrations.Migration, before: Columns, after: Columns) -> Iterator[str]:
    """Changes that the code of before would trip over."""
    marker = getattr(migration, "unused_since", "")
    is_marked = bool(re.fullmatch(r"\d+\.\d+\.\d+", marker)) and as_numbers(marker) < as_numbers(
        VERSION
    )
    if not is_marked:
        for table, column in sorted(before.keys() - after.keys()):
            yield f"{migration.name} takes away {table}.{column}"
        for operation in migration.operations:
            if isinstance(operation, migrations.RunSQL) and _DESTROYS.search(str(operation.sql)):
                yield f"{migration.name} drops something in SQL"
    tables = {table for table, _column in before}
    for (table, column), field in sorted(after.items(), key=lambda each: each[0]):
        is_new = (table, column) not in before and table in tables
        if is_new and not field.null and field.db_default is NOT_PROVIDED:
            yield f"{migration.name}: {table}.{column} has no default of the database"


def as_numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_code_of_before_can_run_while_each_migration_does() -> None:
    loader = MigrationLoader(None)
    [leaf] = [node for node in loader.graph.leaf_nodes() if node[0] == APP]
    state = ProjectState()
    found: list[str] = []
    for node in loader.graph.forwards_plan(leaf):
        migration = loader.graph.nodes[node]
        before = columns_in(state)
        state = migration.mutate_state(state, preserve=False)
        if node[0] == APP:
            found += problems(migration, before, columns_in(state))
    assert found == []
    # the names are right: they are those of the models
    there = {
        (model._meta.db_table, str(field.column))
        for model in apps.get_app_config(APP).get_models()
        for field in model._meta.concrete_fields
    }
    assert set(columns_in(state)) == there


def state_with(**fields: "models.Field[object, object]") -> ProjectState:
    state = ProjectState()
    migrations.CreateModel("Lake", [*fields.items()]).state_forwards(APP, state)
    return state


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (migrations.RemoveField("lake", "depth"), "takes away tasks_lake.depth"),
        (migrations.RenameField("lake", "depth", "deep"), "takes away tasks_lake.depth"),
        (migrations.DeleteModel("lake"), "takes away tasks_lake.depth"),
        (migrations.RenameModel("lake", "pond"), "takes away tasks_lake.depth"),
        (migrations.AlterModelTable("lake", "waters"), "takes away tasks_lake.depth"),
        (migrations.RunSQL("ALTER TABLE tasks_lake DROP COLUMN depth"), "drops something in SQL"),
        (
            migrations.AddField("lake", "name", models.TextField(default="")),
            "tasks_lake.name has no default of the database",
        ),
    ],
)
@pytest.mark.parametrize("marker", ["", "soon", "0.0.9", VERSION])
def test_what_would_break_the_code_of_before_is_refused(
    operation: migrations.operations.base.Operation, said: str, marker: str
) -> None:
    migration = migrations.Migration("0099_lakes", APP)
    migration.operations = [operation]  # type: ignore[misc]  # as the loader has them too
    migration.unused_since = marker  # type: ignore[attr-defined]  # ours
    state = state_with(depth=models.IntegerField())
    before = columns_in(state)
    found = list(problems(migration, before, columns_in(migration.mutate_state(state))))
    is_allowed = marker == "0.0.9" and "no default" not in said
    assert any(said in problem for problem in found) is not is_allowed
