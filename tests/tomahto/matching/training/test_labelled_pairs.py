from pathlib import Path

import pytest

from tomahto.matching.interface import Pair
from tomahto.matching.training.labelled_pairs import (
    LabelledPair,
    LabelledPairsError,
    read_labelled_pairs,
)

LINE = '{"question": "Q?", "reference": "r", "candidate": "c", "label": %s}\n'


def test_read_accepts_every_spelling(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(
        "\ufeff"
        + LINE % '"correct"'
        + "\n"
        + LINE % "false"
        + LINE % "1"
        + '{"question": "Q?", "references": ["r", "s"], "candidate": "", "context": "x",'
        ' "label": "incorrect", "system": "ignored"}',
        encoding="utf-8",
    )

    single = Pair(question="Q?", context="", references=("r",), candidate="c")
    assert read_labelled_pairs(path) == [
        LabelledPair(single, True),
        LabelledPair(single, False),
        LabelledPair(single, True),
        LabelledPair(Pair(question="Q?", context="x", references=("r", "s"), candidate=""), False),
    ]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 2: not JSON"),
        ("[" * 100_000, "line 2: not JSON"),
        ("7", "line 2: not a JSON object"),
        (LINE % '"maybe"', "line 2, field label: 'maybe' is none of true, false"),
        (LINE % "null", "line 2, field label: is missing"),
        (LINE % "0.5", "line 2, field label: 0.5 is none of"),
        (LINE % "2", "line 2, field label: 2 is none of"),
        (LINE % "[]", "line 2, field label: [] is none of"),
        ('{"reference": "r"}', "line 2, field question: None is not a text"),
        ('{"question": "Q?"}', "line 2, field references: give either reference or references"),
        (
            '{"question": "Q?", "reference": "r", "references": ["r"]}',
            "line 2, field references: give either reference or references",
        ),
        ('{"question": "Q?", "references": []}', "field references: not a list of at least one"),
        ('{"question": "Q?", "references": [1]}', "line 2, field references: 1 is not a text"),
        ('{"question": "Q?", "reference": null}', "line 2, field reference: None is not a text"),
        ('{"question": "Q?", "reference": "r"}', "line 2, field candidate: None is not a text"),
        ('{"question": "Q?", "context": 3}', "line 2, field context: 3 is not a text"),
    ],
)
def test_read_names_file_line_and_field(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{LINE % 'true'}{line}", encoding="utf-8")

    with pytest.raises(LabelledPairsError) as caught:
        read_labelled_pairs(path)

    assert str(caught.value).startswith(f"{path}, line 2")
    assert fault in str(caught.value)


def test_read_refuses_bytes_that_are_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"\xff\n")

    with pytest.raises(LabelledPairsError, match="line 1: not UTF-8"):
        read_labelled_pairs(path)


def test_read_refuses_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n \n")

    with pytest.raises(LabelledPairsError, match=r"pairs.jsonl: no examples"):
        read_labelled_pairs(path)
