import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.exporters.builders import write_release, write_verified
from tests.exporters.folders import change_parquet, manifest_of
from tests.exporters.samples import (
    ADJUDICATIONS,
    CAP_CONTENT,
    CONTENT,
    reseal,
)
from tests.sampling import IS_LONG, IS_WHOLE, sample
from tomahto.releases.documents.document_files import paper_files
from tomahto.releases.records.records import SplitSpec
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


def test_verify_release_finds_nothing_wrong_with_a_release(written: Path, tmp_path: Path) -> None:
    assert verify_release(written) == []
    shutil.copytree(written, tmp_path / "moved")
    assert verify_release(tmp_path / "moved") == []
    write_verified(CAP_CONTENT, tmp_path / "cap")


def test_verify_release_wants_a_release(tmp_path: Path) -> None:
    expected = ["manifest.json: is missing or not a regular file"]
    assert verify_release(tmp_path) == expected
    assert verify_release(tmp_path / "nowhere") == expected


def flips(content: bytes, places: Iterable[int]) -> Iterator[bytes]:
    for place in places:
        yield content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def step_of(content: bytes) -> int:
    if IS_LONG:
        return max(1, len(content) // 200)
    return max(37, len(content) // (10 if IS_WHOLE else 2))


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    """One split, one item, one rating."""
    spec = SplitSpec("document", {"test": 100.0})
    campaign = replace(CAP_CONTENT.campaign, question_keys=("label",))
    ratings = [replace(rating, answers={}) for rating in CAP_CONTENT.ratings[:1]]
    content = replace(CAP_CONTENT, campaign=campaign, ratings=ratings, items=CAP_CONTENT.items[:1])
    write_release(replace(content, spec=spec), tmp_path / "tiny")
    return tmp_path / "tiny"


@pytest.mark.parametrize("name", ["manifest.json", "SHA256SUMS"])
def test_verify_release_finds_every_flipped_byte_of_what_names_the_others(
    tiny: Path, name: str
) -> None:
    content = (tiny / name).read_bytes()
    places = sample(range(len(content)), 400 if IS_WHOLE else 100)
    for place, flipped in zip(places, flips(content, places), strict=True):
        (tiny / name).write_bytes(flipped)
        assert verify_release(tiny) != [], place
    (tiny / name).write_bytes(content)
    assert verify_release(tiny) == []


def test_verify_release_finds_flipped_bytes_all_over_every_other_file(tiny: Path) -> None:
    # Each is compared by the SHA-256 of all its bytes; where a byte is makes no difference to that.
    # The long form tries twenty times as many nevertheless.
    paths = [path for path in sorted(tiny.rglob("*")) if path.is_file()]
    others = [path for path in paths if path.name not in ("manifest.json", "SHA256SUMS")]
    assert len(others) == 41
    for path in others:
        content = path.read_bytes()
        for flipped in flips(content, range(0, len(content), step_of(content))):
            path.write_bytes(flipped)
            (found,) = verify_release(tiny)
            assert found.startswith(f"{path.relative_to(tiny)}: its SHA-256 is not ")
        path.write_bytes(content)
    assert verify_release(tiny) == []


def test_verify_release_names_missing_extra_and_cut_files(release: Path) -> None:
    (release / "statistics.json").unlink()
    (release / "items/train.parquet").write_bytes(b"")
    (release / "extra").mkdir()
    readme = (release / "README.md").read_bytes()
    (release / "README.md").write_bytes(readme[:-1])
    assert verify_release(release) == [
        "statistics.json: is missing",
        f"README.md: has {len(readme) - 1} bytes, not {len(readme)}",
        "'extra': is not in the manifest",
        "'items/train.parquet': is not in the manifest",
    ]


def test_verify_release_names_swapped_files(release: Path) -> None:
    first, second = release / "guidelines/v1.md", release / "guidelines/v2.md"
    first.write_text("same\n")
    second.write_text("size\n")
    reseal(release)
    first.write_text("size\n")
    second.write_text("same\n")
    assert [line.partition(" its ")[0] for line in verify_release(release)] == [
        "guidelines/v1.md:",
        "guidelines/v2.md:",
    ]


def test_verify_release_follows_no_links(release: Path, tmp_path: Path) -> None:
    readme = release / "README.md"
    readme.rename(tmp_path / "README.md")
    readme.symlink_to(tmp_path / "README.md")
    (release / "items").rename(tmp_path / "items")
    (release / "items").symlink_to(tmp_path / "items")
    assert verify_release(release) == [
        "items/dev.parquet: is missing",
        "items/test.parquet: is missing",
        "'README.md': is a link",
        "'items': is a link",
    ]


def test_verify_release_names_what_is_no_plain_file(release: Path) -> None:
    (release / "README.md").unlink()
    (release / "README.md").mkdir()
    (release / "SHA256SUMS").unlink()
    os.mkfifo(release / "SHA256SUMS")
    assert verify_release(release) == [
        "README.md: is not a plain file",
        "SHA256SUMS: is not a plain file",
    ]


def test_verify_release_wants_every_format_listed(release: Path) -> None:
    shutil.rmtree(release / "csv/items")
    (release / "ae/test.jsonl").unlink()
    manifest = manifest_of(release)
    gone = ("csv/items/dev.csv", "csv/items/test.csv", "ae/test.jsonl")
    reseal(release, files=[file for file in manifest["files"] if file["path"] not in gone])
    assert verify_release(release) == [
        "manifest.json: does not list ae/test.jsonl",
        "manifest.json: does not list csv/items/dev.csv",
        "manifest.json: does not list csv/items/test.csv",
    ]


def test_verify_release_counts_rows(release: Path) -> None:
    manifest = manifest_of(release)
    for file in manifest["files"]:
        if file["path"].endswith("items/dev.csv") or file["path"] == "README.md":
            file["rows"] = 7
    dev = manifest["sizes"]["splits"]["dev"]["items"]
    reseal(release, files=manifest["files"])
    assert verify_release(release) == [
        "README.md: has None rows, not 7",
        f"csv/items/dev.csv: has {dev} rows, not 7",
    ]


def test_verify_release_computes_digest_labels_and_figures_anew(release: Path) -> None:
    # a1 had the votes (2, 1) and now has (1, 2): it is not equivalent any more. What is estimated
    # of its raters changes, and with it the estimates of all items they rated.
    def change(rows: list[dict[str, Any]]) -> None:
        (vote,) = (row for row in rows if (row["id"], row["rater"]) == ("a1", "r2"))
        vote |= {"label": "not-equivalent", "q1": True, "q2": None}

    change_parquet(release / "ratings/test.parquet", change)
    reseal(release)
    found = verify_release(release)
    assert [line for line in found if not line.startswith("manifest.json, field digest")] == [
        "items/dev.parquet, row 1: does not follow from the records",
        "jsonl/items/dev.jsonl, record 1: does not say what Parquet says",
        "csv/items/dev.csv, record 2: does not say what Parquet says",
        "items/test.parquet, row 1: does not follow from the records",
        "jsonl/items/test.jsonl, record 1: does not say what Parquet says",
        "csv/items/test.csv, record 2: does not say what Parquet says",
        "jsonl/ratings/test.jsonl, record 2: does not say what Parquet says",
        "csv/ratings/test.csv, record 3: does not say what Parquet says",
        "ae/test.jsonl, record 1: does not say what Parquet says",
        "agreement.json: does not follow from the ratings",
        "statistics.json: does not follow from the ratings",
        "splits.json: does not follow from the ratings",
        "dawid_skene.json: does not follow from the ratings",
    ]
    assert len(found) == 14


def test_verify_release_compares_the_sizes_in_the_manifest(release: Path) -> None:
    sizes = manifest_of(release)["sizes"]
    sizes["total"]["ties"] += 1
    reseal(release, sizes=sizes)
    assert verify_release(release) == [
        "manifest.json, field sizes: does not fit the items and ratings"
    ]


@pytest.mark.parametrize(
    ("path", "old", "new", "record"),
    [
        ("jsonl/items/test.jsonl", b"Paris", b"Padua", 1),
        ("jsonl/ratings/test.jsonl", b'"q1":false', b'"q1":null ', 1),
        ("csv/items/test.csv", b"Paris", b"Padua", 2),
        ("ae/test.jsonl", b"Paris", b"Padua", 1),
    ],
)
def test_verify_release_compares_every_format_with_parquet(
    release: Path, path: str, old: bytes, new: bytes, record: int
) -> None:
    content = (release / path).read_bytes()
    (release / path).write_bytes(content.replace(old, new, 1))
    reseal(release)
    expected = [f"{path}, record {record}: does not say what Parquet says"]
    assert verify_release(release) == expected


def test_verify_release_finds_rows_that_parquet_lacks(release: Path) -> None:
    path = release / "jsonl/items/test.jsonl"
    line = path.read_bytes().splitlines(keepends=True)[0]
    path.write_bytes(path.read_bytes() + line)
    manifest = manifest_of(release)
    for file in manifest["files"]:
        if file["path"] == "jsonl/items/test.jsonl":
            file["rows"] += 1
    reseal(release, files=manifest["files"])
    assert verify_release(release) == ["jsonl/items/test.jsonl: has more records than Parquet"]


def test_verify_release_finds_a_document_in_two_splits(release: Path) -> None:
    change_parquet(release / "items/dev.parquet", lambda rows: rows[0].update(document="A"))
    reseal(release)
    assert verify_release(release) == ["document 'A' is in dev and test"]


@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("dev", {"id": "a1"}, "item 'a1' occurs twice"),
        ("test", {"question": None}, "items/test.parquet, row 1, field question: is null"),
        *(
            ("test", changes, "items/test.parquet, row 1: does not follow from the records")
            for changes in (
                {"label": "not-equivalent"},
                {"label_source": "tie"},
                {"tie": True},
                {"tied_labels": ["equivalent"]},
                {"n_ratings": 4},
                {"confidence": 0.626},
                {"dawid_skene_label": "not-equivalent"},
                {"dawid_skene_confidence": 0.992989},
                {"adjudicated_label": "equivalent"},
                {"f1": 0.75},
            )
        ),
    ],
)
def test_verify_release_finds_an_item_that_does_not_follow(
    release: Path, name: str, changes: dict[str, object], expected: str
) -> None:
    change_parquet(release / f"items/{name}.parquet", lambda rows: rows[0].update(changes))
    reseal(release)
    assert verify_release(release) == [expected]


def test_verify_release_names_parquet_of_other_columns(release: Path) -> None:
    path = release / "items/test.parquet"
    pq.write_table(pq.read_table(path).drop_columns(["f1"]), path)
    reseal(release)
    assert verify_release(release) == [
        "items/test.parquet: cannot be read: the columns are not those of a release"
    ]


@pytest.mark.parametrize("name", ["items/test.parquet", "csv/items/test.csv"])
def test_verify_release_names_a_table_that_cannot_be_read(release: Path, name: str) -> None:
    (release / name).write_bytes(b"\xff\xfe not a table")
    reseal(release)
    (found,) = verify_release(release)
    assert found.startswith(f"{name}: cannot be read: ")


def test_verify_release_computes_agreement_anew(release: Path) -> None:
    agreement = json.loads((release / "agreement.json").read_text())
    agreement["whole"]["alpha"]["value"] += 1e-13  # rounding is forgiven
    (release / "agreement.json").write_text(json.dumps(agreement))
    statistics = json.loads((release / "statistics.json").read_text())
    for file in paper_files("demo", statistics, agreement):  # as where it was rounded so
        (release / file.path).write_bytes(file.content)
    reseal(release)
    assert verify_release(release) == []
    agreement["whole"]["alpha"]["value"] += 1e-6
    (release / "agreement.json").write_text(json.dumps(agreement))
    reseal(release)
    assert verify_release(release) == ["agreement.json: does not follow from the ratings"]


def test_verify_release_reads_figures_that_are_not_json(release: Path) -> None:
    (release / "statistics.json").write_text("{")
    reseal(release)
    (found,) = verify_release(release)
    assert found.startswith("statistics.json: is not JSON: ")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"seed": 14}, "manifest.json, field digest: "),
        ({"yes_no_questions": ["q1"]}, "ratings/dev.parquet: cannot be read: the columns"),
        ({"labels": ["not-equivalent", "equivalent"]}, "items/dev.parquet: cannot be read: "),
        ({"questions": ["rater"], "yes_no_questions": []}, "a question cannot be called rater"),
        (
            {"split": "document:test=100"},
            "manifest.json: lists ae/dev.jsonl, which belongs to no split",
        ),
    ],
)
def test_verify_release_finds_terms_that_do_not_fit(
    release: Path, changes: dict[str, Any], expected: str
) -> None:
    reseal(release, **changes)
    assert verify_release(release)[0].startswith(expected)


def test_verify_release_wants_yes_no_questions_named(tmp_path: Path) -> None:
    folder = tmp_path / "cap"
    ratings = [replace(vote, answers={"why": "yes"}) for vote in CAP_CONTENT.ratings]
    write_release(replace(CAP_CONTENT, ratings=ratings), folder)
    for split in ("dev", "test"):
        path = folder / f"ratings/{split}.parquet"
        table = pq.read_table(path)
        place = table.column_names.index("why")
        texts = pa.array(["yes"] * len(table), pa.string())
        pq.write_table(table.set_column(place, "why", texts), path)
    reseal(folder, yes_no_questions=[])
    assert verify_release(folder) == [
        "manifest.json, field yes_no_questions: does not fit the ratings"
    ]


def test_verify_release_forgives_estimates_the_rounding_of_another_machine(release: Path) -> None:
    def change(rows: list[dict[str, Any]]) -> None:
        row = rows[0]
        assert row["dawid_skene_confidence"] == 0.992991
        row["dawid_skene_confidence"] = 0.992992
        row["dawid_skene_posterior"] = {"equivalent": 0.992992, "not-equivalent": 0.007008}

    change_parquet(release / "items/test.parquet", change)
    for path in ("jsonl/items/test.jsonl", "csv/items/test.csv"):
        content = (release / path).read_bytes()
        content = content.replace(b"0.992991", b"0.992992").replace(b"0.007009", b"0.007008")
        (release / path).write_bytes(content)
    reseal(release)
    assert verify_release(release) == []


def test_verify_release_computes_the_estimates_of_raters_anew(release: Path) -> None:
    path = release / "dawid_skene.json"
    estimate = json.loads(path.read_text())
    estimate["raters"]["r1"]["accuracy"] += 1e-6  # rounding is forgiven
    path.write_text(json.dumps(estimate))
    reseal(release)
    assert verify_release(release) == []
    estimate["raters"]["r1"]["accuracy"] += 1e-6
    path.write_text(json.dumps(estimate))
    reseal(release)
    assert verify_release(release) == ["dawid_skene.json: does not follow from the ratings"]


@pytest.fixture
def adjudicated(tmp_path: Path) -> Path:
    folder = tmp_path / "adjudicated"
    write_release(replace(CONTENT, adjudications=ADJUDICATIONS, labels="adjudicated"), folder)
    return folder


def test_verify_release_computes_adjudicated_labels_anew(adjudicated: Path) -> None:
    # a1 is not equivalent to both of its adjudicators; if one thinks otherwise, votes decide.
    def change(rows: list[dict[str, Any]]) -> None:
        assert (rows[0]["id"], rows[0]["label"]) == ("a1", "not-equivalent")
        rows[0]["label"] = "equivalent"

    assert verify_release(adjudicated) == []
    change_parquet(adjudicated / "adjudications/test.parquet", change)
    reseal(adjudicated)
    found = verify_release(adjudicated)
    assert found[0].startswith("manifest.json, field digest: ")
    assert found[1:] == [
        "items/test.parquet, row 1: does not follow from the records",
        "jsonl/items/test.jsonl, record 1: does not say what Parquet says",
        "csv/items/test.csv, record 2: does not say what Parquet says",
        "jsonl/adjudications/test.jsonl, record 1: does not say what Parquet says",
        "csv/adjudications/test.csv, record 2: does not say what Parquet says",
        "agreement.json: does not follow from the ratings",
        "statistics.json: does not follow from the ratings",
        "splits.json: does not follow from the ratings",
    ]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (4, "manifest.json, field adjudications: is 4, there are 3"),
        (0, "manifest.json: lists adjudications/dev.parquet, which belongs to no split"),
    ],
)
def test_verify_release_counts_adjudications(adjudicated: Path, told: int, expected: str) -> None:
    reseal(adjudicated, adjudications=told)
    assert verify_release(adjudicated)[0] == expected


def test_verify_release_knows_imported_raters_by_their_judgements(adjudicated: Path) -> None:
    dataset = read_release(adjudicated).dataset
    rater, adjudicator = dataset.ratings[0].rater, dataset.adjudications[0].adjudicator
    reseal(adjudicated, imported_raters=[rater, adjudicator])
    assert verify_release(adjudicated) == []
    reseal(adjudicated, imported_raters=[rater, "r-nobodyhere"])
    assert verify_release(adjudicated) == [
        "manifest.json, field imported_raters: 'r-nobodyhere' judged nothing here"
    ]


def test_verify_release_knows_another_choice_of_label(adjudicated: Path) -> None:
    reseal(adjudicated, label_choice="majority")
    found = verify_release(adjudicated)
    assert found[0].startswith("manifest.json, field digest: ")
    assert "items/test.parquet, row 1: does not follow from the records" in found
