"""Columns of items and ratings: in releases that have something to say in them, and in no other."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import digest_of, write_release, write_verified
from tests.exporters.samples import CAP_CONTENT, reseal
from tomahto.releases.comparison.diff import FieldChange, diff_releases
from tomahto.releases.records.columns import OPTIONAL_COLUMNS
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

GENERATED = replace(
    CAP_CONTENT,
    items=[
        replace(each, intended="partial" if each.id == "a1" else "") for each in CAP_CONTENT.items
    ],
)
FURTHER = replace(
    CAP_CONTENT,
    items=[
        replace(each, unrated_references=("Παρίσι", "Paris", "Lutèce") if each.id == "a1" else ())
        for each in CAP_CONTENT.items
    ],
)
WORDED = replace(
    CAP_CONTENT,
    ratings=[
        replace(each, wording="de-1" if each.item_id == "a1" else "")
        for each in CAP_CONTENT.ratings
    ],
)


def columns(folder: Path, table: str = "items") -> list[str]:
    return list(pq.read_schema(next(folder.glob(f"{table}/*.parquet"))).names)


def test_intended_comes_back_from_a_release_and_is_part_of_its_digest(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_verified(GENERATED, folder)
    manifest, dataset = read_release(folder)
    assert {item.record.id: item.record.intended for item in dataset.items} == {
        "a1": "partial",
        **dict.fromkeys(("a2", "b1", "c1"), ""),
    }
    assert manifest.optional_columns == {"intended"}
    assert manifest.digest == content_digest(dataset)
    assert manifest.digest != digest_of(CAP_CONTENT)
    assert columns(folder)[-1] == "intended"


def test_unrated_references_are_those_of_no_item(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_verified(FURTHER, folder)
    manifest, dataset = read_release(folder)
    assert {item.record.id: item.record.unrated_references for item in dataset.items} == {
        **dict.fromkeys(("a1", "a2"), ("Lutèce", "Παρίσι")),
        **dict.fromkeys(("b1", "c1"), ()),
    }
    assert manifest.optional_columns == {"unrated_references"}
    assert manifest.digest == content_digest(dataset) != digest_of(CAP_CONTENT)
    assert columns(folder)[-1] == "unrated_references"


def test_wording_comes_back_from_a_release_and_is_no_part_of_its_digest(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_verified(WORDED, folder)
    manifest, dataset = read_release(folder)
    assert [(rating.item_id, rating.wording) for rating in dataset.ratings] == [
        *(("a1", "de-1"), ("a2", ""), ("b1", ""), ("c1", ""))
    ]
    assert manifest.optional_columns == {"wording"}
    assert columns(folder, "ratings")[-1] == "wording"
    assert manifest.digest == content_digest(dataset) == digest_of(CAP_CONTENT)


def test_a_wording_that_is_no_language_and_version_is_refused(tmp_path: Path) -> None:
    first, *others = CAP_CONTENT.ratings
    wrong = replace(CAP_CONTENT, ratings=[replace(first, wording="German"), *others])
    with pytest.raises(ReleaseError, match="'German' is not a wording such as `de-1`"):
        write_release(wrong, tmp_path / "cap")


def test_a_release_with_nothing_to_say_in_them_is_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    items = [replace(item, unrated_references=item.references) for item in CAP_CONTENT.items]
    write_release(replace(CAP_CONTENT, items=items), folder)
    manifest, names = read_manifest(folder), {"intended", "unrated_references", "wording"}
    assert manifest.digest == digest_of(CAP_CONTENT)
    assert names.isdisjoint([*manifest.optional_columns, *manifest.as_json()])
    assert names.isdisjoint([*columns(folder), *columns(folder, "ratings")])


def test_a_difference_in_the_wording_alone_is_found(tmp_path: Path) -> None:
    write_release(CAP_CONTENT, tmp_path / "one")
    write_release(WORDED, tmp_path / "other")
    found = diff_releases(tmp_path / "one", tmp_path / "other")
    assert list(found.ratings.changed.first) == [("a1", "r1")]


@pytest.mark.parametrize(
    ("other", "items", "column"),
    [(GENERATED, ["a1"], "intended"), (FURTHER, ["a1", "a2"], "unrated_references")],
)
def test_a_difference_in_one_alone_is_found(
    tmp_path: Path, other: ReleaseContent, items: list[str], column: str
) -> None:
    write_release(CAP_CONTENT, tmp_path / "one")
    write_release(other, tmp_path / "other")
    found = diff_releases(tmp_path / "one", tmp_path / "other")
    assert list(found.items.details.first) == [FieldChange(item, (column,)) for item in items]
    assert found.required_bump == "minor"


def test_their_names_are_no_other_fields_of_a_manifest(tmp_path: Path) -> None:
    write_release(replace(CAP_CONTENT, has_comments=True), tmp_path / "cap")
    others = replace(read_manifest(tmp_path / "cap"), optional_columns=frozenset()).as_json()
    assert others.keys() & {column.name for column in OPTIONAL_COLUMNS} == set()


def test_a_manifest_that_hides_it_is_found_out(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_release(CAP_CONTENT, folder)
    reseal(folder, intended=True)
    (difference,) = verify_release(folder)
    assert difference.startswith("items/dev.parquet: cannot be read: the columns")
