import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from exporters.release import ReleaseSummary
from tests.exporters.builders import write_release
from tests.exporters.folders import contents
from tests.exporters.samples import ADJUDICATIONS, CAP_CONTENT, CONTENT
from tomahto.releases.dataset.choices import Selection
from tomahto.releases.verification.verify import verify_release

pytestmark = pytest.mark.slow


TABLES = (
    *("agreement", "f1_histogram", "kappa", "labels_by_system", "ratings_per_item", "sizes"),
    "sizes_by_system",
)
FILES = [
    "LICENSE.md",
    "README.md",
    "SHA256SUMS",
    "ae/dev.jsonl",
    "ae/test.jsonl",
    "agreement.json",
    "croissant.json",
    "csv/items/dev.csv",
    "csv/items/test.csv",
    "csv/ratings/dev.csv",
    "csv/ratings/test.csv",
    "datasheet.json",
    "datasheet.md",
    "dawid_skene.json",
    *(
        f"figures/{name}.{kind}"
        for name in ("agreement", "f1_histogram", "kappa")
        for kind in ("pdf", "png", "svg")
    ),
    "guidelines/v1.md",
    "guidelines/v2.md",
    "items/dev.parquet",
    "items/test.parquet",
    "jsonl/README.md",
    "jsonl/items/dev.jsonl",
    "jsonl/items/test.jsonl",
    "jsonl/ratings/dev.jsonl",
    "jsonl/ratings/test.jsonl",
    "manifest.json",
    "ratings/dev.parquet",
    "ratings/test.parquet",
    "splits.json",
    "statistics.json",
    *(f"tables/{table}.{ending}" for table in TABLES for ending in ("csv", "md", "tex")),
]


def test_write_release_makes_the_files_of_a_release(written: Path) -> None:
    assert sorted(contents(written)) == FILES
    assert verify_release(written) == []


def test_write_release_sums_up_what_it_wrote(tmp_path: Path) -> None:
    summary = write_release(CONTENT, tmp_path / "out")
    manifest = json.loads((tmp_path / "out/manifest.json").read_text())
    assert summary == ReleaseSummary(
        manifest["digest"], tmp_path / "out", 5, 11, manifest["sizes"]["splits"]
    )


def test_manifest_says_what_the_release_is(written: Path) -> None:
    manifest = json.loads((written / "manifest.json").read_text())
    files = {file["path"]: file for file in manifest.pop("files")}
    content = (written / "jsonl/items/test.jsonl").read_bytes()
    assert files["jsonl/items/test.jsonl"] == {
        "path": "jsonl/items/test.jsonl",
        "sha256": sha256(content).hexdigest(),
        "bytes": len(content),
        "rows": content.count(b"\n"),
    }
    assert files["README.md"]["rows"] is None
    assert sorted(files) == [path for path in FILES if path not in ("manifest.json", "SHA256SUMS")]
    statistics = json.loads((written / "statistics.json").read_text())
    del manifest["digest"]
    assert manifest == {
        "format": 2,
        "figures_version": 2,
        "software": "tomahto 0.1.0",
        "campaign": "demo",
        "title": "Answers | about cities",
        "version": "1.0.0",
        "created_at": "2026-03-02T09:00:00+00:00",
        "protocol": "ae",
        "labels": ["equivalent", "not-equivalent"],
        "ranks": [1.0, 0.0],
        "level": "nominal",
        "questions": ["q1", "q2", "q3", "q4"],
        "answers": [
            {"question": key, "values": ["yes", "no"], "several": False}
            for key in ("q1", "q2", "q3", "q4")
        ],
        "yes_no_questions": ["q1", "q2", "q3", "q4"],
        "seed": 13,
        "split": "document:dev=30,test=70",
        "sizes": statistics["sizes"],
        "items_without_ratings": 1,
        "label_choice": "majority",
        "accepted_labels": [],
        "exact_rule": "strict",
        "adjudications": 0,
        "selection": Selection().as_json(),
        "left_out": {"items": 0, "ratings": 0, "ratings_by_filter": {}},
        "further_formats": [],
    }


def test_checksums_are_those_of_every_other_file(written: Path) -> None:
    expected = [
        f"{sha256(content).hexdigest()}  {path}"
        for path, content in sorted(contents(written).items())
        if path != "SHA256SUMS"
    ]
    assert (written / "SHA256SUMS").read_text().splitlines() == expected


def test_guidelines_are_published_as_they_were(written: Path) -> None:
    assert (written / "guidelines/v2.md").read_text() == "# Second — clearer\n"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_write_release_of_shuffled_records_is_the_same_bytes(
    written: Path, tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    content = replace(
        CONTENT,
        items=random.sample(CONTENT.items, len(CONTENT.items)),
        ratings=random.sample(CONTENT.ratings, len(CONTENT.ratings)),
    )
    write_release(content, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(written)


def load(folder: Path, name: str, cache: Path) -> Any:
    from datasets import load_dataset  # takes seconds; the environment must be set before

    return load_dataset(str(folder), name, cache_dir=str(cache))


@pytest.mark.parametrize("place", [".", "jsonl"])
def test_datasets_loads_items_and_ratings_offline(
    written: Path, tmp_path: Path, place: str
) -> None:
    items = load(written / place, "items", tmp_path)
    label = items["test"].features["label"]
    rows = {row["id"]: row for split in ("dev", "test") for row in items[split]}
    assert (sorted(items), sorted(rows)) == (["dev", "test"], ["a1", "a2", "b1", "c1", "d1"])
    assert label.names == ["equivalent", "not-equivalent"]
    a2 = rows["a2"]
    assert (label.int2str(a2["label"]), a2["references"], a2["systems"], a2["votes"]) == (
        "not-equivalent",
        ["the city of Paris"],
        ["bidaf", "xlnet"],
        {"equivalent": 0, "not-equivalent": 1},
    )
    ratings = load(written / place, "ratings", tmp_path)
    votes = [vote for split in ("dev", "test") for vote in ratings[split]]
    by_rating = {(vote["id"], vote["rater"]): vote for vote in votes}
    assert len(votes) == 12
    assert (by_rating["a1", "r3"]["q1"], by_rating["a1", "r3"]["q3"]) == (False, True)
    assert by_rating["a1", "r1"]["created_at"].isoformat() == "2026-03-01T12:30:00.250000+00:00"
    assert (by_rating["c1", "r2"]["created_at"], by_rating["c1", "r3"]["counted"]) == (None, False)


def test_datasets_loads_the_items_by_default(tmp_path: Path) -> None:
    from datasets import load_dataset

    write_release(CAP_CONTENT, tmp_path / "cap")
    items = load_dataset(str(tmp_path / "cap"), cache_dir=str(tmp_path / "cache"), split="test")
    assert items.features["label"].names == ["exact", "partial", "invalid"]
    assert set(items["references"][0]) == {"Paris", "Lutetia"}


def test_datasets_and_spreadsheets_have_the_adjudications(tmp_path: Path) -> None:
    content = replace(CONTENT, adjudications=ADJUDICATIONS, labels="adjudicated")
    write_release(content, tmp_path / "out")
    for place in (".", "jsonl"):
        decisions = load(tmp_path / "out" / place, "adjudications", tmp_path / "cache" / place)
        label = decisions["test"].features["label"]
        rows = [row for split in ("dev", "test") for row in decisions[split]]
        assert sorted(
            (row["id"], row["adjudicator"], label.int2str(row["label"]), row["guideline_version"])
            for row in rows
        ) == [
            ("a1", "x1", "not-equivalent", None),
            ("a1", "x2", "not-equivalent", 2),
            ("d1", "x1", "not-equivalent", None),
        ]
    (row, *_) = (tmp_path / "out/csv/adjudications/test.csv").read_text().splitlines()[1:]
    assert row == "a1,x1,not-equivalent,equivalent,"


def test_estimate_of_raters_is_published_with_the_numbers_it_rests_on(written: Path) -> None:
    estimate = json.loads((written / "dawid_skene.json").read_text())
    manifest = json.loads((written / "manifest.json").read_text())
    assert "dawid_skene.json" in [file["path"] for file in manifest["files"]]
    assert {name: rater["ratings"] for name, rater in estimate["raters"].items()} == {
        "r1": 4,  # a1, a2, b1, d1
        "r2": 4,  # a1, b1, c1, d1
        "r3": 2,  # a1, d1; c1 is surplus
        "r4": 1,
    }
    assert (estimate["items"], estimate["ratings"], estimate["smoothing"]) == (5, 11, 0.01)
    assert sum(estimate["priors"].values()) == pytest.approx(1, abs=1e-6)
    for rater in estimate["raters"].values():
        assert list(rater["confusion"]) == estimate["labels"]
        for row in rater["confusion"].values():
            assert sum(row.values()) == pytest.approx(1, abs=1e-6)
        accuracy = sum(
            estimate["priors"][label] * row[label] for label, row in rater["confusion"].items()
        )
        assert rater["accuracy"] == pytest.approx(accuracy, abs=2e-6)


def test_release_of_renamed_raters_has_the_same_items(written: Path, tmp_path: Path) -> None:
    names = {"r1": "z", "r2": "y", "r3": "x", "r4": "w"}
    ratings = [replace(rating, rater=names[rating.rater]) for rating in CONTENT.ratings]
    write_release(replace(CONTENT, ratings=ratings), tmp_path / "out")
    for path in ("items/dev.parquet", "items/test.parquet", "jsonl/items/test.jsonl"):
        assert (tmp_path / "out" / path).read_bytes() == (written / path).read_bytes()
