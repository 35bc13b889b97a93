"""A real site takes a backup by itself, tries it, and another site is made of it."""

import base64
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest

from bootstrap.object_store import PrivateObjectStore
from tasks.release_store.bucket import Bucket
from tests.faults.campaigns import make_campaign
from tests.object_store import used
from tests.site import Site, running_site
from tests.tasks.management.test_schema import start

pytestmark = pytest.mark.slow

IS_POSTGRES = bool(os.environ.get("DATABASE_URL"))
KEY = bytes(range(32))
NAME_OF_KEY = "630dcd2966c43366"
_TAKE = """
import json
from tasks.backup.scheduled.workflow import back_up_if_due
taken = back_up_if_due()
taken.refresh_from_db()
fields = ("name", "place", "state", "trial", "key", "error", "rows", "bytes", "sha256")
print(json.dumps({name: getattr(taken, name) for name in fields}))
"""
_ITEMS = "from tasks.models import Item; print(Item.objects.count())"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with running_site(tmp_path / "site", start=False) as made:
        make_campaign(made, items=5, overlap=1, raters=1)
        yield made


def taken_by(site: Site, **variables: str) -> dict[str, Any]:
    site.environment.update(variables)
    found: dict[str, Any] = json.loads(site.python(_TAKE).strip().rpartition("\n")[2])
    return found


def restored(archive: Path, tmp_path: Path, **variables: str) -> Site:
    """Another site, on SQLite, made of the file."""
    environment = {"DATABASE_URL": "", **variables}
    made = Site(tmp_path / "restored", environment)
    made.manage("restore", str(archive))
    return made


def with_key(key: bytes) -> dict[str, str]:
    return {"TOMAHTO_BACKUP_KEY": base64.b64encode(key).decode()}


def databases_of_trials(site: Site) -> list[str]:
    with psycopg.connect(site.environment["DATABASE_URL"]) as connection:
        name = connection.info.dbname
        query = "SELECT datname FROM pg_database WHERE datname LIKE %s"
        return [row[0] for row in connection.execute(query, [f"{name}_trial%"])]


@pytest.mark.parametrize("key", [b"", KEY])
def test_backup_is_tried_kept_and_restored(site: Site, tmp_path: Path, key: bytes) -> None:
    taken = taken_by(site, **with_key(key))
    assert {name: taken[name] for name in ("state", "trial", "key", "error")} == {
        "state": "done",
        "trial": "restored",
        "key": NAME_OF_KEY if key else "",
        "error": "",
    }
    folder = site.folder / "backups"
    assert [each.name for each in folder.iterdir()] == [taken["name"]]
    archive = folder / taken["name"]
    assert archive.stat().st_size == taken["bytes"]
    assert (b"question" in archive.read_bytes()) is False
    site.manage("backup", str(archive), "--check")
    again = restored(archive, tmp_path, **with_key(key))
    assert again.python(_ITEMS) == "5\n"
    if IS_POSTGRES:
        assert databases_of_trials(site) == []


def test_encrypted_backup_is_not_restored_without_its_key(site: Site, tmp_path: Path) -> None:
    archive = site.folder / "backups" / taken_by(site, **with_key(KEY))["name"]
    done = start(tmp_path / "other", "restore", archive, **with_key(bytes(32)))
    assert done.returncode == 1
    assert f"the backup is encrypted with the key {NAME_OF_KEY}" in done.stderr
    assert "Traceback" not in done.stderr


def test_backup_is_not_begun_where_there_is_no_room(site: Site) -> None:
    code = (
        f"import shutil\nshutil.disk_usage = lambda _: type('U', (), {{'free': 5 << 20}})\n{_TAKE}"
    )
    taken = json.loads(site.python(code).strip().rpartition("\n")[2])
    assert taken["state"] == "failed"
    assert " has 5 MiB free, and a backup with its trial may need " in taken["error"]
    assert list((site.folder / "backups").iterdir()) == []


def test_backup_that_cannot_be_restored_is_not_kept(site: Site) -> None:
    damaged = """
from tasks.backup.scheduled import workflow
pack = workflow.pack
def pack_damaged(folder, archive, key):
    table = folder / "tables" / "tasks_item.jsonl"
    table.write_bytes(table.read_bytes()[:-5])
    pack(folder, archive, key)
workflow.pack = pack_damaged
"""
    taken = json.loads(site.python(damaged + _TAKE).strip().rpartition("\n")[2])
    assert taken["state"] == "failed"
    assert taken["error"].startswith("it cannot be restored: CommandError: ")
    assert "tables/tasks_item.jsonl is damaged" in taken["error"]
    assert list((site.folder / "backups").iterdir()) == []


def test_backup_goes_to_an_object_store(
    site: Site, object_store: PrivateObjectStore, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with used(object_store, monkeypatch) as place:
        site.environment.update({k: v for k, v in os.environ.items() if k.startswith("AWS_")})
        taken = taken_by(site, TOMAHTO_BACKUPS=str(place), **with_key(KEY))
        assert (taken["state"], taken["error"], taken["place"]) == ("done", "", str(place))
        bucket, key = Bucket(place.bucket), place.key(taken["name"])
        assert bucket.sizes(place.prefix) == {key: taken["bytes"]}
        archive = tmp_path / taken["name"]
        archive.write_bytes(bucket.open(key).read())
    assert list((site.folder / "backups").iterdir()) == []
    assert restored(archive, tmp_path, **with_key(KEY)).python(_ITEMS) == "5\n"


if IS_POSTGRES:

    def test_role_that_may_make_no_database_reads_the_backup_to_its_end(site: Site) -> None:
        address = site.environment["DATABASE_URL"]
        role = f"{urlsplit(address).path[1:]}_role"
        with psycopg.connect(address, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'plain'")
            connection.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}")
            connection.execute(f"GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO {role}")
        server = urlsplit(address)
        place = f"{role}:plain@{server.netloc.rpartition('@')[2]}"
        try:
            taken = taken_by(site, DATABASE_URL=server._replace(netloc=place).geturl())
        finally:
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute(f"DROP OWNED BY {role}")
                connection.execute(f"DROP ROLE {role}")
        assert (taken["state"], taken["trial"], taken["error"]) == ("done", "whole", "")
