"""The builders' rows for tests are those of the product's imports and workflow."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.models import DateTimeField, Field, Model

from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.items import import_items
from tasks.models import Campaign
from tests.factories import make_campaign, new_row
from tests.stored_at_once import store_items
from tomahto.interchange.reading.records import GivenAnswer

# of an entry of the audit log, which follow from times; drawn for each campaign
DIFFERENT = {"previous", "hash", "pseudonym_secret"}
Tables = dict[str, list[dict[str, object]]]


def tables_after(make: Callable[[], object]) -> Tables:
    """All rows of all tables, with their places in their tables for ids, and without times. What
    was made is gone then."""
    with transaction.atomic():
        make()
        models = list(apps.get_app_config("tasks").get_models())
        rows = {model: list(model._base_manager.order_by("pk")) for model in models}
        transaction.set_rollback(True)
    places = {
        model: {row.pk: place for place, row in enumerate(found)} for model, found in rows.items()
    }

    def value(field: "Field[Any, Any]", row: Model) -> object:
        stored = getattr(row, field.attname)
        model = field.model if field.primary_key else field.related_model
        return places[model].get(stored) if model in places else stored

    return {
        model._meta.db_table: [
            {
                field.name: value(field, row)
                for field in model._meta.concrete_fields
                if not isinstance(field, DateTimeField) and field.name not in DIFFERENT
            }
            for row in found
        ]
        for model, found in rows.items()
    }


def test_store_items_writes_the_rows_that_import_items_writes(db: None) -> None:
    campaign = make_campaign("rivers")
    first, second = new_row(), new_row(systems=("rowan", "juniper"))
    store_items(campaign, [first, second])
    rows = [
        new_row(),
        replace(second, systems=("alder", "rowan")),  # there already
        replace(first, id="more", references=("far away",), document=None),  # of the same question
        new_row(id=None, question_key=None, references=("in the hills", "up there")),
        new_row(id=None, question_key=None, systems=(), question_type="who", split="dev"),
        new_row(purpose="calibration", expected=GivenAnswer("equivalent"), explanation="It is."),
        new_row(purpose="control", expected=GivenAnswer("not-equivalent"), intended="wrong"),
    ]
    stored = tables_after(lambda: store_items(campaign, rows))
    assert stored == tables_after(lambda: import_items(campaign=campaign, rows=rows))
    assert {name: len(stored[f"tasks_{name}"]) for name in ("item", "slot", "itemsystem")} == {
        "item": 9,
        "slot": 14,  # two for each of the live ones
        "itemsystem": 10,
    }


def test_make_campaign_writes_the_rows_that_create_campaign_writes(db: None) -> None:
    def create() -> Campaign:
        return create_campaign(slug="rivers", protocol="cap", overlap=3, title="Rivers")

    made = tables_after(lambda: make_campaign("rivers", protocol="cap", overlap=3, title="Rivers"))
    assert made == tables_after(create)
