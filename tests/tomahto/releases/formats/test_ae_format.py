import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset, write_release
from tests.exporters.samples import (
    CAP_CONTENT,
    CONTENT,
    DIFFERENT,
    EQUIVALENT,
    LESS,
    rating,
    reseal,
)
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.reading.records import InputError
from tomahto.releases.formats.ae import ae_files, ae_files_0_1_0
from tomahto.releases.records.records import SplitSpec
from tomahto.releases.verification.verify import verify_release


def ae_rows(folder: Path) -> Iterator[dict[str, Any]]:
    for split in ("dev", "test"):
        with (folder / f"ae/{split}.jsonl").open() as lines:
            yield from map(json.loads, lines)


def test_ae_format_has_one_line_per_counted_rating(written: Path) -> None:
    # a1 three, a2 one, b1 two, c1 one (its other rating is surplus), d1 four.
    questions = [row["qid"] for row in ae_rows(written)]
    assert sorted(questions) == ["qa"] * 4 + ["qb"] * 2 + ["qc"] + ["qd"] * 4


def test_ae_format_has_the_public_fields(written: Path) -> None:
    rows = [row for row in ae_rows(written) if row["reference"] == "Paris"]
    common = {
        "qid": "qa",
        "context": "A passage of A.",
        "question": "What is qa?",
        "reference": "Paris",
        "candidate": "in Paris, France",
        "gold_index": 0,
        "score": 2 / 3,  # two of three raters say equivalent
    }
    equivalent = {
        "question_1": "no",
        "question_2": "yes",
        "question_3": "undefined",
        "question_4": "undefined",
    }
    less = {"question_1": "no", "question_2": "no", "question_3": "yes", "question_4": "no"}
    # in the order of their answers, whoever gave them
    assert rows == [common | less, common | equivalent, common | equivalent]


# a1 has a rating of each label without answers, and one with
LABELS_ALONE = replace(
    CONTENT,
    ratings=[
        replace(rating("a1", "r1", EQUIVALENT), answers={}),
        rating("a1", "r2", LESS),
        replace(rating("a1", "r3", DIFFERENT), answers={}),
    ],
    adjudications=(),
    spec=SplitSpec("document", {"test": 100.0}),
)


def test_ratings_of_a_label_alone_are_read_as_that_label() -> None:
    rows = [json.loads(line) for line in lines(LABELS_ALONE)]
    answers = [tuple(row[f"question_{place}"] for place in range(1, 5)) for row in rows]
    assert answers == [
        ("no", "no", "yes", "no"),
        ("no", "yes", "undefined", "undefined"),
        ("undefined", "undefined", "undefined", "undefined"),
    ]
    assert {row["score"] for row in rows} == {1 / 3}


def test_import_reads_a_label_alone_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl"
    path.write_text("".join(lines(LABELS_ALONE)))
    read = list(read_ratings(path, format=None, question_keys=("q1", "q2", "q3", "q4")))
    nothing = dict.fromkeys(("q1", "q2", "q3", "q4"))
    assert [(row.label, row.answers) for row in read] == [
        (None, nothing | {"q1": False, "q2": False, "q3": True, "q4": False}),
        (None, nothing | {"q1": False, "q2": True}),
        ("not-equivalent", nothing),
    ]


def test_import_refuses_an_equivalent_without_answers_as_0_1_0_wrote_it(tmp_path: Path) -> None:
    alone = replace(LABELS_ALONE, ratings=LABELS_ALONE.ratings[:1])
    [file] = ae_files_0_1_0(build_dataset(alone))
    path = tmp_path / "test.jsonl"
    path.write_text("".join(line for group in file.groups for line in group))
    with pytest.raises(InputError) as caught:
        list(read_ratings(path, format="ae", question_keys=("q1", "q2", "q3", "q4")))
    fault = "says equivalent of a rating without answers; import the release's jsonl/ratings"
    assert str(caught.value) == f"{path}, line 1, field score: {fault}"


def test_releases_of_0_1_0_need_no_answers_for_a_label_alone(tmp_path: Path) -> None:
    write_release(LABELS_ALONE, tmp_path / "made")
    [file] = ae_files_0_1_0(build_dataset(LABELS_ALONE))
    text = "".join(line for group in file.groups for line in group)
    assert text.count('"question_2":"undefined"') + text.count('"question_2": "undefined"') == 2
    (tmp_path / "made" / file.path).write_text(text)
    reseal(tmp_path / "made", software="tomahto 0.1.0")
    assert verify_release(tmp_path / "made") == []
    reseal(tmp_path / "made", software="tomahto 0.2.0")
    assert [line.partition(",")[0] for line in verify_release(tmp_path / "made")] == [file.path]


@given(st.permutations(["r1", "r2", "r3", "r4"]))
def test_ae_format_does_not_tell_raters_by_the_order_of_their_lines(raters: list[str]) -> None:
    names = dict(zip(("r1", "r2", "r3", "r4"), raters, strict=True))
    renamed = [replace(rating, rater=names[rating.rater]) for rating in CONTENT.ratings]
    assert lines(replace(CONTENT, ratings=renamed)) == lines(CONTENT)


def lines(content: ReleaseContent) -> list[str]:
    files = ae_files(build_dataset(content))
    return [line for file in files for group in file.groups for line in group]


# A line as the data release of Bulian et al. (2022) has them; the texts are ours.
PUBLISHED = """{"qid": "k1", "context": "The Penny Black was the first stamp.", "question": \
"What was the first stamp?", "reference": "The Penny Black", "candidate": "Penny Black", \
"gold_index": 1, "score": 1.0, "question_1": "no", "question_2": "yes", \
"question_3": "undefined", "question_4": "undefined"}"""


def test_ae_format_has_keys_and_types_of_the_public_files(written: Path) -> None:
    def shape(row: dict[str, Any]) -> list[tuple[str, type]]:
        return [(name, type(value)) for name, value in row.items()]

    for row in ae_rows(written):
        if row["gold_index"] is not None:
            assert shape(row) == shape(json.loads(PUBLISHED))
            assert {row[f"question_{n}"] for n in range(1, 5)} <= {"yes", "no", "undefined"}


def test_ae_format_belongs_to_protocol_ae_alone(tmp_path: Path) -> None:
    write_release(CAP_CONTENT, tmp_path / "cap")
    assert not (tmp_path / "cap/ae").exists()
