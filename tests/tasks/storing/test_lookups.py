"""Rows by many values."""

import pytest

from tasks.models import Campaign, Item
from tasks.storing import database
from tasks.storing.database import rows_with


@pytest.mark.parametrize("at_once", [1, 2, 100])
def test_rows_with_finds_each_row_once_however_many_values_there_are(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(database, "_AT_ONCE", {"postgresql": at_once, "sqlite": at_once})
    items = dict(Item.objects.values_list("pk", "key"))
    keys = Item.objects.values_list("key", flat=True)
    assert sorted(rows_with(keys, "pk", [0, *items])) == sorted(items.values())
    assert sorted(rows_with(keys, "key", [*items.values(), "none"])) == sorted(items.values())
    assert list(rows_with(keys, "question", [])) == []
