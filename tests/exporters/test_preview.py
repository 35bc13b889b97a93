"""A preview says what the release then says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import release_preview, write_release
from tests.exporters.samples import CONTENT, RATINGS
from tomahto.releases.dataset.choices import parse_split_spec

BY_SYSTEM = replace(CONTENT, spec=parse_split_spec("system:dev=bidaf,test=xlnet:others=omit"))


def stored(folder: Path, name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("content", [CONTENT, BY_SYSTEM], ids=["by document", "by system"])
def test_preview_has_the_figures_of_the_release(content: ReleaseContent, tmp_path: Path) -> None:
    preview = release_preview(content)
    write_release(content, tmp_path / "out")
    agreement = stored(tmp_path / "out", "agreement.json")
    parts = [agreement["whole"], *agreement["splits"].values()]  # type: ignore[attr-defined]  # JSON
    for part in parts:
        del part["kappa"], part["questions"]
    assert preview == {
        "statistics": stored(tmp_path / "out", "statistics.json"),
        "splits": stored(tmp_path / "out", "splits.json"),
        "agreement": agreement,
        "items_without_ratings": 1,  # e1
        "items_left_out": 1 if content is BY_SYSTEM else 0,  # b1 is of luke alone
        "left_out": stored(tmp_path / "out", "manifest.json")["left_out"],
        "findings": [],
    }


def test_preview_names_comments_that_may_hold_personal_data() -> None:
    first, *others = RATINGS
    ratings = (replace(first, comment="call 555-0199"), *others)
    content = replace(CONTENT, ratings=ratings, has_comments=True)
    expected = [{"item": "a1", "rater": "r1", "kinds": ["telephone number"]}]
    assert release_preview(content)["findings"] == expected
