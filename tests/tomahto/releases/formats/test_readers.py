"""DuckDB, pandas and Polars read the Parquet of a release with the types that are documented."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import pytest

from exporters.planned_release import planned_release
from tests.exporters.builders import write_release
from tests.exporters.samples import CONTENT, DIFFERING
from tests.site import ROOT
from tomahto.releases.files.tables import Table

ADJUDICATED = replace(CONTENT, adjudications=DIFFERING)
TABLES = {table.name: table for table in planned_release(ADJUDICATED).tables()}
ROWS = {"items": 5, "ratings": 12, "adjudications": 5}


def documented(reader: str) -> dict[str, str]:
    """The reader's type of each kind of column, as the documentation says."""
    page = (ROOT / "docs/formats.md").read_text()
    table = page.partition("### Types of columns")[2].partition("| content |")[2]
    head, _line, *rows = table.strip().splitlines()
    readers = [cell.strip() for cell in head.strip(" |").split("|")]
    found = {}
    for row in rows:
        if not row.startswith("|"):
            break
        kind, *types = (cell.strip() for cell in row.strip("|").split("|"))
        found[kind] = types[readers.index(reader)].strip("`")
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_release(ADJUDICATED, tmp_path_factory.mktemp("written") / "release").path


def of_duckdb(pattern: str) -> tuple[dict[str, str], int]:
    with duckdb.connect() as database:
        described = database.execute("DESCRIBE SELECT * FROM read_parquet(?)", [pattern]).fetchall()
        counted = database.execute("SELECT count(*) FROM read_parquet(?)", [pattern]).fetchall()
    return {name: kind.partition("(")[0] for name, kind, *_rest in described}, counted[0][0]


def of_polars(pattern: str) -> tuple[dict[str, str], int]:
    read = pl.read_parquet(pattern)
    types = {name: str(kind) for name, kind in read.schema.items()}
    return {
        name: re.sub(r"^Struct\(.*", "Struct", kind) for name, kind in types.items()
    }, read.height


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize(("reader", "read"), [("DuckDB", of_duckdb), ("Polars", of_polars)])
def test_readers_of_all_splits_find_the_documented_types(
    folder: Path, table: Table, reader: str, read: Callable[[str], tuple[dict[str, str], int]]
) -> None:
    types, rows = read(f"{folder}/{table.name}/*.parquet")
    expected = documented(reader)
    assert types == {column.name: expected[column.kind] for column in table.columns}
    assert rows == ROWS[table.name]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_pandas_finds_the_documented_types(folder: Path, table: Table) -> None:
    frames = [pd.read_parquet(path) for path in sorted((folder / table.name).glob("*.parquet"))]
    assert sum(map(len, frames)) == ROWS[table.name]
    for frame in frames:
        kinds: Mapping[bool, Mapping[str, str]] = {
            is_empty: documented("pandas, with empty fields" if is_empty else "pandas")
            for is_empty in (False, True)
        }
        found = {name: str(kind) for name, kind in frame.dtypes.items()}
        assert found == {
            column.name: kinds[bool(frame[column.name].isna().any())][column.kind]
            for column in table.columns
        }


def test_the_documentation_knows_every_kind_of_column() -> None:
    kinds = {column.kind for table in TABLES.values() for column in table.columns}
    assert set(documented("Parquet")) == kinds
