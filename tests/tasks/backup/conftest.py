"""Backups of real sites, one of each kind of database, to be restored into the test's own."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.contrib.contenttypes.models import ContentType
from pytest_django import Settings

from bootstrap.services import POSTGRES_URL, PrivatePostgres
from tests.site import Site, running_site

RUNS_OWN = "DATABASE_URL"
_FILL = """
import json
from pathlib import Path
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils.timezone import now
from exporters.planned_release import ReleasePlan
from tasks.models import Job, JobKind, LoginAttempts, TrainedMatcher
from tasks.events.workflow.events import add_webhook
from tasks.releases.workflow.release import publish_release
from tests.factories import make_campaign, make_labelled_items, make_member
campaign = make_campaign("lakes", overlap=1)
make_labelled_items(campaign, items=6, documents=3)
make_member(campaign, role="admin", username="Ünal")
numbers = [1e16, -1e300, 1e-7, 0.1, -0.0, 3.0, 10**30, None, True, "1e16", {"b": 1, "a": [2.5e17]}]
job = Job.objects.create(
    campaign=campaign, kind=JobKind.TRAIN, input_hash="1", parameters=dict(numbers=numbers),
    error="two\\nlines, a tab\\t, a \\u2028 and \\U0001f34b",
)
Job.objects.create(campaign=campaign, kind=JobKind.TRAIN, input_hash="2").delete()
folder = Path(settings.MATCHERS_DIR) / "lakes" / "b1"
folder.mkdir(parents=True)
(folder / "weights.bin").write_bytes(bytes(range(256)))
TrainedMatcher.objects.create(
    campaign=campaign, kind="bem", digest="b1", labels=2, correct=1, ties=0, documents=2, seed=0,
    learning_curve={}, job=job, folder="lakes/b1",
)
LoginAttempts.objects.create(subject="account:ann", tried=1, counted_from=now())
add_webhook(campaign=campaign, url="https://hooks.example/", events=["rating.stored"])
Session.objects.create(session_key="s" * 32, session_data="x", expire_date=now())
settings.ALIASES_FILE = settings.DATA_DIR / "aliases.jsonl"
settings.ALIASES_FILE.write_text('["a", "b"]\\n')
publish_release(
    campaign=campaign, out=Path(settings.RELEASES_DIR) / "lakes" / "1.0.0",
    plan=ReleasePlan(version="1.0.0", split="document:dev=50,test=50", seed=0, formats=()),
)
call_command("backup", "{backup}")
"""


@contextmanager
def _migrated_site(folder: Path, kind: str) -> Iterator[Site]:
    """On SQLite, or on a database of its own, for which there may have to be a server first."""
    server = os.environ.get(POSTGRES_URL) or os.environ.get(RUNS_OWN) or ""
    if kind == "postgresql" and not server:
        folder.mkdir()
        with PrivatePostgres() as private:
            yield Site(folder, {RUNS_OWN: private.url})
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(RUNS_OWN, server if kind == "postgresql" else "")
        with running_site(folder, start=False) as site:
            yield site


def _backup_of_a_site(folder: Path, kind: str) -> Path:
    """With ratings, a release, its own matcher, and values that databases write differently."""
    with _migrated_site(folder / "site", kind) as site:
        site.python(_FILL.replace("{backup}", str(folder / "backup")))
    return folder / "backup"


@pytest.fixture(scope="package")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of a site on SQLite; nobody changes it."""
    return _backup_of_a_site(tmp_path_factory.mktemp("sqlite"), "sqlite")


@pytest.fixture(scope="package")
def _of_postgres(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _backup_of_a_site(tmp_path_factory.mktemp("postgresql"), "postgresql")


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest) -> Path:
    """A backup of a site on either database; nobody changes it."""
    names = {"sqlite": "original", "postgresql": "_of_postgres"}
    backup: Path = request.getfixturevalue(names[request.param])
    return backup


@pytest.fixture
def backup(original: Path, tmp_path: Path) -> Path:
    """A copy to damage."""
    return Path(shutil.copytree(original, tmp_path / "backup"))


@pytest.fixture
def data_folder(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """An empty data folder for what is restored."""
    settings.DATA_DIR = tmp_path / "data"
    settings.RELEASES_DIR = settings.DATA_DIR / "releases"
    settings.MATCHERS_DIR = settings.DATA_DIR / "matchers"
    yield settings.DATA_DIR
    ContentType.objects.clear_cache()
