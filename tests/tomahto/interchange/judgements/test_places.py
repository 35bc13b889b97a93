"""Labelled answers come from a file or from a split of a release, whoever takes them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT
from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.interchange.reading.records import InputError
from tomahto.releases.records.records import SplitSpec

TRAIN = SplitSpec("document", {"train": 50.0, "test": 50.0})


def test_a_split_holds_what_its_json_lines_hold(release: Path) -> None:
    found = read_labelled_pairs(Path(f"{release}:test"))
    assert found.rows == read_labelled_pairs(release / "jsonl" / "items" / "test.jsonl").rows
    assert found.name == f"{release}:test"
    manifest = json.loads((release / "manifest.json").read_text())
    assert found.source == {
        "release": manifest["campaign"],
        "version": manifest["version"],
        "split": "test",
        "digest": manifest["digest"],
    }
    assert read_labelled_pairs(release, split="test") == found


def test_a_release_alone_is_its_split_train(tmp_path: Path) -> None:
    write_release(replace(CONTENT, spec=TRAIN), tmp_path / "with-train")
    found = read_labelled_pairs(tmp_path / "with-train")
    assert found == replace(
        read_labelled_pairs(tmp_path / "with-train", split="train"), name=found.name
    )


@pytest.mark.parametrize(
    ("split", "fault"),
    [
        ("", "is a release without a split train: {0}:dev, {0}:test"),
        ("train", "has no split 'train': {0}:dev, {0}:test"),
    ],
)
def test_a_split_that_is_not_there_is_named_with_those_that_are(
    release: Path, split: str, fault: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_labelled_pairs(release, split=split)
    assert str(caught.value) == f"{release}: {fault.format(release)}"


def test_a_split_is_named_once(release: Path) -> None:
    place = Path(f"{release}:test")
    assert read_labelled_pairs(place, split="test").source == read_labelled_pairs(place).source
    with pytest.raises(InputError) as caught:
        read_labelled_pairs(place, split="dev")
    assert str(caught.value) == f"{place}: names the split test, and dev is asked for"


def test_a_damaged_release_is_refused_in_one_line(release: Path) -> None:
    (release / "items" / "test.parquet").write_bytes(b"PAR1")
    with pytest.raises(InputError, match=r"items/test\.parquet: cannot be read"):
        read_labelled_pairs(release, split="test")


def test_each_line_of_a_public_ae_file_is_a_rating(release: Path) -> None:
    """Equivalent is what is no other answer and says as much as the reference."""
    lines = (release / "ae" / "test.jsonl").read_text().splitlines()
    found = read_labelled_pairs(release / "ae" / "test.jsonl")
    assert len(found.rows) == len(lines)
    assert [example.correct for example in found.rows] == [
        (line["question_1"], line["question_2"]) == ("no", "yes") for line in map(json.loads, lines)
    ]
