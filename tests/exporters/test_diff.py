from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporters.content import ReleaseContent
from exporters.diff import Change, FieldChange, diff_releases
from exporters.errors import ReleaseError
from exporters.records import SplitSpec
from exporters.release import write_release
from tests.exporters.samples import CAMPAIGN, CONTENT, DIFFERENT, EQUIVALENT, item, rating

KEPT = {"A": "test", "B": "test", "C": "dev", "D": "dev"}
BEFORE = replace(CONTENT, kept_documents=KEPT)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("before") / "demo-1.0.0"
    write_release(BEFORE, folder)
    return folder


def changed_item(id_: str, **changes: Any) -> dict[str, Any]:
    return {
        "items": [
            replace(record, **changes) if record.id == id_ else record for record in BEFORE.items
        ]
    }


def after(tmp_path: Path, **changes: Any) -> Path:
    content: ReleaseContent = replace(BEFORE, **{"version": "2.0.0", **changes})
    write_release(content, tmp_path / "after")
    return tmp_path / "after"


def test_diff_releases_finds_no_change_in_the_same_release(before: Path) -> None:
    diff = diff_releases(before, before)
    assert (diff.required_bump, diff.actual_bump, diff.is_honest) == ("none", "none", True)


def test_diff_releases_lists_added_items_and_ratings(before: Path, tmp_path: Path) -> None:
    new = after(
        tmp_path,
        version="1.1.0",
        items=(*BEFORE.items, item("z9", "A"), item("e0", "C")),
        ratings=(
            *BEFORE.ratings,
            rating("z9", "r1", EQUIVALENT),
            rating("e0", "r1", EQUIVALENT),
            rating("d1", "r5", DIFFERENT),
        ),
    )
    diff = diff_releases(before, new)
    assert diff.items.added == ("e0", "z9")
    assert diff.ratings.added == (("d1", "r5"), ("e0", "r1"), ("z9", "r1"))
    assert (diff.required_bump, diff.actual_bump, diff.is_honest) == ("minor", "minor", True)


def test_diff_releases_as_json_has_every_change(before: Path, tmp_path: Path) -> None:
    # The one counted rating of a2 is removed, and with it the item; of a1 the third changes.
    ratings = [vote for vote in BEFORE.ratings if vote.item_id != "a2"]
    ratings[1] = rating("a1", "r2", DIFFERENT)
    new = after(tmp_path, ratings=ratings, kept_documents={**KEPT, "B": "dev"}, version="1.0.1")
    diff = diff_releases(before, new)
    assert diff.as_json() == {
        "from": {"campaign": "demo", "version": "1.0.0", "digest": diff.before.digest},
        "to": {"campaign": "demo", "version": "1.0.1", "digest": diff.after.digest},
        "settings_changed": [],
        "items": {
            "added": [],
            "removed": ["a2"],
            "label_changed": [{"id": "a1", "from": "equivalent", "to": "not-equivalent"}],
            "split_changed": [{"id": "b1", "from": "test", "to": "dev"}],
            "text_changed": [],
            "details_changed": [],
        },
        "ratings": {
            "added": {"count": 0, "ids": []},
            "removed": {"count": 1, "ids": [{"id": "a2", "rater": "r1"}]},
            "changed": {"count": 1, "ids": [{"id": "a1", "rater": "r2"}]},
        },
        "bump": {"required": "major", "actual": "patch", "honest": False},
    }


def test_diff_releases_lists_changed_texts_and_details(before: Path, tmp_path: Path) -> None:
    new = after(tmp_path, **changed_item("b1", question="?", systems=("bem",), candidate="4"))
    diff = diff_releases(before, new)
    assert diff.items.texts == (FieldChange("b1", ("question", "candidate")),)
    assert diff.items.details == (FieldChange("b1", ("systems",)),)
    assert diff.as_json()["items"]["text_changed"] == [
        {"id": "b1", "fields": ["question", "candidate"]}
    ]


def test_diff_releases_names_a_label_drawn_otherwise(before: Path, tmp_path: Path) -> None:
    # b1 is a tie: the SHA-256 of "13\\0b1" ends in 84 (even: the first label), of "1\\0b1" in f3.
    diff = diff_releases(before, after(tmp_path, seed=1))
    assert diff.items.labels == (Change("b1", "equivalent", "not-equivalent"),)
    assert diff.settings == ("seed",)


@pytest.mark.parametrize(
    ("changes", "required"),
    [
        (changed_item("c1", context="Another passage."), "major"),
        (changed_item("c1", question_id="qz"), "minor"),
        ({"ratings": (BEFORE.ratings[0], *BEFORE.ratings[2:])}, "minor"),  # a1 stays equivalent
        ({"ratings": (replace(BEFORE.ratings[0], seconds=9.0), *BEFORE.ratings[1:])}, "minor"),
        ({"spec": SplitSpec("document", {"dev": 40, "test": 60})}, "minor"),
        ({"kept_documents": {**KEPT, "C": "test"}}, "major"),
        ({"campaign": replace(CAMPAIGN, description="Clearer words.")}, "patch"),
        ({"campaign": replace(CAMPAIGN, slug="other")}, "minor"),
        ({"campaign": replace(CAMPAIGN, protocol="ae-2")}, "major"),
    ],
)
def test_required_bump_is_the_least_honest_step(
    before: Path, tmp_path: Path, changes: dict[str, Any], required: str
) -> None:
    assert diff_releases(before, after(tmp_path, **changes)).required_bump == required


@pytest.mark.parametrize(
    ("version", "actual", "honest"),
    [
        ("2.0.0", "major", True),
        ("1.1.0", "minor", True),
        ("1.0.1", "patch", False),
        ("1.0.0", "none", False),
        ("0.9.9", "backward", False),
    ],
)
def test_is_honest_compares_the_step_with_the_change(
    before: Path, tmp_path: Path, version: str, actual: str, honest: bool
) -> None:
    changes = changed_item("c1", question_id="qz")  # needs a minor step
    diff = diff_releases(before, after(tmp_path, version=version, **changes))
    assert (diff.actual_bump, diff.is_honest) == (actual, honest)


def test_diff_releases_wants_two_releases(before: Path, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"manifest\.json: is not there as a plain file"):
        diff_releases(before, tmp_path)
