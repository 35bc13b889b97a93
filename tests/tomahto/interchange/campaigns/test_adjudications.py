from pathlib import Path

import pytest

from tests.tomahto.interchange.files import Write
from tomahto.interchange.campaigns.ratings import read_adjudications
from tomahto.interchange.reading.records import AdjudicationRow, GivenAnswer, InputError, Source


def read(path: Path, *keys: str) -> list[AdjudicationRow]:
    return list(read_adjudications(path, format=None, question_keys=keys))


def test_json_lines_have_decisions_as_releases_write_them(write: Write) -> None:
    rows: list[dict[str, object]] = [
        {
            "id": "i1",
            "adjudicator": "r-1",
            "label": "right",
            "first_label": None,
            "guideline_version": 3,
        },
        {
            "item_id": "i1",
            "adjudicator": "oak",
            "q1": True,
            "first_label": "wrong",
            "reason": "So.",
        },
    ]
    path = write("decisions.jsonl", rows)
    assert read(path, "q1") == [
        AdjudicationRow(Source(str(path), 1), "i1", "r-1", GivenAnswer("right")),
        AdjudicationRow(
            Source(str(path), 2), "i1", "oak", GivenAnswer(None, {"q1": True}), "wrong", "So."
        ),
    ]


def test_cells_are_read_as_json_lines_are(write: Write) -> None:
    path = write(
        "decisions.csv", "id,adjudicator,label,first_label\ni1,oak,right,\ni2,oak,right,wrong\n"
    )
    assert read(path) == [
        AdjudicationRow(Source(str(path), 2), "i1", "oak", GivenAnswer("right")),
        AdjudicationRow(Source(str(path), 3), "i2", "oak", GivenAnswer("right"), "wrong"),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"adjudicator": "oak", "label": "right"}\n', "line 1, field id: is missing (or item_id)"),
        ('{"id": "i1", "adjudicator": "", "label": "a"}\n', "line 1, field adjudicator: is empty"),
        ('{"id": "i1", "label": "right"}\n', "line 1, field adjudicator: is missing"),
        (
            '{"id": "i1", "adjudicator": "oak"}\n',
            "line 1, field label: is missing: a decision must have a label",
        ),
        (
            '{"id": "i1", "adjudicator": "oak", "label": "a", "first_label": 3}\n',
            "line 1, field first_label: must be text, not a number",
        ),
    ],
)
def test_a_wrong_row_is_refused_with_its_place(write: Write, content: str, message: str) -> None:
    path = write("decisions.jsonl", content)
    with pytest.raises(InputError) as caught:
        read(path)
    assert str(caught.value) == f"{path}, {message}"


def test_a_header_without_adjudicators_is_refused(write: Write) -> None:
    with pytest.raises(InputError, match="field adjudicator: is missing in the header"):
        read(write("decisions.csv", "id,label\ni1,right\n"))
