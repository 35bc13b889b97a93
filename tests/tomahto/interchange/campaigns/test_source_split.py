"""The split that a source has a question in: from a field, or of a whole file."""

import json
from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.reading.records import InputError

ROW = {"question": "Who?", "references": ["she"], "candidate": "he"}


def lines(*rows: dict[str, object]) -> str:
    return "".join(f"{json.dumps(ROW | row)}\n" for row in rows)


def splits_of_questions(path: Path, split: str | None = None) -> list[str]:
    return [question.split for question in read_questions(path, format=None, split=split)]


@pytest.mark.parametrize("field", ["split", "source_split"])
def test_rows_name_their_split(write: Write, field: str) -> None:
    path = write("rows.jsonl", lines({field: "train"}, {field: ""}, {field: None}, {}))
    assert splits_of_questions(path) == ["train", "", "", ""]
    assert [item.split for item in read_items(path, format="jsonl")] == ["train", "", "", ""]


def test_cells_name_their_split(write: Write) -> None:
    path = write("rows.csv", "question,references,candidate,split\nWho?,she,he,dev\nWhy?,so,no,\n")
    assert splits_of_questions(path) == ["dev", ""]
    assert [item.split for item in read_items(path, format="csv")] == ["dev", ""]


def test_a_file_may_be_all_of_one_split(write: Write) -> None:
    squad = {
        "data": [
            {
                "title": "Rivers",
                "paragraphs": [
                    {"context": "A.", "qas": [{"id": "q", "question": "Who?", "answers": []}]}
                ],
            }
        ]
    }
    assert splits_of_questions(write("dev.json", json.dumps(squad)), "dev") == ["dev"]
    rows = write("rows.jsonl", lines({}, {"split": "dev"}))
    assert splits_of_questions(rows, "dev") == ["dev", "dev"]


def test_a_file_of_one_split_names_no_other(write: Write) -> None:
    path = write("rows.jsonl", lines({}, {"split": "train"}))
    with pytest.raises(InputError) as caught:
        splits_of_questions(path, "dev")
    assert str(caught.value) == (
        f"{path}, line 2, field split: is 'train', but the file is said to be 'dev'"
    )


@pytest.mark.parametrize(
    ("split", "message"),
    [
        ("dev-1", "split name 'dev-1' may hold only a-z, 0-9 and _"),
        ("all", "a split cannot be called 'all': `datasets` means every split by it"),
        ("a" * 41, "has 41 characters; at most 40 are read"),
        (3, "must be text, not a number"),
    ],
)
def test_a_split_is_named_as_a_release_can_name_it(
    write: Write, split: object, message: str
) -> None:
    path = write("rows.jsonl", lines({}, {"source_split": split}))
    for read in (
        lambda: list(read_questions(path, format="jsonl")),
        lambda: list(read_items(path, format="jsonl")),
    ):
        with pytest.raises(InputError) as caught:
            read()
        assert str(caught.value) == f"{path}, line 2, field source_split: {message}"
