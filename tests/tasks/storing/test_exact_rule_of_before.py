"""Answers that were settled before there was a strict rule."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from tasks.models import Candidate, System
from tests.factories import make_campaign, make_item

pytestmark = pytest.mark.django_db
MIGRATION = "tasks.migrations.0003_campaign_exact_rule"


def test_empty_answers_are_exact_no_longer() -> None:
    campaign = make_campaign("lakes")
    question = make_item(campaign).question
    for text in ("", " \n", "the"):
        system = System.objects.create(campaign=campaign, name=f"system {text!r}")
        Candidate.objects.create(system=system, question=question, text=text, is_exact_match=True)
    import_module(MIGRATION).unsettle_empty_answers(apps, connection.schema_editor())
    found = Candidate.objects.order_by("id").values_list("text", "is_exact_match")
    assert list(found) == [("", False), (" \n", False), ("the", True)]
