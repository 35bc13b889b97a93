"""A backup from either database is there again in the other, or nothing is."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import DatabaseError, IntegrityError, transaction
from django.utils.timezone import now

from tasks.audit.queries import check_chain
from tasks.backup import restoring
from tasks.backup.manifest import BackupError, Manifest, read_manifest
from tasks.backup.reading import row_reader
from tasks.backup.restoring import restore_backup
from tasks.models import AuditEntry, Campaign, Job, JobKind, Outcome, Rating, Release, Webhook
from tasks.release_store.files import NoSuchFile
from tasks.release_store.released import files_of
from tests.factories import make_campaign, make_labelled_items
from tests.sampling import some_of
from tests.tasks.backup.steps import change_rows, plant, rewrite_manifest
from tomahto.releases.files.folder import FileEntry
from tomahto.releases.verification.verify import verify_release

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def rows() -> dict[str, int]:
    return {m._meta.db_table: m._base_manager.count() for m in apps.get_models()}


def test_every_table_and_file_is_there_again(either: Path, data_folder: Path) -> None:
    manifest = restore_backup(either)
    there = rows()
    there["tasks_auditentry"] -= 3  # that it was restored, and what waits therefore
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
    either: Path, data_folder: Path
) -> None:
    lines = (either / "tables" / "tasks_auditentry.jsonl").read_bytes().splitlines()
    restore_backup(either)
    chain = check_chain()
    assert (chain.entries, chain.fault) == (len(lines) + 3, "")
    assert len(lines) > 5
    assert AuditEntry.objects.latest("sequence").action == "backup.restored"


def test_numbers_and_texts_that_databases_write_differently_survive(
    either: Path, data_folder: Path
) -> None:
    restore_backup(either)
    job = Job.objects.get(input_hash="1")
    numbers = [10**16, -(10**300), 1e-7, 0.1, 0.0, 3.0, 10**30, None, True, "1e16"]
    assert job.parameters["numbers"] == [*numbers, {"a": [250000000000000000], "b": 1}]
    assert job.error == "two\nlines, a tab\t, a \u2028 and \U0001f34b"


def test_sessions_and_the_secret_key_are_not_in_a_backup(either: Path) -> None:
    assert "django_session" not in {table.table for table in read_manifest(either).tables}
    assert not [path for path in either.rglob("*") if "secret" in path.name]
    assert either.stat().st_mode & 0o077 == 0


def test_a_restored_site_goes_on(either: Path, data_folder: Path) -> None:
    restore_backup(either)
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
    del manifest["migrations"]["auth"][-1]


def before_the_first_release(manifest: dict[str, dict[str, list[str]]]) -> None:
    manifest["migrations"]["tasks"] = ["0001_schema", "0002_candidate_scores_and_provenance"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (newer, "from a newer version: it has the migration tasks.9999_later"),
        (older, "from an older version: it lacks the migration auth.0"),
        (before_the_first_release, "older than Tomahto 0.1.0, the first release"),
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
    change_rows(backup, "tasks_rating", only=3, item_id=10**6)
    before = rows()
    with pytest.raises(BackupError, match=r"tables/tasks_rating.jsonl: line 3: cannot be stored"):
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
    monkeypatch.setattr(restoring, "row_reader", swapped(row_reader))
    before = rows()
    with pytest.raises(BackupError, match="tasks_question: the database differs from"):
        restore_backup(original)
    assert rows() == before


def swapped(reader_of: Callable[..., Callable[[bytes], list[object]]]) -> object:
    """Loses the end of every question's text."""

    def reader(fields: list[object], database: object) -> Callable[[bytes], list[object]]:
        read, place = reader_of(fields, database), list(map(str, fields))
        return lambda line: [
            value[:-1] if name == "tasks.Question.text" and isinstance(value, str) else value
            for name, value in zip(place, read(line), strict=True)
        ]

    return reader


def test_other_file_in_its_place_is_refused_and_what_was_placed_is_gone(
    original: Path, data_folder: Path
) -> None:
    last = read_manifest(original).files[-1]
    place = data_folder / Path(last.path).relative_to("files")
    place.parent.mkdir(parents=True)
    place.write_text("something else")
    before = rows()
    with pytest.raises(BackupError, match="already exists with other content"):
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


def test_new_jobs_are_numbered_after_the_restored(either: Path, data_folder: Path) -> None:
    restore_backup(either)
    restored = Job.objects.get(input_hash="1")
    new = Job.objects.create(campaign=restored.campaign, kind=JobKind.TRAIN, input_hash="3")
    assert new.pk > restored.pk


PLANTED = [
    "logins.txt",
    "secret-key",
    "queue/1.message",
    "answerers.toml/more",
    "db.sqlite3",
    "releases/1.0.0",
    "releases/lakes/9.9.9/README.md",
    "matchers/lakes/b2/weights.bin",
    "releases/.partial/x",
]


@pytest.mark.parametrize("path", some_of(PLANTED, 4))
def test_file_where_no_backup_has_one_is_refused(
    backup: Path, path: str, data_folder: Path
) -> None:
    plant(backup, path)
    before = rows()
    with pytest.raises(BackupError, match=f"files/{path}: not a file of a backup"):
        restore_backup(backup)
    assert rows() == before
    assert not [place for place in data_folder.rglob("*") if place.is_file()]


def test_configuration_is_laid_beside_its_place(backup: Path, data_folder: Path) -> None:
    plant(backup, "answerers.toml", b"[answerers]\n")
    restore_backup(backup)
    assert not (data_folder / "answerers.toml").exists()
    assert (data_folder / "answerers.toml.restored").read_bytes() == b"[answerers]\n"


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("tasks_release", {"path": "releases:../../etc"}),
        ("tasks_release", {"path": "releases:"}),
        ("tasks_release", {"path": "/etc/../etc"}),
        ("tasks_trainedmatcher", {"folder": "../releases"}),
        ("tasks_trainedmatcher", {"folder": "/etc"}),
        ("tasks_trainedmatcher", {"folder": "lakes/../b1"}),
    ],
)
def test_row_that_leads_out_of_the_sites_folders_is_refused(
    backup: Path, table: str, values: dict[str, Any], data_folder: Path
) -> None:
    change_rows(backup, table, **values)
    before = rows()
    with pytest.raises(BackupError, match=r"is not (a|the) folder|found where a"):
        restore_backup(backup)
    assert rows() == before
    assert not data_folder.exists()


@pytest.mark.parametrize("is_whole_release", [True, False])
def test_release_elsewhere_gives_out_nothing_but_that_release(
    backup: Path, tmp_path: Path, data_folder: Path, is_whole_release: bool
) -> None:
    elsewhere = tmp_path / "elsewhere"
    if is_whole_release:
        shutil.copytree(backup / "files" / "releases" / "lakes" / "1.0.0", elsewhere)
    else:
        elsewhere.mkdir()
    (elsewhere / "passwd").write_text("root")
    shutil.rmtree(backup / "files" / "releases")
    change_rows(backup, "tasks_release", path=str(elsewhere))
    is_there = lambda file: not file["path"].startswith("files/releases/")  # noqa: E731
    rewrite_manifest(
        backup, lambda manifest: manifest.update(files=list(filter(is_there, manifest["files"])))
    )
    restore_backup(backup)
    files = files_of(Release.objects.get())
    assert ("README.md" in {file.path for file in files.listed()}) is is_whole_release
    assert "passwd" not in {file.path for file in files.listed()}
    with pytest.raises(NoSuchFile):
        files.open("passwd")


REFUSED = [
    ("tasks_campaign", {"rater_quota": 2**63}, "field rater_quota: Ensure this value is less"),
    ("tasks_campaign", {"slug": "../../x"}, "field slug: lower-case letters"),
    ("tasks_release", {"version": "../../x"}, "field version: version '../../x' is not three"),
    ("tasks_release", {"path": 5}, "field path: 5 is not a value of this column"),
    ("tasks_slot", {"number": 1, "item_id": 1}, "cannot be stored: "),  # twice
    ("tasks_rating", {"seconds": -1.0}, "cannot be stored: "),  # of the table's own constraints
    (
        "tasks_rating",
        {"guideline_id": 10**6},
        "field guideline_id: tasks_guideline has no row 1000",
    ),
    (
        "tasks_campaign",
        {"guideline_id": 10**6},
        "field guideline_id: tasks_guideline has no row 10",
    ),
    ("tasks_rating", {"outcome_id": "ae:\nx"}, ""),  # by a trigger, or as no row of outcomes
]


@pytest.mark.parametrize(("table", "values", "said"), REFUSED)
def test_row_that_no_site_has_is_named_and_leaves_nothing_behind(
    backup: Path, table: str, values: dict[str, Any], said: str, data_folder: Path
) -> None:
    number = len((backup / "tables" / f"{table}.jsonl").read_bytes().splitlines())
    change_rows(backup, table, only=number, **values)
    before = rows()
    with pytest.raises(BackupError) as refused:
        restore_backup(backup)
    assert str(refused.value).startswith(f"tables/{table}.jsonl: line {number}: {said}")
    assert str(refused.value).isprintable()
    assert rows() == before
    assert not data_folder.exists()


def test_line_longer_than_any_row_is_not_read(
    backup: Path, data_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(restoring, "_LONGEST_LINE", 1 << 20)
    change_rows(backup, "tasks_campaign", description="x" * (1 << 20))
    with pytest.raises(BackupError, match=r"tasks_campaign.jsonl: line 1: is longer than 1 MiB"):
        restore_backup(backup)


@pytest.mark.parametrize("columns", [["id"], ["id", "id"], ["id", "colour\n"]])
def test_other_columns_are_named(backup: Path, columns: list[str], data_folder: Path) -> None:
    """One that is there twice as well."""

    def change(manifest: dict[str, list[dict[str, Any]]]) -> None:
        table = next(each for each in manifest["tables"] if each["table"] == "tasks_withdrawal")
        table["columns"] = [*columns, *(each for each in table["columns"] if each != "id")]

    rewrite_manifest(backup, change)
    if columns == ["id"]:
        assert restore_backup(backup)
        return
    with pytest.raises(BackupError, match=f"in the columns {columns[1].strip()}$"):
        restore_backup(backup)


def test_a_restored_site_waits_for_its_operators(original: Path, data_folder: Path) -> None:
    """Nothing that was waiting in the old site acts by itself in the new one."""
    Session.objects.create(session_key="t" * 32, session_data="x", expire_date=now())
    restore_backup(original)
    assert not Session.objects.exists()
    assert set(Job.objects.values_list("state", flat=True)) == {"cancelled"}
    assert set(Webhook.objects.values_list("is_active", flat=True)) == {False}
    assert set(Campaign.objects.values_list("webhook_events", flat=True)) == {""}
