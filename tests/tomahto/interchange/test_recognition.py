from pathlib import Path

import pytest

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import InputError
from tomahto.interchange.table import choose_format, formats_of

LINES = '{"question": "a", "references": []}\n'
OPEN = '{"question": "a", "answer": ["b"]}\n'
DOCUMENT = '{"version": "1.1",\n "data": []}'


def chosen(folder: Path, name: str, content: str, given: str | None = None) -> str:
    path = folder / "upload"
    path.write_text(content)
    file, known = InputFile.at(path, name), formats_of("questions")
    return choose_format(file, given, known, frozenset({"question"})).name


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.csv", "", "csv"),
        ("a.CSV", LINES, "csv"),
        ("a.json", DOCUMENT, "squad"),
        ("a.jsonl", "", "jsonl"),
        ("a.jsonl", LINES, "jsonl"),
        ("a.ndjson", '{"text": "a"}', "jsonl"),
        ("NQ-open.dev.jsonl", "\ufeff\n" + OPEN, "nq-open"),
        ("a", LINES, "jsonl"),
        ("a.txt", OPEN, "nq-open"),
        ("a", '{"x": 1}\n{"x": 2}\n', "jsonl"),
        ("a", DOCUMENT, "squad"),
        ("a", DOCUMENT.replace("\n", ""), "squad"),
    ],
)
def test_format_is_told_by_name_or_first_row(
    name: str, content: str, expected: str, tmp_path: Path
) -> None:
    assert chosen(tmp_path, name, content) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a.json", "label-studio"), ("a", "label-studio"), ("a.jsonl", "jsonl")]
)
def test_array_is_an_export_of_label_studio_unless_it_says_lines(
    name: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "upload"
    path.write_text('[\n{"data": {}}\n]\n')
    known, line_fields = formats_of("items"), frozenset({"question"})
    assert choose_format(InputFile.at(path, name), None, known, line_fields).name == expected


def test_given_format_is_taken_whatever_the_file_looks_like(tmp_path: Path) -> None:
    assert chosen(tmp_path, "a.json", LINES, given="csv") == "csv"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "a: has no known extension; give the format: squad, jsonl, csv, nq-open"),
        ("xml", "a: format 'xml' is not one of squad, jsonl, csv, nq-open"),
    ],
)
def test_unclear_format_is_refused_with_the_choices(
    given: str | None, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError) as caught:
        chosen(tmp_path, "a", "question,references\na,b\n", given)
    assert str(caught.value) == message
