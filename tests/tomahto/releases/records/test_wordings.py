"""In which words raters were asked: in releases with other words than the original's alone."""

from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.exporters.made import build_dataset, write_release
from tests.exporters.samples import CAP_CONTENT, reseal
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


_RATINGS = list(CAP_CONTENT.ratings)
WORDED = replace(CAP_CONTENT, ratings=[replace(_RATINGS[0], wording="de-2"), *_RATINGS[1:]])


def columns(folder: Path) -> list[str]:
    return list(pq.read_schema(next(folder.glob("ratings/*.parquet"))).names)


def test_words_come_back_from_a_release_and_are_no_part_of_its_digest(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_release(WORDED, folder)
    assert verify_release(folder) == []
    manifest, dataset = read_release(folder)
    assert sorted(rating.wording for rating in dataset.ratings) == [
        *[""] * (len(_RATINGS) - 1),
        "de-2",
    ]
    assert (manifest.has_wordings, manifest.digest) == (True, content_digest(dataset))
    assert manifest.digest == content_digest(build_dataset(CAP_CONTENT))
    assert columns(folder)[-1] == "wording"


def test_a_release_in_the_original_words_alone_is_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_release(CAP_CONTENT, folder)
    assert "wordings" not in read_manifest(folder).as_json()
    assert "wording" not in columns(folder)


def test_a_manifest_that_hides_them_is_found_out(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    write_release(CAP_CONTENT, folder)
    reseal(folder, wordings=True)
    (difference,) = verify_release(folder)
    assert difference.startswith("ratings/dev.parquet: cannot be read: the columns")
