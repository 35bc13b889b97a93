"""What a candidate was written as: in releases that have such candidates, and in no other."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq

from tests.exporters.made import build_dataset, write_release, write_verified
from tests.exporters.samples import CAP_CONTENT, reseal
from tomahto.releases.comparison.changes import FieldChange
from tomahto.releases.comparison.diff import diff_releases
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


def columns(folder: Path) -> list[str]:
    return list(pq.read_schema(next(folder.glob("items/*.parquet"))).names)


def test_intended_comes_back_from_a_release_and_is_part_of_its_digest(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_verified(GENERATED, folder)
    manifest, dataset = read_release(folder)
    assert {item.record.id: item.record.intended for item in dataset.items} == {
        "a1": "partial",
        **dict.fromkeys(("a2", "b1", "c1"), ""),
    }
    assert (manifest.has_intended, manifest.digest) == (True, content_digest(dataset))
    assert manifest.digest != content_digest(build_dataset(CAP_CONTENT))
    assert columns(folder)[-1] == "intended"


def test_a_release_without_generated_candidates_is_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_release(CAP_CONTENT, folder)
    assert not read_manifest(folder).has_intended
    assert "intended" not in read_manifest(folder).as_json()
    assert "intended" not in columns(folder)


def test_a_difference_of_it_alone_is_found(tmp_path: Path) -> None:
    write_release(CAP_CONTENT, tmp_path / "one")
    write_release(GENERATED, tmp_path / "other")
    found = diff_releases(tmp_path / "one", tmp_path / "other")
    assert list(found.items.details.first) == [FieldChange("a1", ("intended",))]
    assert found.required_bump == "minor"


def test_a_manifest_that_hides_it_is_found_out(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_release(CAP_CONTENT, folder)
    reseal(folder, intended=True)
    (difference,) = verify_release(folder)
    assert difference.startswith("items/dev.parquet: cannot be read: the columns")
