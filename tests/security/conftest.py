"""A filled campaign, once for all these tests, and browsers signed in as its people.

It lies in a transaction that ends with them. Nothing that a test does stays.
"""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from tasks.models import User
from tests.security.filled import Filled, fill

TEXTS = ["a spring <b>", "=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "＝1", "the mouth"]


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Requests are refused here on purpose: no warning says more."""
    logging.disable(logging.ERROR)
    yield
    logging.disable(logging.NOTSET)


@pytest.fixture(scope="package")
def _filled(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Filled]:  # fmt: skip
    with django_db_blocker.unblock(), transaction.atomic():
        yield fill(tmp_path_factory.mktemp("releases"), TEXTS)
        transaction.set_rollback(True)


@pytest.fixture
def filled(_filled: Filled, db: None) -> Filled:
    return _filled


def signed_in(username: str, *, checks_csrf: bool = False) -> Client:
    client = Client(enforce_csrf_checks=checks_csrf, raise_request_exception=False)
    client.force_login(
        User.objects.get(username=username), backend="django.contrib.auth.backends.ModelBackend"
    )
    return client


def content_of(response: Any) -> bytes:
    """The body, of a file too."""
    body: bytes = b"".join(response.streaming_content) if response.streaming else response.content
    return body
