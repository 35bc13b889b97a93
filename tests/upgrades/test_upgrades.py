"""The rows of sites of earlier versions are there after an upgrade to this one, and their work goes
on."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tasks.backup.manifest import Manifest, read_manifest
from tests.site import ROOT, Site, running_site
from tests.upgrades.fixtures import site_of, unpacked_backup, versions

pytestmark = [pytest.mark.slow, pytest.mark.thorough]


# filled by the software; what of it a site has grows with the software
OF_THE_SOFTWARE = {"auth_permission", "django_content_type", "tasks_outcome"}
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
from pathlib import Path
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError
from tasks.models import Rating
from tests.upgrades.filling import RELEASED, SAME, VERSION, rate_next
from tomahto.releases.verification.verify import verify_release
print(verify_release(Path(settings.RELEASES_DIR, RELEASED, VERSION)))
call_command("verify_audit", json=True)
before = Rating.objects.count()
rate_next(answers=SAME, key="after the upgrade")
print(Rating.objects.count() - before)
try:
    Rating.objects.update(comment="changed")
except DatabaseError as error:
    print("append-only" in str(error))
"""
_RULES = """
from tasks.models import Campaign
print(*Campaign.objects.values_list("exact_rule", flat=True))
"""
_SECRETS = """
from tasks.models import Campaign
print(*Campaign.objects.values_list("pseudonym_secret", flat=True))
"""
_APPLIED = """
import json
from tasks.backup.tables import applied_migrations
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
    differences, audit, *went_on = site.python(_GO_ON).splitlines()
    chain = json.loads(audit)
    assert (differences, chain["ok"], chain["anchors"]["releases"]) == ("[]", True, 1)
    assert went_on == ["1", "True"]


def test_every_released_version_has_a_fixture() -> None:
    released = re.findall(r"^## (\d\S+) ", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert versions() == sorted(released)


@pytest.mark.parametrize("version", versions())
def test_a_fixture_has_what_people_leave(version: str, tmp_path: Path) -> None:
    manifest = read_manifest(unpacked_backup(version, tmp_path))
    rows = {table.table: table.rows for table in manifest.tables}
    assert (manifest.software, {table: rows[table] for table in LEFT}) == (version, LEFT)


@pytest.mark.representative("a site of an earlier version upgraded")
def test_everything_is_there_after_the_upgrade(left: tuple[Site, Manifest]) -> None:
    site, manifest = left
    site.manage("migrate", "--verbosity", "0")
    expected = said_by(manifest, but=OF_THE_SOFTWARE)
    assert found_in(site, manifest, but=OF_THE_SOFTWARE) == expected
    if manifest.software == "0.1.0":  # which had that rule alone
        assert site.python(_RULES).split() == ["squad"] * LEFT["tasks_campaign"]
        own = set(site.python(_SECRETS).split())
        assert [len(secret) for secret in own] == [64] * LEFT["tasks_campaign"]
    require_sound(site)


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
