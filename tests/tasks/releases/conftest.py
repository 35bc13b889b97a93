"""Campaigns and releases that the tests of a module look at; what one of them changes is undone."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from tasks.models import Campaign
from tests.tasks.releases.releasing import rated_campaign


@pytest.fixture(scope="module")
def kept_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Rows that fixtures of a module store stay until its last test."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def _kept_campaign(kept_rows: None) -> Campaign:
    return rated_campaign()


@pytest.fixture
def rated(_kept_campaign: Campaign, db: None) -> Campaign:
    """Six items of three documents, each rated twice."""
    return Campaign.objects.get(pk=_kept_campaign.pk)
