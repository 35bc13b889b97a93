"""A database that is in use already is brought to the next schema, and back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from tasks import migrations
from tests.factories import make_campaign, make_labelled_items
from tests.sampling import IS_LONG
from tests.site import Site, running_site
from tests.table_hashes import table_hashes

pytestmark = pytest.mark.slow


RATINGS = 100_000 if IS_LONG else 3_000
OVERLAP = 4
# what people gave, and what it hangs on: no migration may touch it
KEPT = (
    "tasks_rating",
    "tasks_outcome",
    "tasks_slot",
    "tasks_assignment",
    "tasks_item",
    "tasks_campaign",
    "tasks_guideline",
    "tasks_membership",
)
# the next migration, as one may be: SQLite makes all three tables anew for it
_OWN = sorted(path.stem for path in Path(migrations.__path__[0]).glob("0*.py"))
_SAME = """
from importlib import import_module
Migration = import_module("tasks.migrations.{name}").Migration
"""
_NEXT = f"""
from django.db import migrations, models
class Migration(migrations.Migration):
    dependencies = [("tasks", "{_OWN[-1]}")]
    operations = [
        migrations.AddField(name, "depth", models.IntegerField(default=0, db_default=7))
        for name in ("campaign", "item", "rating")
    ] + [
        migrations.AlterField(name, "depth", models.BigIntegerField(default=0, db_default=7))
        for name in ("campaign", "item", "rating")
    ]
"""
_FORWARD_AND_BACK = """
import json, sys
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError
from tasks.models import Rating
from tests.bulk import make_large_campaign
from tests.table_hashes import table_hashes

def look():
    try:
        Rating.objects.update(comment="changed")
        refused = ""
    except DatabaseError as error:
        refused = str(error)
    return table_hashes(*{kept!r}), "append-only" in refused

make_large_campaign("rated", items={items}, rated={items}, overlap={overlap}, raters=20)
sys.path.insert(0, {folder!r})
settings.MIGRATION_MODULES = dict(tasks="later")
looks = [look()]
for target in ("next", {last!r}):
    call_command("migrate", "tasks", target, verbosity=0)
    looks.append(look())
print(json.dumps(looks))
"""

_UNGUARD = {
    "sqlite": "DROP TRIGGER tasks_rating_no_UPDATE",
    "postgresql": "DROP TRIGGER tasks_rating_no_change ON tasks_rating",
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path / "site", start=False) as site:
        yield site


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """The folder of a package with the migrations of this version and one more."""
    package = tmp_path / "later"
    package.mkdir()
    (package / "__init__.py").touch()
    for name in _OWN:
        (package / f"{name}.py").write_text(_SAME.format(name=name))
    (package / "next.py").write_text(_NEXT)
    return tmp_path


def test_a_used_database_goes_forward_and_back_and_keeps_every_rating(
    site: Site, later: Path
) -> None:
    trip = _FORWARD_AND_BACK.format(
        kept=KEPT, items=RATINGS // OVERLAP, overlap=OVERLAP, folder=str(later), last=_OWN[-1]
    )
    looks = json.loads(site.python(trip))
    assert [is_guarded for _hashes, is_guarded in looks] == [True, True, True]
    before, between, after = (hashes for hashes, _is_guarded in looks)
    assert set(before) == set(KEPT)
    assert after == before
    more = {table: set(between[table]) - set(before[table]) for table in KEPT}
    added = {"depth"}
    assert {table: columns for table, columns in more.items() if columns} == {
        "tasks_rating": added,
        "tasks_item": added,
        "tasks_campaign": added,
    }
    for table, columns in before.items():
        assert columns.items() <= between[table].items()


@pytest.mark.django_db
def test_a_changed_rating_is_noticed() -> None:
    make_labelled_items(make_campaign("rivers", overlap=1), items=2)
    before = table_hashes("tasks_rating")["tasks_rating"]
    with connection.cursor() as cursor:
        cursor.execute(_UNGUARD[connection.vendor])
        cursor.execute("UPDATE tasks_rating SET comment = 'x'")
    after = table_hashes("tasks_rating")["tasks_rating"]
    assert [name for name in before if before[name] != after[name]] == ["comment"]
