from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import compared, write_release
from tests.exporters.samples import (
    ADJUDICATIONS,
    ANSWERED,
    CAMPAIGN,
    CONTENT,
    DIFFERENT,
    EQUIVALENT,
    item,
    rating,
    reseal,
)
from tomahto.releases.comparison.compared import (
    ComparedRelease,
    ComparedRow,
    Heading,
    stored_release,
)
from tomahto.releases.comparison.diff import (
    Change,
    ChangeSample,
    FieldChange,
    OpinionChanges,
    ReleaseDiff,
    compare,
    diff_releases,
)
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import Guideline, SplitSpec

pytestmark = pytest.mark.slow


KEPT = {"A": "test", "B": "test", "C": "dev", "D": "dev"}
BEFORE = replace(CONTENT, kept_documents=KEPT)
THIRD = Guideline(3, "# Third\n")


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


def changed(**changes: Any) -> ReleaseContent:
    return replace(BEFORE, **{"version": "2.0.0", **changes})


def after(tmp_path: Path, **changes: Any) -> Path:
    write_release(changed(**changes), tmp_path / "after")
    return tmp_path / "after"


def diff(one: ReleaseContent = BEFORE, *, limit: int = 5, **changes: Any) -> ReleaseDiff:
    """As the releases are planned; folders are compared alike, as test_compared.py says."""
    return compare(compared(one), compared(changed(**changes)), limit=limit)


def test_diff_releases_finds_no_change_in_the_same_release(before: Path) -> None:
    found = diff_releases(before, before)
    assert (found.required_bump, found.actual_bump, found.is_honest) == ("none", "none", True)


def test_diff_releases_lists_added_items_and_ratings() -> None:
    found = diff(
        version="1.1.0",
        items=(*BEFORE.items, item("z9", "A", question="qa"), item("e0", "C", question="qc")),
        ratings=(
            *BEFORE.ratings,
            rating("z9", "r1", EQUIVALENT),
            rating("e0", "r1", EQUIVALENT),
            rating("d1", "r5", DIFFERENT),
        ),
    )
    assert found.items.added.first == ("e0", "z9")
    assert found.ratings.added.first == (("d1", "r5"), ("e0", "r1"), ("z9", "r1"))
    assert (found.required_bump, found.actual_bump, found.is_honest) == ("minor", "minor", True)


def test_diff_releases_as_json_has_every_change() -> None:
    # The one counted rating of a2 is removed, and with it the item; of a1 the third changes.
    ratings = [vote for vote in BEFORE.ratings if vote.item_id != "a2"]
    ratings[1] = rating("a1", "r2", DIFFERENT)
    found = diff(ratings=ratings, kept_documents={**KEPT, "B": "dev"}, version="1.0.1")
    assert found.as_json() == {
        "from": {"campaign": "demo", "version": "1.0.0", "digest": found.before.digest},
        "to": {"campaign": "demo", "version": "1.0.1", "digest": found.after.digest},
        "settings_changed": [],
        "documentation_changed": [],
        "item_counts": {
            "added": 0,
            "removed": 1,
            "label_changed": 1,
            "split_changed": 1,
            "text_changed": 0,
            "details_changed": 0,
        },
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
        "adjudications": {
            "added": {"count": 0, "ids": []},
            "removed": {"count": 0, "ids": []},
            "changed": {"count": 0, "ids": []},
        },
        "answers": {
            "added": {"count": 0, "ids": []},
            "removed": {"count": 0, "ids": []},
            "changed": {"count": 0, "ids": []},
        },
        "bump": {"required": "major", "actual": "patch", "honest": False},
    }


def test_diff_releases_lists_changed_texts_and_details() -> None:
    found = diff(**changed_item("b1", question="?", systems=("bem",), candidate="4"))
    assert found.items.texts.first == (FieldChange("b1", ("question", "candidate")),)
    assert found.items.details.first == (FieldChange("b1", ("systems",)),)
    assert found.as_json()["items"]["text_changed"] == [
        {"id": "b1", "fields": ["question", "candidate"]}
    ]


def test_diff_releases_names_a_label_drawn_otherwise() -> None:
    # b1 is a tie: the SHA-256 of "13\\0b1" ends in 84 (even: the first label), of "1\\0b1" in f3.
    found = diff(seed=1)
    assert found.items.labels.first == (Change("b1", "equivalent", "not-equivalent"),)
    assert found.settings == ("seed",)


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
        ({"campaign": replace(CAMPAIGN, title="Answers")}, "patch"),
        ({"campaign": replace(CAMPAIGN, licence="cc0-1.0")}, "patch"),
        ({"campaign": replace(CAMPAIGN, language="de")}, "patch"),
        ({"campaign": replace(CAMPAIGN, guidelines=(*CAMPAIGN.guidelines, THIRD))}, "patch"),
        ({"campaign": replace(CAMPAIGN, guidelines=CAMPAIGN.guidelines[:1])}, "patch"),
        ({"software": "tomahto 0.2.0"}, "patch"),
        ({"created_at": CONTENT.created_at + timedelta(days=1)}, "none"),
        ({"adjudications": ADJUDICATIONS}, "minor"),
        ({"adjudications": ADJUDICATIONS, "labels": "adjudicated"}, "major"),
        ({"labels": "adjudicated"}, "minor"),
        ({"campaign": replace(CAMPAIGN, question_schemes=CAMPAIGN.question_schemes[:3])}, "minor"),
        ({"campaign": replace(CAMPAIGN, slug="other")}, "minor"),
        ({"campaign": replace(CAMPAIGN, protocol="ae-2")}, "major"),
    ],
)
def test_required_bump_is_the_least_honest_step(changes: dict[str, Any], required: str) -> None:
    assert diff(**changes).required_bump == required


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
    version: str, actual: str, honest: bool
) -> None:
    changes = changed_item("c1", question_id="qz")  # needs a minor step
    found = diff(version=version, **changes)
    assert (found.actual_bump, found.is_honest) == (actual, honest)


def test_diff_releases_lists_no_more_than_asked_for() -> None:
    found = diff(limit=1, ratings=BEFORE.ratings[4:])  # a1 and a2 are gone, with 4 ratings
    assert found.items.removed == ChangeSample(2, ("a1",))
    assert found.ratings.removed == ChangeSample(4, (("a1", "r1"),))
    assert found.required_bump == "major"


RATED = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("rs")), st.integers(0, 2)
)


@given(RATED, RATED, st.integers(0, 3))
def test_compare_finds_what_two_tables_by_key_show(
    old: dict[tuple[str, str], int], new: dict[tuple[str, str], int], limit: int
) -> None:
    def release(table: dict[tuple[str, str], int]) -> ComparedRelease:
        opinions = [ComparedRow(key, (value,)) for key, value in sorted(table.items())]
        heading = Heading("demo", "1.0.0", "", {}, {})
        return ComparedRelease(heading, lambda name: iter(opinions if name == "ratings" else ()))

    def found(keys: Iterable[tuple[str, str]]) -> ChangeSample[tuple[str, ...]]:
        return ChangeSample(len(set(keys)), tuple(sorted(keys)[:limit]))

    both = old.keys() & new.keys()
    assert compare(release(old), release(new), limit=limit).ratings == OpinionChanges(
        added=found(new.keys() - old.keys()),
        removed=found(old.keys() - new.keys()),
        changed=found({key for key in both if old[key] != new[key]}),
    )


def test_diff_releases_by_system_joins_the_splits_of_an_item() -> None:
    # a1 and a2 are of xlnet and bidaf, and so in both splits; d1 is of bidaf alone.
    systems = {"dev": ("xlnet", "luke"), "test": ("bidaf",)}
    spec = SplitSpec("system", {}, systems)
    moved = replace(spec, systems={"dev": ("xlnet",), "test": ("bidaf", "luke")})
    found = diff(replace(CONTENT, spec=spec), spec=moved)
    assert found.items.splits == ChangeSample(1, (Change("b1", "dev", "test"),))
    assert not found.ratings


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("items/dev.parquet", "items/dev.parquet: its SHA-256 is not"),
        ("croissant.json", "croissant.json: its SHA-256 is not"),
    ],
)
def test_diff_releases_compares_no_damaged_file(
    before: Path, tmp_path: Path, name: str, error: str
) -> None:
    new = after(tmp_path)
    (new / name).write_bytes(b"damaged")
    with pytest.raises(ReleaseError, match=error):
        diff_releases(before, new)
    (new / name).unlink()
    with pytest.raises(ReleaseError, match=f"{name}: cannot be read: "):
        diff_releases(before, new)


def test_diff_releases_wants_rows_in_order(before: Path, tmp_path: Path) -> None:
    new = after(tmp_path)
    path = new / "items/test.parquet"
    table = pq.read_table(path)
    pq.write_table(table.take(list(range(len(table)))[::-1]), path)
    reseal(new)
    with pytest.raises(ReleaseError, match=r"items/test\.parquet: is not in order at 'a2'"):
        diff_releases(before, new)


def test_diff_releases_wants_no_empty_field(before: Path, tmp_path: Path) -> None:
    new = after(tmp_path)
    path = new / "ratings/test.parquet"
    table = pq.read_table(path)
    raters = table.column("rater").to_pylist()
    place = table.column_names.index("rater")
    emptied = pa.array([None, *raters[1:]], pa.string())
    pq.write_table(table.set_column(place, "rater", emptied), path)
    reseal(new)
    with pytest.raises(ReleaseError, match=r"ratings/test\.parquet, field rater: is null"):
        diff_releases(before, new)


def test_diff_releases_wants_two_releases(before: Path, tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"manifest\.json: is missing or not a regular file"):
        diff_releases(before, tmp_path)


def test_diff_releases_lists_changed_adjudications() -> None:
    (_, *others) = ADJUDICATIONS
    decisions = [replace(others[0], label="equivalent"), *others[1:]]
    first = replace(BEFORE, adjudications=ADJUDICATIONS)
    found = diff(first, version="1.1.0", adjudications=decisions)
    assert found.as_json()["adjudications"] == {
        "added": {"count": 0, "ids": []},
        "removed": {"count": 1, "ids": [{"id": "a1", "adjudicator": "x1"}]},
        "changed": {"count": 1, "ids": [{"id": "a1", "adjudicator": "x2"}]},
    }
    assert (found.items.labels.first, found.required_bump, found.is_honest) == ((), "minor", True)
    assert diff(adjudications=decisions).adjudications.added.first == (("a1", "x2"), ("d1", "x1"))


def test_diff_releases_names_another_choice_of_label() -> None:
    found = diff(adjudications=ADJUDICATIONS, labels="adjudicated")
    assert found.settings == ("label_choice",)
    assert found.items.labels.first == (Change("a1", "equivalent", "not-equivalent"),)
    assert (found.required_bump, found.is_honest) == ("major", True)


def test_answers_of_the_datasheet_are_documentation(tmp_path: Path) -> None:
    answered = replace(ANSWERED, version="1.0.1")
    found = compare(compared(CONTENT), compared(answered))
    assert found.documentation == ("datasheet",)
    assert found.required_bump == "patch"
    write_release(answered, tmp_path / "answered")
    assert compare(stored_release(tmp_path / "answered"), compared(answered)).documentation == ()
