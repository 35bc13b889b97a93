from dataclasses import replace
from typing import Any

import pytest

from tests.exporters.builders import compared
from tests.exporters.samples import ADJUDICATIONS, CAMPAIGN, CONTENT, ITEMS, RATINGS
from tomahto.releases.comparison.diff import compare
from tomahto.releases.comparison.diff_reasons import step_reasons

KEPT = {"A": "test", "B": "test", "C": "dev", "D": "dev"}
BEFORE = replace(CONTENT, kept_documents=KEPT)
LAST_GONE = [rating for rating in RATINGS if rating.item_id != "d1"]


RELABELLED = (
    "2 items have another label: 'a1' (equivalent → not-equivalent), "
    "'b1' (equivalent → not-equivalent)"
)
MOVED = "4 items are in another split: 'a1' (test → dev), 'a2' (test → dev), 'b1' (test → dev), …"


@pytest.mark.parametrize(
    ("changes", "reasons"),
    [
        ({}, ()),
        (
            {"campaign": replace(CAMPAIGN, title="Cities", language="de")},
            ("documentation differs: title, inLanguage",),
        ),
        (
            {"ratings": (replace(RATINGS[0], seconds=9.0), *RATINGS[2:])},
            ("1 rating is gone: 'a1' by 'r2'", "1 rating says something else: 'a1' by 'r1'"),
        ),
        ({"adjudications": ADJUDICATIONS, "labels": "adjudicated", "seed": 1}, (RELABELLED,)),
        ({"kept_documents": {**KEPT, "A": "dev", "B": "dev", "C": "test"}}, (MOVED,)),
        (
            {"items": [replace(ITEMS[0], candidate="Lyon"), *ITEMS[1:]], "ratings": LAST_GONE},
            ("1 item is gone: 'd1'", "1 item has other texts: 'a1' (candidate)"),
        ),
    ],
)
def test_step_reasons_name_what_requires_the_step(
    changes: dict[str, Any], reasons: tuple[str, ...]
) -> None:
    diff = compare(compared(BEFORE), compared(replace(BEFORE, **changes)))
    assert step_reasons(diff) == reasons
