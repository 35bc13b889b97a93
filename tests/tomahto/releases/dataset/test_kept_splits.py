"""Splits of the source that stay as they are, beside documents that are divided."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset, digest_of, write_release, write_verified
from tests.exporters.samples import CONTENT, EQUIVALENT, ITEMS, item, rating, reseal
from tomahto.releases.dataset.choices import SplitError, parse_split_spec
from tomahto.releases.dataset.placement import LabelledItem, place_items
from tomahto.releases.dataset.split_report import split_differences, split_report
from tomahto.releases.records.records import AnsweredQuestion, AnswerRecord
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import split_promise, verify_release

pytestmark = pytest.mark.slow

KEEP = "document:dev=30,test=70:keep=train"
SPLITS = {"a1": "dev", "a2": "dev", "b1": "dev", "c1": "train", "d1": "dev", "e1": "dev"}
BEFORE = {"A": "test", "B": "dev", "C": "train", "D": "test"}


def content(
    text: str = KEEP,
    splits: Mapping[str, str] = SPLITS,
    alike: str = "",
    before: Mapping[str, str] = BEFORE,
) -> ReleaseContent:
    """The sample; the documents `alike` ask the same question."""
    items = [
        replace(
            record,
            source_split=splits.get(record.id, ""),
            question="Who asks?" if record.document in alike else record.question,
        )
        for record in ITEMS
    ]
    return replace(CONTENT, items=items, spec=parse_split_spec(text), kept_documents=before)


def parted_document() -> ReleaseContent:
    """Of document A, one question is in train and one in dev."""
    made = content(splits=SPLITS | {"a2": "train"})
    items = [
        replace(record, question_id="q2", question="And then?") if record.id == "a2" else record
        for record in made.items
    ]
    return replace(made, items=items)


def reporting(made: ReleaseContent) -> ReleaseContent:
    return replace(made, spec=replace(made.spec, reports_leaks=True))


def placed(made: ReleaseContent) -> dict[str, str]:
    return {each.record.id: each.split for each in build_dataset(made).items}


def report(made: ReleaseContent) -> Any:
    return split_report(build_dataset(made))


def refused(made: ReleaseContent) -> str:
    with pytest.raises(SplitError) as caught:
        build_dataset(made)
    return str(caught.value)


def test_train_stays_and_the_rest_is_divided(tmp_path: Path) -> None:
    made = content(before={})
    found = placed(made)
    assert {id_: found.pop(id_) for id_ in ("c1",)} == {"c1": "train"}
    assert set(found.values()) == {"dev", "test"}
    assert found["a1"] == found["a2"]
    write_verified(made, tmp_path / "out")
    assert read_release(tmp_path / "out").manifest.as_json()["split"] == KEEP
    assert build_dataset(made).splits == ("train", "dev", "test")
    assert split_promise(tmp_path / "out") == (
        "the source's documents in train are in these splits, and no others; no document and no "
        "near-duplicate question is on two sides"
    )


def test_report_counts_shares_of_what_is_divided() -> None:
    # Four items are divided: a1, a2 (A), b1 (B), d1 (D); 30 % of them are 1.2.
    found = report(content())
    assert {name: found[name] for name in list(found)[4:]} == {
        "documents": 3,
        "groups": 3,
        "largest_group": {"documents": 1, "items": 2},
        "targets": {"dev": 1.2, "test": 2.8},
        "leaks": [],
        "kept": {"train": 1},
        "parted_documents": [],
    }


def test_answers_alone_follow_the_split_of_their_question() -> None:
    def answer(document: str, split: str) -> AnswerRecord:
        question = AnsweredQuestion(
            f"q{document}", document, f"What of {document}?", "", ("x",), split
        )
        return AnswerRecord(question, "s", "x", "exact", ())

    spec = parse_split_spec(KEEP)
    items = [LabelledItem(replace(each, source_split=SPLITS[each.id]), "r") for each in ITEMS]
    answers = [answer("E", "train"), answer("F", "dev")]
    splits = place_items(items, spec, 0, {}, answers).answers
    assert splits[0] == ("train",)
    assert splits[1] in [("dev",), ("test",)]


def test_near_duplicates_of_kept_questions_are_refused_or_reported(tmp_path: Path) -> None:
    made = content(alike="BC")
    assert refused(made) == (
        "near-duplicate questions are on two sides: 'qb' of document 'B' in dev (item 'b1'), 'qc' "
        "of document 'C' in train (item 'c1'); what was released or is kept does not move, so take "
        "the later ones out, or add :leaks=report to the split to go on with the leak reported"
    )
    write_verified(reporting(made), tmp_path / "out")
    assert report(reporting(made))["leaks"] == [
        [{"document": "B", "question_id": "qb"}, {"document": "C", "question_id": "qc"}]
    ]
    assert split_promise(tmp_path / "out") == (
        "the source's documents in train are in these splits, and no others; on two sides are 0 "
        "documents and 1 group of near-duplicate questions, which splits.json names"
    )
    assert (
        "kept as in the source: `train` (1 documents); the rest is divided. Of the rest, the "
        "shares are of items"
    ) in (tmp_path / "out/README.md").read_text()


def test_documents_on_a_kept_side_and_another_are_refused_or_reported(tmp_path: Path) -> None:
    made = parted_document()
    assert refused(made) == (
        "the source has questions of document 'A' in train and elsewhere; take some of them out, "
        "or add :leaks=report to the split to go on with the document on two sides"
    )
    write_verified(reporting(made), tmp_path / "out")
    assert placed(reporting(made)) == {
        "a1": "test", "a2": "train", "b1": "dev", "c1": "train", "d1": "test"
    }  # fmt: skip
    found = report(reporting(made))
    assert (found["documents"], found["kept"], found["parted_documents"]) == (
        3,
        {"train": 2},
        [{"document": "A", "splits": ["train", "test"]}],
    )
    assert "**1 documents are also in another split.**" in (tmp_path / "out/README.md").read_text()


def test_a_question_may_join_a_document_that_was_released_in_a_kept_split() -> None:
    before = {"A": "train", "C": "train"}
    joined = content(splits=SPLITS | {"a1": "train"}, before=before)
    items = [
        replace(record, question_id="q2", question="And then?") if record.id == "a2" else record
        for record in joined.items
    ]
    sides = placed(reporting(replace(joined, items=items)))
    assert (sides["a1"], sides["a2"] in ("dev", "test")) == ("train", True)


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (
            content(KEEP.replace("train", "validation")),
            ("no rated item is in the split 'validation' of its source; known: dev, train"),
        ),
        (
            content(before=BEFORE | {"C": "dev"}),
            "document 'C' was in split 'dev' before, and its source has it in train now",
        ),
        (
            content(before=BEFORE | {"B": "train"}),
            "document 'B' was in split 'train' before, which is not one of dev, test",
        ),
        (
            content(splits=dict.fromkeys(SPLITS, "train"), before={}),
            (
                f"{KEEP} cannot be made of 0 documents: 0 can still be placed, but dev, test would "
                "need one each"
            ),
        ),
    ],
)
def test_what_cannot_be_kept_is_refused(made: ReleaseContent, message: str) -> None:
    assert refused(made) == message


def test_digest_knows_what_is_kept() -> None:
    plain = content("document:dev=30,test=70", before={"A": "test", "B": "dev"})
    assert digest_of(content()) == digest_of(reporting(content())) != digest_of(plain)


def test_verify_finds_what_is_not_where_its_source_has_it(tmp_path: Path) -> None:
    write_release(content(), tmp_path / "out")
    reseal(tmp_path / "out", split="document:test=70,train=30:keep=dev")
    assert verify_release(tmp_path / "out")[0] == ("item 'a1': is not in its split of the source")


rows = st.tuples(
    st.integers(0, 9), st.sampled_from(["train", "dev", ""]), st.sampled_from("bcdefghijklm")
)


@given(st.lists(rows, min_size=3, max_size=25), st.integers(0, 99), st.randoms())
def test_random_campaigns_keep_every_promise(
    drawn: list[tuple[int, str, str]], seed: int, random: Any
) -> None:
    """Of every document some questions may be in train; some questions are asked twice."""
    items = [
        replace(
            item(f"i{n}", f"d{document}", question=f"q{n}"),
            question=f"about {word}",
            source_split=split,
        )
        for n, (document, split, word) in enumerate(drawn)
    ]
    made = replace(
        CONTENT,
        items=random.sample(items, len(items)),
        ratings=[rating(record.id, "r1", EQUIVALENT) for record in items],
        spec=parse_split_spec(f"{KEEP}:leaks=report"),
        seed=seed,
    )
    try:
        dataset = build_dataset(made)
    except SplitError as error:
        assert "cannot be made of" in str(error) or "no rated item" in str(error)  # noqa: PT017
        return
    split_of = {each.record.id: each.split for each in dataset.items}
    for record in items:
        assert (split_of[record.id] == "train") == (record.source_split == "train")
    divided = [record for record in items if record.source_split != "train"]
    for one in divided:
        for other in divided:
            if one.document == other.document or one.question == other.question:
                assert split_of[one.id] == split_of[other.id]
    assert split_differences(dataset) == []
    sides: dict[str, set[str]] = {}
    for record in items:
        sides.setdefault(record.question, set()).add(split_of[record.id])
    leaks = [found for found in sides.values() if len(found) > 1]
    assert len(report(made)["leaks"]) == len(leaks)
