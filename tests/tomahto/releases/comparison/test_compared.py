"""A release says the same before it is written and when it is read from its folder."""

from dataclasses import replace
from pathlib import Path

import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import compared, write_release
from tests.exporters.samples import ADJUDICATIONS, CAP_CONTENT, CONTENT
from tomahto.releases.comparison.compared import KEYS, ComparedRelease, stored_release
from tomahto.releases.comparison.diff import compare
from tomahto.releases.records.records import SplitSpec

BY_SYSTEM = SplitSpec("system", {}, {"dev": ("luke", "xlnet"), "test": ("bidaf",)})
CONTENTS = {
    "ae": CONTENT,
    "cap": CAP_CONTENT,
    "adjudicated": replace(CONTENT, adjudications=ADJUDICATIONS, labels="adjudicated"),
    "by system": replace(CONTENT, spec=BY_SYSTEM, adjudications=ADJUDICATIONS),
    "folds": replace(CONTENT, spec=SplitSpec("folds", {"fold1": 50.0, "fold2": 50.0})),
}


def everything(release: ComparedRelease) -> list[object]:
    return [
        release.heading,
        *(list(release.rows(table)) for table in KEYS),
    ]


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_a_planned_release_is_what_its_folder_says(content: ReleaseContent, tmp_path: Path) -> None:
    write_release(content, tmp_path / "out")
    stored, planned = stored_release(tmp_path / "out"), compared(content)
    assert everything(stored) == everything(planned)
    assert compare(stored, planned).required_bump == "none"


def test_a_planned_release_has_every_item_rating_and_decision_in_order() -> None:
    release = compared(CONTENTS["adjudicated"])
    assert [item.key[0] for item in release.rows("items")] == ["a1", "a2", "b1", "c1", "d1"]
    ratings = list(release.rows("ratings"))
    assert [rating.key for rating in ratings][:3] == [("a1", "r1"), ("a1", "r2"), ("a1", "r3")]
    # label, counted, seconds, microseconds since 1970, guideline, shown, wording, set aside,
    # answers by question, comment
    assert ratings[0].says == (
        *("equivalent", True, 2.5, 1772368200250000, 2, False, "", False),
        *((("q1", "no"), ("q2", "yes")), ""),
    )
    (unknown,) = (rating for rating in ratings if rating.key == ("c1", "r2"))
    assert (*unknown.says[2:6], unknown.says[-1]) == (None, None, 2, None, "")
    assert [decision.key for decision in release.rows("adjudications")] == [
        *(("a1", "x1"), ("a1", "x2"), ("d1", "x1"))
    ]
