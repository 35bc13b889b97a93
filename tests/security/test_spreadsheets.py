"""No CSV file that the site gives out has a cell that a spreadsheet would run."""

import csv
import io
import json
import re
import zipfile

from tests.security.conftest import TEXTS, content_of, signed_in
from tests.security.filled import Filled
from tests.site import ROOT
from tomahto.text.spreadsheet import plain_text

_STARTS = tuple("=+-@\t\r\n\0＝＋－＠")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
_WRITERS = {"tomahto/text/spreadsheet.py", "tomahto/charts/table_text.py"}


def files(filled: Filled, address: str) -> dict[str, str]:
    """The files in an archive, without its outer folder; line ends as they are."""
    body = content_of(signed_in(filled.usernames["admin"]).get(address))
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        names = archive.namelist()
        return {
            name.partition("/")[2]: archive.read(name).decode()
            for name in names
            if name.endswith((".csv", ".jsonl"))
        }


def cells(text: str) -> list[str]:
    return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]


def test_no_cell_of_any_csv_file_could_be_a_formula(filled: Filled) -> None:
    evaluation = filled.parts["evaluation_id"]
    for address in ("/c/rivers/releases/1.0.0/download", f"/c/rivers/lab/{evaluation}/download"):
        tables = {
            name: text for name, text in files(filled, address).items() if name.endswith(".csv")
        }
        assert tables, address
        running = [
            (name, cell)
            for name, text in tables.items()
            for cell in cells(text)
            if cell.startswith(_STARTS) and not _NUMBER.fullmatch(cell)
        ]
        assert running == []


def test_json_lines_keep_every_text_that_csv_changes(filled: Filled) -> None:
    """Cell by cell: the same, but for the apostrophe."""
    found = files(filled, "/c/rivers/releases/1.0.0/download")
    changed = 0
    for name in [name for name in found if name.startswith("csv/items/")]:
        lines = found[name.replace("csv", "jsonl")].split("\n")[:-1]
        rows = csv.DictReader(io.StringIO(found[name], newline=""))
        for row, line in zip(rows, map(json.loads, lines), strict=True):
            for column in ("id", "question", "candidate"):
                is_formula = line[column].startswith(_STARTS)
                assert plain_text(row[column]) == line[column]
                changed += is_formula
    assert changed >= len(TEXTS)


def test_csv_is_written_in_two_places_that_neutralise_it() -> None:
    writing = {
        str(path.relative_to(ROOT))
        for room in (
            "annotation_site",
            "tasks",
            "lab",
            "inference",
            "exporters",
            "measures",
            "tomahto",
        )
        for path in (ROOT / room).rglob("*.py")
        if re.search(r"csv\.(?:Dict)?[wW]riter|to_csv\(", path.read_text(encoding="utf-8"))
    }
    assert writing == _WRITERS
