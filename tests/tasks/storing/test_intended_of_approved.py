"""Items of texts that were approved before it was kept what they were meant to be."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection

from tasks.models import GeneratedText, Item
from tasks.prefill.workflow.generation import approve
from tests.factories import make_campaign, make_item, make_member
from tests.tasks.prefill.drafts import draft

pytestmark = pytest.mark.django_db
MIGRATION = "tasks.migrations.0002_item_intended"


def test_items_take_over_what_their_texts_were_meant_to_be() -> None:
    campaign = make_campaign("classes", protocol="cap")
    make_item(campaign, references=("in the hills",))
    drafts = [
        draft(campaign, "in hills"),
        draft(campaign, "own", source=None, target="invalid", fingerprint="f" * 64),
        draft(campaign, "pending", target="exact"),
    ]
    admin = make_member(campaign, "admin", "elm")
    approve(campaign=campaign, ids=[text.pk for text in drafts[:2]], by=admin)
    other = make_campaign("other", protocol="cap")
    make_item(other, candidate="in hills")
    Item.objects.update(intended="")
    import_module(MIGRATION).take_over_targets(apps, connection.schema_editor())
    found = Item.objects.order_by("id").values_list("candidate", "intended")
    assert list(found) == [
        ("far from the sea", ""),
        ("in hills", "partial"),
        ("own", "invalid"),
        ("in hills", ""),
    ]
    assert GeneratedText.objects.filter(state="pending").count() == 1
