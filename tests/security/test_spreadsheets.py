"""No CSV file that the site gives out has a cell that a spreadsheet would run."""

import csv
import io
import json
import re
import zipfile

import pytest

from tests.security.conftest import TEXTS, content_of, signed_in
from tests.security.filled import Filled
from tests.site import ROOT

pytestmark = pytest.mark.slow


_STARTS = tuple("=+-@\t\r\n\0＝＋－＠")
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
_WRITER = "tomahto/text/spreadsheet_csv.py"
_USERS = {
    "tasks/explorer/shown/files.py",
    "tomahto/figures/csv_text.py",
    "tomahto/releases/files/spreadsheets.py",
}
_ROOMS = ("annotation_site", "tasks", "exporters", "tomahto")


def files(filled: Filled, address: str) -> dict[str, str]:
    """What lies in an archive, without its outer folder; line ends as they are."""
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
                assert row[column] == ("'" if is_formula else "") + line[column]
                changed += is_formula
    assert changed >= len(TEXTS)


def sources() -> dict[str, str]:
    return {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
        for room in _ROOMS
        for path in (ROOT / room).rglob("*.py")
    }


def test_csv_is_written_in_one_place_whose_users_neutralise_it() -> None:
    found = sources()
    written = re.compile(r"csv\.(?:Dict)?[wW]riter|to_csv\(")
    assert {path for path, text in found.items() if written.search(text)} == {_WRITER}
    using = {path for path, text in found.items() if "import csv_records" in text}
    assert using == _USERS
    assert all("safe_text(" in found[path] or "map(safe_text" in found[path] for path in _USERS)
