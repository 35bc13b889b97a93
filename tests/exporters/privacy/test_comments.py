"""Comments: in no release unless asked for, then in every format, digest and comparison."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from exporters.planned_release import ReleaseContent
from exporters.privacy import Finding, PersonalDataError
from tests.exporters.builders import digest_of, write_release, write_verified
from tests.exporters.samples import CONTENT, RATINGS
from tomahto.releases.comparison.diff import diff_releases
from tomahto.releases.records.records import ConfirmedPersonalData
from tomahto.releases.stored.manifest import read_manifest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


COMMENT = "=clear,\r\n“as” day\u2028|"
COMMENTED = replace(CONTENT, ratings=(replace(RATINGS[0], comment=COMMENT), *RATINGS[1:]))
WITH_COMMENTS = replace(COMMENTED, has_comments=True)
PERSONAL = replace(
    CONTENT,
    ratings=(replace(RATINGS[0], comment="ask me: anna@example.org"), *RATINGS[1:]),
    has_comments=True,
)


def comments_in(folder: Path) -> dict[str, list[object]]:
    """The comment of the first rating of item a1 in each format."""
    (stored,) = (folder / "ratings").glob("*.parquet")
    lines = (folder / "jsonl/ratings" / f"{stored.stem}.jsonl").read_text("utf-8").split("\n")
    with (folder / "csv/ratings" / f"{stored.stem}.csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    return {
        "parquet": [row["comment"] for row in pq.read_table(stored).to_pylist()][:2],
        "jsonl": [json.loads(line)["comment"] for line in lines if line][:2],
        "csv": [row["comment"] for row in cells][:2],
    }


@pytest.fixture
def one_split(tmp_path: Path) -> Path:
    content = replace(WITH_COMMENTS, spec=replace(CONTENT.spec, shares={"test": 100.0}))
    write_release(content, tmp_path / "out")
    return tmp_path / "out"


def test_comments_are_in_no_file_unless_asked_for(tmp_path: Path) -> None:
    write_release(CONTENT, tmp_path / "without")
    write_release(COMMENTED, tmp_path / "not-asked")
    before, after = (tmp_path / name / "SHA256SUMS" for name in ("without", "not-asked"))
    assert before.read_bytes() == after.read_bytes()


def test_comments_are_in_every_format(one_split: Path) -> None:
    assert comments_in(one_split) == {
        "parquet": [COMMENT, None],
        "jsonl": [COMMENT, None],
        "csv": [f"'{COMMENT}", ""],
    }
    assert verify_release(one_split) == []
    assert read_manifest(one_split).terms.has_comments
    assert "in the column `comment`" in (one_split / "README.md").read_text(encoding="utf-8")


def test_release_with_comments_is_read_back(one_split: Path) -> None:
    stored = read_release(one_split).dataset
    assert [rating.comment for rating in stored.ratings][:2] == [COMMENT, ""]


@pytest.mark.parametrize(
    "other",
    [
        COMMENTED,
        replace(WITH_COMMENTS, ratings=RATINGS),
        replace(WITH_COMMENTS, ratings=(replace(RATINGS[0], comment=f"{COMMENT} "), *RATINGS[1:])),
    ],
    ids=["comments left out", "no comments", "another comment"],
)
def test_digest_depends_on_released_comments(other: ReleaseContent) -> None:
    assert digest_of(other) != digest_of(WITH_COMMENTS)


def test_changed_comment_is_found_by_verification(one_split: Path, tmp_path: Path) -> None:
    content = replace(WITH_COMMENTS, spec=replace(CONTENT.spec, shares={"test": 100.0}))
    write_release(replace(content, ratings=RATINGS), tmp_path / "other")
    for name in ("ratings/test.parquet", "jsonl/ratings/test.jsonl", "csv/ratings/test.csv"):
        (tmp_path / "other" / name).replace(one_split / name)
    assert any("ratings/test.parquet" in line for line in verify_release(one_split))


def test_diff_says_that_comments_came(tmp_path: Path) -> None:
    write_release(COMMENTED, tmp_path / "old")
    write_release(WITH_COMMENTS, tmp_path / "new")
    diff = diff_releases(tmp_path / "old", tmp_path / "new")
    assert (diff.settings, diff.ratings.changed.first) == (("comments",), (("a1", "r1"),))
    assert diff.required_bump == "minor"


def test_personal_data_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(PersonalDataError, match="item 'a1', rater 'r1': e-mail address") as refused:
        write_release(PERSONAL, tmp_path / "out")
    assert refused.value.findings == (Finding("a1", "r1", ("e-mail address",)),)
    assert "anna" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_personal_data_is_released_for_a_reason_that_is_recorded(tmp_path: Path) -> None:
    reason = "Anna\nagreed in writing."
    content = replace(PERSONAL, personal_data_reason=reason)
    write_verified(content, tmp_path / "out")
    manifest = read_manifest(tmp_path / "out")
    assert manifest.personal_data == ConfirmedPersonalData(comments=1, reason=reason)
    card = (tmp_path / "out/README.md").read_text(encoding="utf-8")
    assert "1 comment may hold personal data, released because: Anna agreed in writing." in card


def test_reason_without_personal_data_is_not_recorded(tmp_path: Path) -> None:
    write_release(replace(WITH_COMMENTS, personal_data_reason="For science."), tmp_path / "out")
    assert read_manifest(tmp_path / "out").personal_data is None
