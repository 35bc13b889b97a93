from pathlib import Path

import pytest

from tomahto.interchange.judgements.pairs import read_labelled_pairs
from tomahto.interchange.reading.records import InputError
from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Pair
from tomahto.pretrained.files import digest_file

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
    examples = read_labelled_pairs(path)
    assert examples.rows == (
        LabelledPair(single, True),
        LabelledPair(single, False),
        LabelledPair(single, True),
        LabelledPair(Pair(question="Q?", context="x", references=("r", "s"), candidate=""), False),
    )
    assert examples.name == str(path)
    assert examples.source == {"file": "pairs.jsonl", "sha256": digest_file(path)}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("{", "line 2: is not JSON"),
        ("7", "line 2: must be a JSON object"),
        (LINE % '"maybe"', "line 2, field label: 'maybe' is not one of true, false"),
        ('{"reference": "r"}', "line 2, field question: is missing"),
        ('{"question": "Q?"}', "line 2, field references: is missing (or reference)"),
        ('{"question": "Q?", "references": []}', "line 2, field references: is empty"),
        ('{"question": "Q?", "reference": "r"}', "line 2, field candidate: is missing"),
        ('{"question": "Q?", "context": 3}', "line 2, field context: must be text"),
    ],
)
def test_read_names_file_line_and_field(tmp_path: Path, line: str, fault: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text(f"{LINE % 'true'}{line}", encoding="utf-8")

    with pytest.raises(InputError) as caught:
        read_labelled_pairs(path)

    assert str(caught.value).startswith(f"{path}, line 2")
    assert fault in str(caught.value)


def test_read_refuses_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n \n")

    with pytest.raises(InputError, match=r"pairs\.jsonl: holds no examples"):
        read_labelled_pairs(path)
