"""Releases as the lab reads them."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.builders import write_release
from tests.exporters.format_samples import AE, RULES, STATEMENT
from tests.exporters.samples import ADJUDICATIONS
from tomahto.lab.judged import DecidedBy, JudgedItem
from tomahto.lab.release_data import judged_data_of_release
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.records.records import AdjudicationRecord, SplitSpec
from tomahto.releases.stored.manifest import read_manifest


def written(content: object, folder: Path) -> Path:
    write_release(content, folder)  # type: ignore[arg-type]  # ReleaseContent
    return folder


def test_items_have_the_labels_and_splits_they_were_released_with(tmp_path: Path) -> None:
    # The adjudicators of a1 outvote its majority; a1 and a2 are of two systems, each a split.
    spec = SplitSpec("system", {}, systems={"one": ("xlnet", "luke"), "two": ("bidaf",)})
    content = replace(AE, spec=spec, labels="adjudicated", adjudications=ADJUDICATIONS)
    data = judged_data_of_release(written(content, tmp_path / "release"))
    assert (data.name, data.protocol) == ("demo 1.0.0", "ae")
    assert data.digest == read_manifest(tmp_path / "release").digest
    assert data.correct_labels == frozenset({"equivalent"})
    assert data.scheme == AE.campaign.scheme
    assert data.items[0] == JudgedItem(
        id="a1",
        question_id="qa",
        document="A",
        question="What is qa?",
        context="A passage of A.",
        references=("Paris",),
        candidate="in Paris, France",
        systems=("bidaf", "xlnet"),
        split="one+two",
        label="not-equivalent",
        is_right=False,
        reference_index=0,
    )
    assert data.votes == [(2, 1), (0, 1), (1, 0), (0, 4)]
    # by which they were released, and what else is known
    assert list(data.label_sources) == ["adjudicated", "majority", "dawid-skene"]
    first = {source: labels[0] for source, labels in data.label_sources.items()}
    assert (first["adjudicated"], first["majority"]) == ("not-equivalent", "equivalent")
    assert data.part_sources["adjudicators"] == ["not-equivalent", None, None, "not-equivalent"]
    assert [(item.id, item.split, item.is_right) for item in data.items] == [
        ("a1", "one+two", False),
        ("a2", "one+two", False),
        ("c1", "one", True),
        ("d1", "two", False),
    ]  # b1, a tie, has no label
    assert data.tie_sources == {
        "adjudicated": [None],
        "dawid-skene": ["not-equivalent"],
        "adjudicators": [None],
    }


def test_ties_have_what_adjudicators_and_the_model_say_of_them(tmp_path: Path) -> None:
    decided = [AdjudicationRecord("b1", "x1", "not-equivalent")]
    content = replace(AE, spec=SplitSpec("document", {"test": 100.0}), adjudications=decided)
    data = judged_data_of_release(written(content, tmp_path / "release"))
    assert data.tie_sources == {
        "majority": [None],
        "dawid-skene": ["not-equivalent"],
        "adjudicators": ["not-equivalent"],
    }


def test_statements_are_no_answers(tmp_path: Path) -> None:
    content = replace(STATEMENT, spec=SplitSpec("document", {"test": 100.0}))
    with pytest.raises(ReleaseError, match="names no label under which a candidate is a right"):
        judged_data_of_release(written(content, tmp_path / "release"))


def test_a_folder_without_a_release_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"^manifest.json: is missing or not a regular file$"):
        judged_data_of_release(tmp_path)


def test_rules_are_those_that_ratings_with_the_label_chose(tmp_path: Path) -> None:
    content = replace(RULES, campaign=replace(RULES.campaign, accepted_labels=("correct",)))
    data = judged_data_of_release(written(content, tmp_path / "release"))
    assert data.decided_by == DecidedBy(
        ("aliasing", "numerical"), {"a1": ("aliasing", "numerical")}
    )
    (item,) = data.items
    assert (item.id, item.label) == ("a1", "wrong")


def test_protocol_without_rules_has_none(tmp_path: Path) -> None:
    content = replace(AE, spec=SplitSpec("document", {"test": 100.0}))
    assert judged_data_of_release(written(content, tmp_path / "release")).decided_by is None
