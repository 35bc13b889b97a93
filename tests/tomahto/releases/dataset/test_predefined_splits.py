"""The splits of the source, kept as they are: what is on two sides there is told, not refused."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset, digest_of, write_release, write_verified
from tests.exporters.samples import CONTENT, EQUIVALENT, ITEMS, item, rating, reseal
from tomahto.releases.comparison.diff import diff_releases
from tomahto.releases.dataset.choices import SplitError, parse_split_spec
from tomahto.releases.dataset.split_report import split_differences, split_report
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import ItemRecord
from tomahto.releases.stored.digest import content_digest
from tomahto.releases.stored.manifest import parse_manifest
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import split_promise, verify_release

pytestmark = pytest.mark.slow


# d1 and e1 are of one question; e1 is not rated.
SPLITS = {"a1": "dev", "a2": "dev", "b1": "train", "c1": "train", "d1": "test", "e1": "test"}


def split_by(text: str = "predefined", splits: Mapping[str, str] = SPLITS) -> ReleaseContent:
    items = [replace(record, source_split=splits.get(record.id, "")) for record in ITEMS]
    return replace(CONTENT, items=items, spec=parse_split_spec(text))


def placed(content: ReleaseContent) -> dict[str, str]:
    return {item.record.id: item.split for item in build_dataset(content).items}


def report(content: ReleaseContent) -> Any:
    return split_report(build_dataset(content))


def test_items_are_where_their_source_has_them(tmp_path: Path) -> None:
    content = split_by()
    assert placed(content) == {id_: SPLITS[id_] for id_ in ("a1", "a2", "b1", "c1", "d1")}
    write_verified(content, tmp_path / "out")
    manifest = read_release(tmp_path / "out").manifest
    assert manifest.as_json()["split"] == "predefined:dev,test,train"
    rows = (tmp_path / "out/jsonl/items/train.jsonl").read_text().splitlines()
    assert [json.loads(row)["source_split"] for row in rows] == ["train", "train"]


def test_named_splits_come_in_the_order_they_are_named_and_have_the_same_digest() -> None:
    named = split_by("predefined:train,dev,test")
    assert build_dataset(named).splits == ("train", "dev", "test")
    assert digest_of(named) == digest_of(split_by())


def test_splits_without_a_rated_item_are_not_there() -> None:
    assert build_dataset(split_by(splits=SPLITS | {"d1": "dev"})).splits == ("dev", "train")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            split_by(splits={"a1": "dev", "a2": "dev", "d1": "dev"}),
            (
                "2 items are in no split of their source that is named, such as 'b1' (in none); "
                "import their splits, or leave them out by :others=omit"
            ),
        ),
        (
            split_by("predefined:dev,test"),
            (
                "2 items are in no split of their source that is named, such as 'b1' (in "
                "'train'); import their splits, or leave them out by :others=omit"
            ),
        ),
        (
            split_by("predefined:dev,validation"),
            ("no rated item is in the split 'validation' of its source; known: dev, test, train"),
        ),
        (split_by(splits={}), "no rated item names its split in the source"),
        (split_by(splits={"e1": "dev"}), "no rated item names its split in the source"),
    ],
)
def test_splits_that_the_source_does_not_have_are_refused(
    content: ReleaseContent, message: str
) -> None:
    with pytest.raises(SplitError) as caught:
        build_dataset(content)
    assert str(caught.value) == message


def test_other_items_may_be_omitted(tmp_path: Path) -> None:
    content = split_by("predefined:dev,test:others=omit")
    assert placed(content) == {"a1": "dev", "a2": "dev", "d1": "test"}
    write_verified(content, tmp_path / "out")
    page = (tmp_path / "out/README.md").read_text()
    assert (
        "1 item of the campaign had no counted rating and is left out. "
        "So are the 2 items in no split of their source that is named."
    ) in page


# A is in dev and train; b1 and c1 are asked alike in train, d1 likewise in test.
PARTED = replace(
    split_by(),
    items=[
        replace(record, question="Who asks?") if record.id in ("b1", "c1", "d1") else record
        for record in split_by(splits=SPLITS | {"a2": "train"}).items
    ],
)


def with_two_questions(content: ReleaseContent) -> ReleaseContent:
    """a2 asks something else than a1, so that each question has one split."""
    items = [
        replace(record, question_id="q2", question="And then?") if record.id == "a2" else record
        for record in content.items
    ]
    return replace(content, items=items)


def test_what_is_on_two_sides_is_reported_and_promised(tmp_path: Path) -> None:
    content = with_two_questions(PARTED)
    found = report(content)
    questions = [
        {"document": name, "question_id": id_}
        for name, id_ in (("B", "qb"), ("C", "qc"), ("D", "qd"))
    ]
    assert (found["documents"], found["parted_documents"], found["leaks"]) == (
        4,
        [{"document": "A", "splits": ["dev", "train"]}],
        [questions],
    )
    write_verified(content, tmp_path / "out")
    assert split_promise(tmp_path / "out") == (
        "every item is in its split of the source; on two sides are 1 document and 1 group of "
        "near-duplicate questions, which splits.json names"
    )
    assert (
        "Split by `predefined:dev,test,train` with the seed 13: every item is in the split of its "
        "question in the source, whatever that leaves on two sides. Of 4 documents 1 are in "
        "several splits. Groups of near-duplicate questions (token Jaccard of 0.9 or more): 1, of "
        "which 1 are on two sides."
    ) in (tmp_path / "out/README.md").read_text()


def test_near_duplicates_in_one_document_can_be_on_two_sides() -> None:
    items = [
        replace(item(f"i{n}", "D", question=f"q{n}"), question="Who asks?", source_split=split)
        for n, split in enumerate(("dev", "test"))
    ]
    ratings = [rating(record.id, "r1", EQUIVALENT) for record in items]
    found = report(
        replace(CONTENT, items=items, ratings=ratings, spec=parse_split_spec("predefined"))
    )
    assert found["leaks"] == [
        [{"document": "D", "question_id": "q0"}, {"document": "D", "question_id": "q1"}]
    ]


def test_promise_where_nothing_is_on_two_sides(tmp_path: Path) -> None:
    write_release(split_by(), tmp_path / "out")
    assert split_promise(tmp_path / "out") == (
        "every item is in its split of the source; no document and no near-duplicate question is "
        "on two sides"
    )


def test_a_question_in_two_splits_is_refused() -> None:
    with pytest.raises(ReleaseError) as caught:
        build_dataset(PARTED)
    assert str(caught.value) == "question 'qa' is in the splits dev and train of its source"


def move(folder: Path, id_: str, source: str, target: str) -> None:
    """Put an item into the file of another split, and its ratings too."""
    for table in ("items", "ratings"):
        paths = [folder / f"{table}/{split}.parquet" for split in (source, target)]
        tables = [pq.read_table(path) for path in paths]
        rows = [found.to_pylist() for found in tables]
        rows[1] += [row for row in rows[0] if row["id"] == id_]
        rows[0] = [row for row in rows[0] if row["id"] != id_]
        for path, found, content in zip(paths, tables, rows, strict=True):
            pq.write_table(pa.Table.from_pylist(content, found.schema), path)


def test_verify_finds_an_item_in_another_split_than_its_source_has_it_in(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_release(split_by(), folder)
    move(folder, "b1", "train", "dev")
    manifest = json.loads((folder / "manifest.json").read_text())
    for file in manifest["files"]:
        if file["rows"] is not None and file["path"].endswith(".parquet"):
            file["rows"] = pq.read_metadata(folder / file["path"]).num_rows
    reseal(folder, files=manifest["files"])
    found = verify_release(folder)
    assert found[0] == "item 'b1': is not in its split of the source"


def test_a_manifest_names_its_splits(written: Path) -> None:
    manifest = json.loads((written / "manifest.json").read_text())
    with pytest.raises(ReleaseError) as caught:
        parse_manifest(manifest | {"split": "predefined"})
    assert str(caught.value) == "manifest.json, field split: does not name its splits"


def test_the_split_of_the_source_is_a_detail_of_an_item(written: Path, tmp_path: Path) -> None:
    content = replace(split_by("document:dev=30,test=70"), version="1.1.0")
    write_release(content, tmp_path / "out")
    diff = diff_releases(written, tmp_path / "out")
    assert [change.fields for change in diff.items.details.first] == [("source_split",)] * 5
    assert (diff.required_bump, diff.items.splits.count) == ("minor", 0)


def test_the_order_in_which_splits_are_named_is_no_change(tmp_path: Path) -> None:
    for name, split in (("one", "predefined"), ("two", "predefined:train,dev,test")):
        write_release(split_by(split), tmp_path / name)
    assert diff_releases(tmp_path / "one", tmp_path / "two").settings == ()


def test_the_digest_knows_the_split_of_the_source() -> None:
    spec = "document:dev=30,test=70"
    known, unknown = split_by(spec), split_by(spec, {})
    assert content_digest(build_dataset(unknown)) == digest_of(CONTENT)
    assert digest_of(known) != digest_of(unknown)


names = st.sampled_from(["train", "dev", "test"])


@given(st.lists(st.tuples(st.integers(0, 4), names), min_size=1, max_size=20), st.randoms())
def test_random_campaigns_keep_the_splits_of_their_source(
    drawn: list[tuple[int, str]], random: Any
) -> None:
    items: list[ItemRecord] = [
        replace(item(f"i{n}", f"d{document}", question=f"q{n}"), source_split=split)
        for n, (document, split) in enumerate(drawn)
    ]
    content = replace(
        CONTENT,
        items=random.sample(items, len(items)),
        ratings=[rating(record.id, "r1", EQUIVALENT) for record in items],
        spec=parse_split_spec("predefined"),
    )
    assert placed(content) == {record.id: record.source_split for record in items}
    assert split_differences(build_dataset(content)) == []
    parted = {
        document: sorted({split for other, split in drawn if other == document})
        for document, _ in drawn
    }
    assert report(content)["parted_documents"] == [
        {"document": f"d{document}", "splits": splits}
        for document, splits in sorted(parted.items())
        if len(splits) > 1
    ]
