"""Settings of every test: fast password hashes, no look at every static file, no model hub, no
deadlines."""

import gc
import os
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import connection
from django.utils import translation
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from pytest_django import Settings

from annotation_site.postgres import Limits
from bootstrap.services import PrivateObjectStore
from tests.drawn_once import charts_are_drawn_once, drawn
from tests.migrated import copied_into, migrated_database
from tests.sampling import IS_WHOLE

__all__ = ["charts_are_drawn_once", "drawn"]

os.environ.setdefault("HF_HUB_OFFLINE", "1")
# last: it may be a folder with everything else in it
if openssh := os.environ.get("TOMAHTO_TEST_OPENSSH_BIN"):
    os.environ["PATH"] += os.pathsep + openssh

# A busy machine may pause any example: a deadline would test the machine, not the code.
# The same examples in every run, so that what fails once fails again, and more of them where there
# is time; others are tried by `./test --hypothesis-profile explore`.
_patient = hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
_examples = 50 if IS_WHOLE else 25
hypothesis_settings.register_profile("tomahto", _patient, derandomize=True, max_examples=_examples)
hypothesis_settings.register_profile("explore", _patient, max_examples=500)
hypothesis_settings.load_profile("tomahto")


def pytest_collection_finish() -> None:
    """The modules of thousands of tests stay: looking through them for garbage takes a tenth of the
    time of a run."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _language_of_nobody() -> None:
    """A page in German leaves its language to whoever comes next in this thread."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def _quick_settings(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    # else every test client opens each of the static files before its first request
    settings.WHITENOISE_AUTOREFRESH = True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings_parallel_suffix: None,
) -> Iterator[None]:
    """Tests begin with a copy of a migrated database. The name is pytest-django's."""
    creation = connection.creation
    if server := os.environ.get("DATABASE_URL", ""):
        connection.settings_dict["TEST"]["TEMPLATE"] = migrated_database(server)
        # before the test that asks is given up
        connection.settings_dict["LIMITS"] = Limits(statement=100, idle=150)
        yield
        return
    # in memory; pytest-django sees that for Django's own engine only
    connection.settings_dict["TEST"]["NAME"] = None
    with ExitStack() as copies, pytest.MonkeyPatch.context() as patch:
        create = creation._create_test_db  # type: ignore[attr-defined]  # Django's own

        def create_copy(*arguments: Any, **options: Any) -> str:
            name = str(create(*arguments, **options))
            copies.enter_context(copied_into(name))
            return name

        patch.setattr(creation, "_create_test_db", create_copy)
        yield


@pytest.fixture(scope="session")
def object_store() -> Iterator[PrivateObjectStore]:
    """A real S3-compatible store. Who breaks it mends it."""
    with PrivateObjectStore() as server:
        yield server
