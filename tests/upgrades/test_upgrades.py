"""What sites of earlier versions have is there after an upgrade to this one, and they go on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.backup.manifest import Manifest, read_manifest
from tests.site import ROOT, Site, running_site
from tests.upgrades.filling import RELEASED
from tests.upgrades.filling import VERSION as RELEASE
from tests.upgrades.fixtures import site_of, unpacked_backup, versions

pytestmark = pytest.mark.slow


# filled by the software; what of it a site has grows with the software
OF_THE_SOFTWARE = {"auth_permission", "django_content_type", "tasks_outcome"}
# addresses and secrets are sealed, those of 0.1.0 were not
CHANGED_BY_UPGRADING = {"tasks_webhook"}
# restoring adds an entry to the log and switches webhooks off, which campaigns know
CHANGED_BY_RESTORING = {"tasks_auditentry", "tasks_campaign", "tasks_webhook"}
LEFT = {
    "tasks_campaign": 4,
    "tasks_item": 24,
    "tasks_rating": 24,
    "tasks_firstlook": 1,
    "tasks_adjudication": 1,
    "tasks_release": 1,
    "tasks_webhook": 1,
    "tasks_trainedmatcher": 1,
    "tasks_suggestion": 1,
}
_FOUND = """
import json
from tests.upgrades.found import tables_as_backed_up
print(json.dumps(tables_as_backed_up({columns!r})))
"""
_GO_ON = """
from django.db import DatabaseError
from tasks.models import Rating
from tests.upgrades.filling import SAME, rate_next
before = Rating.objects.count()
rate_next(answers=SAME, key="after the upgrade")
print(Rating.objects.count() - before)
try:
    Rating.objects.update(comment="changed")
except DatabaseError as error:
    print("append-only" in str(error))
"""
_SECRETS_OF_BEFORE = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("UPDATE tasks_webhook SET secret = 'a secret of before'")
    cursor.execute(
        "INSERT INTO tasks_alertchannels (campaign_id, sends_mail, webhook_url, webhook_secret)"
        " SELECT min(id), true, 'https://alerts.example/', 'another of before'"
        " FROM tasks_campaign"
    )
    cursor.execute(
        "INSERT INTO otp_totp_totpdevice (user_id, name, confirmed, key, step, t0, digits,"
        " tolerance, drift, last_t, throttling_failure_count)"
        " SELECT min(id), 'app', true, %s, 30, 0, 6, 1, 0, -1, 0 FROM tasks_user", ["ab" * 40]
    )
    cursor.execute(
        "INSERT INTO otp_static_staticdevice (user_id, name, confirmed, throttling_failure_count)"
        " SELECT min(id), 'codes', true, 0 FROM tasks_user"
    )
    cursor.execute(
        "INSERT INTO otp_static_statictoken (device_id, token)"
        " SELECT id, 'abcd2345' FROM otp_static_staticdevice"
    )
"""
_SECRETS = """
import json
from django.db import connection
from tasks.models import AlertChannels, AuthenticatorApp, RecoveryCodes, Webhook
webhook, channels = Webhook.objects.get(), AlertChannels.objects.get()
clear = ["hooks.example", "of before", "alerts.example", "ab" * 40, "abcd2345"]
texts = []
with connection.cursor() as cursor:
    for table in connection.introspection.table_names(cursor):
        cursor.execute(f"SELECT * FROM {table}")
        texts += [str(row) for row in cursor.fetchall() if table != "tasks_auditentry"]
app, codes = AuthenticatorApp.objects.get(), RecoveryCodes.objects.filter(name="codes").first()
print(json.dumps({
    "webhook": [webhook.url, webhook.secret],
    "channels": [channels.webhook_url, channels.webhook_secret],
    "key": app.bin_key.hex(),
    "codes": [codes.verify_token("abcd2345"), codes.verify_token("abcd2345")],
    "in_the_clear": [each for each in clear if each in " ".join(texts)],
}))
"""
_SECRETS_AGAIN = """
import json
from django.db import connection
found = []
with connection.cursor() as cursor:
    for columns, table in (
        ("url, secret", "tasks_webhook"),
        ("webhook_url, webhook_secret", "tasks_alertchannels"),
        ("key", "otp_totp_totpdevice"),
        ("token", "otp_static_statictoken"),
    ):
        cursor.execute(f"SELECT {columns} FROM {table}")
        found.append([value for row in cursor.fetchall() for value in row])
print(json.dumps(found))
"""
_APPLIED = """
import json
from tasks.backup.migrations import applied_migrations
print(json.dumps(applied_migrations("default")))
"""

Tables = dict[str, list[object]]


@pytest.fixture(params=versions())
def left(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Site, Manifest]]:
    """A site as that version left it, and what its backup says is in it."""
    with site_of(request.param, tmp_path) as found:
        yield found


def said_by(manifest: Manifest, *, but: set[str]) -> Tables:
    """By table its rows and SHA-256."""
    named = {table.table: [table.rows, table.sha256] for table in manifest.tables}
    return {table: says for table, says in named.items() if table not in but}


def found_in(site: Site, manifest: Manifest, *, but: set[str]) -> Tables:
    """The same, of the columns that the tables had then."""
    columns = {table.table: table.columns for table in manifest.tables if table.table not in but}
    found: Tables = json.loads(site.python(_FOUND.format(columns=columns)))
    return found


def require_sound(site: Site) -> None:
    """The release verifies, the audit log holds, and a rater goes on."""
    site.manage("verify_release", str(site.folder / "releases" / RELEASED / RELEASE))
    audit = json.loads(site.manage("verify_audit", "--json"))
    assert (audit["ok"], audit["anchors"]["releases"]) == (True, 1)
    assert site.python(_GO_ON).split() == ["1", "True"]


def test_every_released_version_has_a_fixture() -> None:
    released = re.findall(r"^## (\d\S+) ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions() == sorted(released)


@pytest.mark.parametrize("version", versions())
def test_a_fixture_has_what_people_leave(version: str, tmp_path: Path) -> None:
    manifest = read_manifest(unpacked_backup(version, tmp_path))
    rows = {table.table: table.rows for table in manifest.tables}
    assert (manifest.software, {table: rows[table] for table in LEFT}) == (version, LEFT)


def test_everything_is_there_after_the_upgrade(left: tuple[Site, Manifest]) -> None:
    site, manifest = left
    site.manage("migrate", "--verbosity", "0")
    changed = OF_THE_SOFTWARE | CHANGED_BY_UPGRADING
    assert found_in(site, manifest, but=changed) == said_by(manifest, but=changed)
    require_sound(site)


def test_secrets_are_sealed_by_the_upgrade_and_good(left: tuple[Site, Manifest]) -> None:
    site, _manifest = left
    site.python(_SECRETS_OF_BEFORE)
    site.manage("migrate", "--verbosity", "0")
    found = json.loads(site.python(_SECRETS))
    assert found == {
        "webhook": ["https://hooks.example/", "a secret of before"],
        "channels": ["https://alerts.example/", "another of before"],
        "key": "ab" * 40,
        "codes": [True, False],
        "in_the_clear": [],
    }
    # and back, but for recovery codes, which are hashes
    site.manage("migrate", "tasks", "0012", "--verbosity", "0")
    assert json.loads(site.python(_SECRETS_AGAIN)) == [
        ["https://hooks.example/", "a secret of before"],
        ["https://alerts.example/", "another of before"],
        ["ab" * 40],
        [],
    ]
    site.manage("migrate", "--verbosity", "0")
    assert json.loads(site.python(_SECRETS))["key"] == "ab" * 40


def test_an_upgraded_site_moves_on_by_a_backup(left: tuple[Site, Manifest], tmp_path: Path) -> None:
    site, manifest = left
    site.manage("migrate", "--verbosity", "0")
    site.manage("backup", str(tmp_path / "backup"))
    with running_site(tmp_path / "new", start=False) as new:
        new.manage("restore", str(tmp_path / "backup"))
        changed = OF_THE_SOFTWARE | CHANGED_BY_RESTORING
        assert found_in(new, manifest, but=changed) == said_by(manifest, but=changed)
        require_sound(new)


@pytest.mark.parametrize("version", versions())
def test_backup_is_restored_or_the_version_named_that_can(version: str, tmp_path: Path) -> None:
    """Restored by this version if its migrations are the same."""
    backup = unpacked_backup(version, tmp_path / "backup")
    manifest = read_manifest(backup)
    changed = OF_THE_SOFTWARE | CHANGED_BY_RESTORING
    with running_site(tmp_path / "new", start=False) as new:
        if json.loads(new.python(_APPLIED)) != manifest.migrations:
            with pytest.raises(AssertionError, match=f"restore it with version {version}"):
                new.manage("restore", str(backup))
            return
        new.manage("restore", str(backup))
        assert found_in(new, manifest, but=changed) == said_by(manifest, but=changed)
        require_sound(new)
