"""`splits.json`, what the card says of it, and that verification sees a broken promise."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import (
    build_dataset,
    write_first_version,
    write_release,
    write_verified,
)
from tests.exporters.samples import CONTENT, DIFFERING, ITEMS, reseal
from tomahto.releases.dataset.choices import SplitError, parse_split_spec
from tomahto.releases.dataset.split_report import split_differences, split_report
from tomahto.releases.figures.figures import dawid_skene_json
from tomahto.releases.records.records import ItemRecord
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import split_promise, verify_release

pytestmark = pytest.mark.slow


KEPT = {"A": "test", "B": "dev", "C": "test", "D": "test"}


def split_by(text: str, **changes: Any) -> ReleaseContent:
    return replace(CONTENT, spec=parse_split_spec(text), **changes)


def asking_alike(*documents: str) -> list[ItemRecord]:
    """The sample, where these documents ask the same question."""
    return [
        replace(item, question="Who asks?") if item.document in documents else item
        for item in ITEMS
    ]


def read(folder: Path) -> Any:
    return json.loads((folder / "splits.json").read_text())


def test_report_of_whole_documents() -> None:
    # Items a1, a2 (A), b1 (B), c1 (C), d1 (D); a tie of b1 is drawn, equivalent by the seed 13
    # (as in the statistics): test has a1, c1 right and a2, d1 wrong.
    content = split_by(
        "document:dev=30,test=70:stratify=label", items=asking_alike("C", "D"), kept_documents=KEPT
    )
    assert split_report(build_dataset(content)) == {
        "split": "document:dev=30,test=70:stratify=label",
        "labels": {
            "dev": {"equivalent": 1, "not-equivalent": 0},
            "test": {"equivalent": 2, "not-equivalent": 2},
        },
        "largest_label_deviation": {
            "split": "dev",
            "label": "equivalent",
            "share": 1.0,
            "share_of_all": 0.6,
        },
        "near_duplicates": {
            "threshold": 0.9,
            "groups": 1,
            "across_documents": [
                [
                    {"document": "C", "question_id": "qc"},
                    {"document": "D", "question_id": "qd"},
                ]
            ],
        },
        "documents": 4,
        "groups": 3,
        "largest_group": {"documents": 2, "items": 2},
        "targets": {"dev": 1.5, "test": 3.5},
        "leaks": [],
        "not_reached": [],
    }


def test_stratification_that_documents_do_not_allow_says_so(tmp_path: Path) -> None:
    # All is kept: dev has one item that is equivalent of 3; 90 % of 3 would be 2.7, off by 1.7.
    content = split_by("document:dev=90,test=10:stratify=label", kept_documents=KEPT)
    write_release(content, tmp_path / "out")
    report = read(tmp_path / "out")
    assert [(each["split"], each["label"], each["items"]) for each in report["not_reached"]] == [
        ("dev", "equivalent", 1),
        ("dev", "not-equivalent", 0),
        ("test", "equivalent", 2),
        ("test", "not-equivalent", 2),
    ]
    page = (tmp_path / "out/README.md").read_text()
    assert "Documents that stay whole did not allow the share of `equivalent` in dev" in page


def test_leaks_that_were_asked_to_be_reported_are_in_report_and_card(tmp_path: Path) -> None:
    text = "document:dev=30,test=70:leaks=report"
    content = split_by(text, items=asking_alike("B", "D"), kept_documents=KEPT)
    write_verified(content, tmp_path / "out")
    assert split_promise(tmp_path / "out") == (
        "no document is on two sides; near-duplicate questions are, in 1 group that splits.json "
        "names"
    )
    assert read(tmp_path / "out")["leaks"] == [
        [{"document": "B", "question_id": "qb"}, {"document": "D", "question_id": "qd"}]
    ]
    assert "**1 of them are on two sides**" in (tmp_path / "out/README.md").read_text()


def test_verify_finds_near_duplicates_on_two_sides(tmp_path: Path) -> None:
    text = "document:dev=30,test=70:leaks=report"
    content = split_by(text, items=asking_alike("B", "D"), kept_documents=KEPT)
    write_release(content, tmp_path / "out")
    reseal(tmp_path / "out", split="document:dev=30,test=70")
    expected = "near-duplicate questions in two splits: 'qb' in dev, 'qd' in test"
    assert expected in verify_release(tmp_path / "out")


def with_twins(*documents: str, leaks: str = ":leaks=report") -> ReleaseContent:
    """The sample, where these two documents ask a question in two compositions of characters."""
    asked = dict(zip(documents, ("Où est René ?", "Ou\u0300 est Rene\u0301？"), strict=True))
    items = [replace(item, question=asked.get(item.document, item.question)) for item in ITEMS]
    return split_by(f"document:dev=30,test=70{leaks}", items=items, kept_documents=KEPT)


def test_twins_on_two_sides_are_refused_or_reported() -> None:
    with pytest.raises(SplitError, match="near-duplicate questions are on two sides: 'qb' of"):
        build_dataset(with_twins("B", "D", leaks=""))
    assert split_report(build_dataset(with_twins("B", "D")))["leaks"] == [
        [{"document": "B", "question_id": "qb"}, {"document": "D", "question_id": "qd"}]
    ]


def test_verify_finds_a_leak_that_the_first_version_did_not_see(
    tmp_path: Path,
) -> None:
    write_first_version(with_twins("B", "D"), tmp_path / "out")
    near = {"threshold": 0.9, "groups": 0, "across_documents": []}
    assert read(tmp_path / "out")["near_duplicates"] == near
    unnamed = (
        "splits.json: lacks near-duplicate questions that are in two splits: 'qb' of document 'B', "
        "'qd' of document 'D'"
    )
    assert verify_release(tmp_path / "out") == [unnamed]
    reseal(tmp_path / "out", split="document:dev=30,test=70")
    expected = "near-duplicate questions in two splits: 'qb' in dev, 'qd' in test"
    assert {expected, unnamed} <= set(verify_release(tmp_path / "out"))


def test_a_release_of_the_first_version_without_a_leak_verifies(tmp_path: Path) -> None:
    write_first_version(with_twins("C", "D"), tmp_path / "out")
    assert verify_release(tmp_path / "out") == []


def test_folds_are_a_release_of_so_many_splits(tmp_path: Path) -> None:
    summary = write_release(split_by("folds:3"), tmp_path / "out")
    assert verify_release(tmp_path / "out") == []
    assert list(summary.splits) == ["fold1", "fold2", "fold3"]
    assert split_promise(tmp_path / "out") == (
        "no document and no near-duplicate question is on two sides"
    )
    assert read(tmp_path / "out")["targets"] == pytest.approx(dict.fromkeys(summary.splits, 5 / 3))


BY_SYSTEM = "system:dev=bidaf,test=xlnet+luke"


def test_by_system_items_and_ratings_are_in_each_split_of_their_systems(tmp_path: Path) -> None:
    # a1, a2: xlnet and bidaf; b1: luke; c1: xlnet; d1: bidaf
    summary = write_release(split_by(BY_SYSTEM), tmp_path / "out")
    assert verify_release(tmp_path / "out") == []
    sizes = {name: (part["items"], part["ratings"]) for name, part in summary.splits.items()}
    assert (summary.items, summary.ratings) == (5, 11)
    assert split_promise(tmp_path / "out") == "every item is in the splits of its systems"
    assert sizes == {"dev": (3, 8), "test": (4, 7)}  # a1 3, a2 1, d1 4; a1 3, a2 1, b1 2, c1 1
    report = read(tmp_path / "out")
    assert (report["items_in_several_splits"], report["documents_in_several_splits"]) == (2, 1)
    assert "2 items are in several, and 1 documents" in (tmp_path / "out/README.md").read_text()


def test_by_system_left_out_items_are_counted_on_the_card(tmp_path: Path) -> None:
    write_verified(split_by("system:dev=bidaf:others=omit"), tmp_path / "out")
    page = (tmp_path / "out/README.md").read_text()
    assert (
        "1 item of the campaign had no counted rating and is left out. So are the 2 items of no "
        "system that a split names." in page
    )


def test_by_system_an_estimate_is_of_the_items_released_alone(tmp_path: Path) -> None:
    # What r1 and r2 said of b1 and c1, which are left out, would tell of their errors in a1.
    content = split_by("system:dev=bidaf:others=omit", labels="dawid-skene")
    write_verified(content, tmp_path / "out")
    kept = [found for found in ITEMS if found.id in ("a1", "a2", "d1")]
    votes = [vote for vote in content.ratings if vote.item_id in ("a1", "a2", "d1")]
    alone = build_dataset(replace(content, items=kept, ratings=votes))
    assert build_dataset(content) == alone
    assert dawid_skene_json(build_dataset(content).estimate) == dawid_skene_json(alone.estimate)


def test_by_system_decisions_are_in_each_split_of_their_item(tmp_path: Path) -> None:
    content = split_by(BY_SYSTEM, adjudications=DIFFERING, labels="adjudicated")
    write_verified(content, tmp_path / "out")
    decided = {
        split: [(each.item_id, each.adjudicator) for each in decisions]
        for split, decisions in build_dataset(content).adjudications_by_split.items()
    }
    assert decided == {
        "dev": [("a1", "x1"), ("a1", "x2"), ("d1", "x1")],
        "test": [("a1", "x1"), ("a1", "x2"), ("b1", "x1"), ("b1", "x2")],
    }
    manifest, dataset = read_release(tmp_path / "out")
    assert (manifest.adjudications, dataset) == (5, build_dataset(content))


def test_verify_finds_an_item_in_a_split_of_another_system(tmp_path: Path) -> None:
    write_release(split_by(BY_SYSTEM), tmp_path / "out")
    path = tmp_path / "out/items/dev.parquet"
    table = pq.read_table(path)
    rows = table.to_pylist()
    (moved,) = (row for row in rows if row["id"] == "d1")
    moved["systems"] = ["luke"]
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    reseal(tmp_path / "out")
    expected = "item 'd1': is not in the splits that its systems make"
    assert expected in verify_release(tmp_path / "out")


def test_verify_finds_an_item_that_differs_between_splits(tmp_path: Path) -> None:
    write_release(split_by(BY_SYSTEM), tmp_path / "out")
    path = tmp_path / "out/items/dev.parquet"
    table = pq.read_table(path)
    rows = [{**row, "candidate": "x"} if row["id"] == "a1" else row for row in table.to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, table.schema), path)
    reseal(tmp_path / "out")
    assert verify_release(tmp_path / "out") == ["item 'a1' occurs twice"]


def test_split_differences_of_a_release_are_none() -> None:
    assert split_differences(build_dataset(CONTENT)) == []
