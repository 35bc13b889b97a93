"""The number of statements of an import of one row, whatever the size of the campaign."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tasks.intake.workflow.files import ImportFile, take_in
from tasks.models import Campaign
from tests.bulk import fill
from tests.factories import make_campaign

ITEM = {
    "id": "i",
    "question_id": "q",
    "document": "d",
    "question": "What is it?",
    "context": "It is a lake.",
    "references": ["a lake"],
    "candidate": "a sea",
    "systems": ["juniper"],
}
ROWS: dict[str, tuple[str, dict[str, Any]]] = {
    "item": ("items", ITEM),
    "item again": ("items", ITEM),
    "question": ("questions", {"id": "q2", "question": "Where?", "references": ["here"]}),
    "prediction": ("predictions", {"id": "q2", "prediction": "there"}),
    "rating": ("ratings", {"id": "i", "rater": "r", "label": "equivalent"}),
    "rating with its item": (
        "ratings",
        {**ITEM, "id": "i2", "candidate": "sea", "rater": "r", "label": "equivalent"},
    ),
}
# savepoints and the locks of an import included
COST = {
    "sqlite": {
        "item": 28,
        "item again": 27,
        "question": 20,
        "prediction": 30,
        "rating": 33,
        "rating with its item": 39,
    },
    "postgresql": {
        "item": 23,
        "item again": 26,
        "question": 17,
        "prediction": 27,
        "rating": 30,
        "rating with its item": 36,
    },
}
AT_MOST = 30  # of an item


def statements_of(campaign: Campaign, kind: str, row: dict[str, Any], folder: Path) -> int:
    path = folder / "one.jsonl"
    path.write_text(json.dumps(row))
    file = ImportFile(path, None, system="larch" if kind == "predictions" else "")
    with CaptureQueriesContext(connection) as queries:
        take_in(campaign=campaign, kind=kind, file=file)
    return len(queries)


@pytest.mark.parametrize("items", [2, 1500])
def test_import_of_one_row_takes_as_many_statements_in_every_campaign(
    db: None, tmp_path: Path, items: int
) -> None:
    campaign = make_campaign()
    fill(campaign, items)
    cost = {name: statements_of(campaign, *row, tmp_path) for name, row in ROWS.items()}
    assert cost == COST[connection.vendor]
    assert max(cost["item"], cost["item again"]) <= AT_MOST
