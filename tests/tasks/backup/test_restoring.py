"""What was backed up from either database is there again in the other, or nothing is."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from django.apps import apps
from django.db import DatabaseError, IntegrityError, transaction

from exporters.folder import FileEntry
from exporters.verify import verify_release
from tasks.backup import restoring
from tasks.backup.errors import BackupError
from tasks.backup.manifest import Manifest, read_manifest
from tasks.backup.restoring import restore_backup
from tasks.backup.rows import stored_values
from tasks.models import AuditEntry, Job, JobKind, Outcome, Rating, Release
from tasks.queries.audit import check_chain
from tests.factories import make_campaign, make_labelled_items
from tests.tasks.backup.steps import rewrite_manifest

pytestmark = pytest.mark.django_db


def rows() -> dict[str, int]:
    return {m._meta.db_table: m._base_manager.count() for m in apps.get_models()}


def test_every_table_and_file_is_there_again(original: Path, data_folder: Path) -> None:
    manifest = restore_backup(original)
    there = rows()
    there["tasks_auditentry"] -= 1  # that it was restored
    counts = {t.table: t.rows for t in manifest.tables if t.table in there}
    assert {table: there[table] for table in counts} == counts
    assert (counts["tasks_rating"], counts["tasks_release"], counts["tasks_loginattempts"]) == (
        *(6, 1, 1),
    )
    assert (data_folder / "matchers/lakes/b1/weights.bin").read_bytes() == bytes(range(256))
    assert (data_folder / "aliases.jsonl").read_text() == '["a", "b"]\n'
    release = Release.objects.get()
    assert release.folder == data_folder / "releases/lakes/1.0.0"
    assert verify_release(release.folder) == []


def test_the_chain_of_the_audit_log_holds_in_the_other_database(
    original: Path, data_folder: Path
) -> None:
    lines = (original / "tables" / "tasks_auditentry.jsonl").read_bytes().splitlines()
    restore_backup(original)
    chain = check_chain()
    assert (chain.entries, chain.fault) == (len(lines) + 1, "")
    assert len(lines) > 5
    assert AuditEntry.objects.latest("sequence").action == "backup.restored"


def test_numbers_and_texts_that_databases_write_differently_survive(
    original: Path, data_folder: Path
) -> None:
    restore_backup(original)
    job = Job.objects.get(input_hash="1")
    numbers = [10**16, -(10**300), 1e-7, 0.1, 0.0, 3.0, 10**30, None, True, "1e16"]
    assert job.parameters["numbers"] == [*numbers, {"a": [250000000000000000], "b": 1}]
    assert job.error == "two\nlines, a tab\t, a \u2028 and \U0001f34b"


def test_sessions_and_the_secret_key_are_not_in_a_backup(original: Path) -> None:
    assert "django_session" not in {table.table for table in read_manifest(original).tables}
    assert not [path for path in original.rglob("*") if "secret" in path.name]
    assert original.stat().st_mode & 0o077 == 0


def test_a_restored_site_goes_on(original: Path, data_folder: Path) -> None:
    restore_backup(original)
    last = Rating.objects.order_by("pk").last()
    campaign = make_campaign("rivers", overlap=1)
    make_labelled_items(campaign, items=2)
    assert last is not None
    assert Rating.objects.filter(pk__gt=last.pk).count() == 2
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Rating.objects.update(comment="changed")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        last.delete()


def test_database_with_anything_in_it_is_refused(original: Path, data_folder: Path) -> None:
    make_campaign("rivers")
    before = rows()
    with pytest.raises(BackupError, match="not empty: tasks_guideline, tasks_campaign"):
        restore_backup(original)
    assert rows() == before
    assert not data_folder.exists()


def newer(manifest: dict[str, dict[str, list[str]]]) -> None:
    manifest["migrations"]["tasks"].append("9999_later")


def older(manifest: dict[str, dict[str, list[str]]]) -> None:
    del manifest["migrations"]["tasks"][-1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (newer, "from a newer version: it has the migration tasks.9999_later"),
        (older, "from an older version: it lacks the migration tasks.0"),
    ],
)
def test_backup_of_other_migrations_is_refused(
    backup: Path, change: Callable[[object], None], said: str, data_folder: Path
) -> None:
    rewrite_manifest(backup, change)
    before = rows()
    with pytest.raises(BackupError, match=said):
        restore_backup(backup)
    assert rows() == before


def test_row_that_cannot_be_stored_leaves_nothing_behind(backup: Path, data_folder: Path) -> None:
    """A rating of an item that is not there: the last table but a few, found by the database."""
    ratings = backup / "tables" / "tasks_rating.jsonl"
    columns = next(t.columns for t in read_manifest(backup).tables if t.table == "tasks_rating")
    first, *others = map(json.loads, ratings.read_text().splitlines())
    first[columns.index("item_id")] = 10**6
    ratings.write_text("".join(json.dumps(row) + "\n" for row in [first, *others]))
    rewrite_manifest(backup, lambda manifest: None)
    before = rows()
    with pytest.raises(BackupError, match=r"tables/tasks_rating.jsonl: lines 1 to 6 cannot be"):
        restore_backup(backup)
    assert rows() == before
    assert not data_folder.exists()


def test_outcome_that_only_an_earlier_version_listed_comes_back(
    backup: Path, data_folder: Path
) -> None:
    """As of a site that was there before the protocol changed; nobody can add one afterwards."""
    outcomes = backup / "tables" / "tasks_outcome.jsonl"
    first, *others = outcomes.read_text().splitlines(keepends=True)
    name = json.loads(first)[0]
    assert name > "ae:a"
    outcomes.write_text("".join([first.replace(name, "ae:a", 1), first, *others]))
    rewrite_manifest(backup, lambda manifest: None)
    restore_backup(backup)
    assert Outcome.objects.filter(pk="ae:a").exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        Outcome.objects.create(pk="ae:later", protocol="ae", answers={}, label="x", reading="x")


def test_table_that_reads_back_differently_leaves_nothing_behind(
    original: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "stored_values", swapped(stored_values))
    before = rows()
    with pytest.raises(BackupError, match="tasks_question: what the database holds is not"):
        restore_backup(original)
    assert rows() == before


def swapped(values_of: Callable[..., list[object]]) -> Callable[..., list[object]]:
    """Loses the end of every question's text."""

    def values(fields: list[object], *rest: object) -> list[object]:
        found = values_of(fields, *rest)
        return [
            value[:-1] if str(field) == "tasks.Question.text" and isinstance(value, str) else value
            for field, value in zip(fields, found, strict=True)
        ]

    return values


def test_other_file_in_its_place_is_refused_and_what_was_placed_is_gone(
    original: Path, data_folder: Path
) -> None:
    last = read_manifest(original).files[-1]
    place = data_folder / Path(last.path).relative_to("files")
    place.parent.mkdir(parents=True)
    place.write_text("something else")
    before = rows()
    with pytest.raises(BackupError, match="is there already, with other content"):
        restore_backup(original)
    assert rows() == before
    assert [path for path in data_folder.rglob("*") if path.is_file()] == [place]
    assert place.read_text() == "something else"


def test_files_that_an_interrupted_restore_left_are_taken_over(
    original: Path, data_folder: Path
) -> None:
    entry = read_manifest(original).files[0]
    place = data_folder / Path(entry.path).relative_to("files")
    place.parent.mkdir(parents=True)
    place.write_bytes((original / entry.path).read_bytes())
    assert isinstance(restore_backup(original), Manifest)
    assert isinstance(entry, FileEntry)


def test_new_jobs_are_numbered_after_the_restored(original: Path, data_folder: Path) -> None:
    restore_backup(original)
    restored = Job.objects.get(input_hash="1")
    new = Job.objects.create(campaign=restored.campaign, kind=JobKind.TRAIN, input_hash="3")
    assert new.pk > restored.pk
