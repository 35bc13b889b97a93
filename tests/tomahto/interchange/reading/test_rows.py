import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tomahto.interchange.files import Write
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.rows import (
    csv_rows,
    empty_text_cell,
    flag_cell,
    json_rows,
    list_cell,
)

# A CSV file cannot say what a bare carriage return at a line's end means; our cells have none.
CELLS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r'"))


def test_json_rows_carry_their_lines(write: Write) -> None:
    file = InputFile.at(write("a.jsonl", '{"a": 1}\n\n \t\r\n{"b": null}'))
    rows = [(row.source.file, row.source.line, row.values) for row in json_rows(file)]
    assert rows == [(file.name, 1, {"a": 1}), (file.name, 4, {"b": None})]


def test_rows_count_the_lines_that_editors_count(write: Write) -> None:
    marks = "\v\x1c\x1d\x1e\x85\u2028\u2029"  # all of which end a line of str.splitlines
    file = InputFile.at(write("a.jsonl", f'\f\n\v\n{{"a": "{marks[4:]}"}}\n\f\f\n{{"b": 1}}'))
    assert [row.source.line for row in json_rows(file)] == [3, 5]
    file = InputFile.at(write("a.csv", f"\na\n\f{marks}\nb"))
    assert [row.source.line for row in csv_rows(file, {}, ())] == [3, 4]


def test_csv_rows_carry_the_line_they_start_on(write: Write) -> None:
    text = 'a,b\r\n1,"two\nlines"\r\n\r\n"x\n\ny",2\r\n3,4'
    rows = csv_rows(InputFile.at(write("a.csv", text)), {}, ())
    assert [(row.source.line, row.values) for row in rows] == [
        (2, {"a": "1", "b": "two\nlines"}),
        (5, {"a": "x\n\ny", "b": "2"}),
        (8, {"a": "3", "b": "4"}),
    ]


def test_csv_rows_take_off_one_apostrophe_before_a_formula(write: Write) -> None:
    text = "a\n'=1\n'+1\n'-1\n'@a\n'＝1\n\"'\ta\"\n\"'\ra\"\n\"'\na\"\n''=1\n=1\n'a\n'\n"
    rows = csv_rows(InputFile.at(write("a.csv", text)), {}, ())
    assert [row.values["a"] for row in rows] == [
        *("=1", "+1", "-1", "@a", "＝1", "\ta", "\ra", "\na"),
        *("'=1", "=1", "'a", "'"),
    ]


@settings(deadline=None)  # a machine under load takes its time
@given(st.lists(st.tuples(CELLS, CELLS)))
def test_csv_rows_read_what_the_standard_library_writes(records: list[tuple[str, str]]) -> None:
    text = io.StringIO()
    csv.writer(text).writerows([("a", "b"), *records])
    with TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        path.write_bytes(text.getvalue().encode())
        rows = csv_rows(InputFile.at(path), {"a": empty_text_cell, "b": empty_text_cell}, ())
        assert [(row.values["a"], row.values["b"]) for row in rows] == records


def test_flag_cell_knows_the_usual_words_and_leaves_others() -> None:
    cells = ["true", "Yes", " 1 ", "FALSE", "no", "0", "", "maybe"]
    flags = [flag_cell(cell) for cell in cells]
    assert flags == [True, True, True, False, False, False, None, "maybe"]


def test_list_cell_takes_an_array_of_texts_or_one_text() -> None:
    cells = ['["a", "b"]', "[]", "a, b", "[1990]", "[sic]", "", ' [ "a" ]']
    lists = [list_cell(cell) for cell in cells]
    assert lists == [["a", "b"], [], ["a, b"], ["[1990]"], ["[sic]"], [], ["a"]]


def test_csv_rows_after_blank_lines_have_their_own_line_numbers(write: Write) -> None:
    text = '\n\nname,text\n\n\r\nann,"a\n\n\nb"\n\nben,c\n\n'
    rows = csv_rows(InputFile.at(write("f.csv", text)), {}, ())
    assert [(row.source.line, row.values) for row in rows] == [
        (6, {"name": "ann", "text": "a\n\n\nb"}),
        (11, {"name": "ben", "text": "c"}),
    ]
