"""Releases made to take all memory are refused within little of it, measured in a fresh process."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.exporters.samples import reseal

pytestmark = pytest.mark.slow

MEBIBYTE = 2**20
MAX_GROWTH = 256 * MEBIBYTE  # bytes
SECONDS = 60
ITEMS = "items/test.parquet"
LINES = "jsonl/items/test.jsonl"

# VmHWM and not ru_maxrss, which a child takes over from the process that started it.
PROBE = """
import json, sys
from pathlib import Path
import pyarrow.parquet as pq
from tomahto.releases.comparison.diff import diff_releases
from tomahto.releases.records.errors import ReleaseError
from tomahto.releases.stored import reading
from tomahto.releases.stored.reading import read_release
from tomahto.releases.verification.verify import verify_release

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024

def unguarded(path, schema, promise, *, columns, size):
    yield from pq.ParquetFile(path).iter_batches(size, columns=columns)

readers = {
    "verify": verify_release,
    "read": lambda folder: read_release(folder) and [],
    "diff": lambda folder: diff_releases(folder, folder) and [],
}
if sys.argv[3:]:
    reading.parquet_batches = unguarded
before = peak()
try:
    outcome = readers[sys.argv[1]](Path(sys.argv[2]))
except ReleaseError as error:
    outcome = [str(error)]
print(json.dumps([outcome, peak() - before]))
"""


def probed(reader: str, folder: Path, *options: str) -> tuple[list[str], int]:
    """What is said of the release, and by how much memory grew at most, in bytes."""
    finished = subprocess.run(
        [sys.executable, "-c", PROBE, reader, str(folder), *options],
        capture_output=True,
        check=True,
        timeout=SECONDS,
    )
    outcome, growth = json.loads(finished.stdout)
    return outcome, growth


def promise(folder: Path, rows: int) -> None:
    """The manifest says what the bomb is, and the table has as many rows in every format."""
    (folder / LINES).write_text("\n" * rows)
    (folder / "csv/items/test.csv").write_text("\n" * (rows + 1))
    reseal(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    for file in manifest["files"]:
        if file["path"] in (ITEMS, LINES, "csv/items/test.csv"):
            file["rows"] = rows
    reseal(folder, files=manifest["files"])


def with_column(folder: Path, name: str, values: "pa.Array[Any]", rows: int) -> None:
    """Every other column has its first value in all rows."""
    table = pq.read_table(folder / ITEMS)
    repeated = table.take(pa.array([0] * rows, pa.int32()))
    place = table.column_names.index(name)
    bomb = repeated.set_column(place, name, values)
    pq.write_table(bomb, folder / ITEMS, compression="zstd", store_schema=False)
    promise(folder, rows)


def repeated_text(folder: Path) -> None:
    """A text of 1 MiB that a dictionary says once for 2,600 rows."""
    indices = pa.array([0] * 2_600, pa.int32())
    text = pa.DictionaryArray.from_arrays(indices, pa.array(["a" * MEBIBYTE]))
    with_column(folder, "context", text, 2_600)


def repeated_entry(folder: Path) -> None:
    """The same in the list of one row."""
    indices = pa.array([0] * 2_600, pa.int32())
    text = pa.DictionaryArray.from_arrays(indices, pa.array(["a" * MEBIBYTE]))
    entries = pa.ListArray.from_arrays(pa.array([0, 2_600], pa.int32()), text)
    with_column(folder, "references", entries, 1)


def long_text(folder: Path) -> None:
    """A page that unpacks to 300 MiB."""
    with_column(folder, "context", pa.array(["a" * (300 * MEBIBYTE)]), 1)


def empty_entries(folder: Path) -> None:
    """A list of 50 million texts that are missing."""
    entries = pa.ListArray.from_arrays(
        pa.array([0, 50_000_000], pa.int32()), pa.nulls(50_000_000, pa.string())
    )
    with_column(folder, "references", entries, 1)


def large_footer(folder: Path) -> None:
    table = pq.read_table(folder / ITEMS)
    pq.write_table(table.replace_schema_metadata({"note": "a" * MEBIBYTE}), folder / ITEMS)
    reseal(folder)


TOO_MUCH = "items/test.parquet: cannot be read: unpacks to more than the"
BOMBS: dict[str, tuple[Callable[[Path], None], str]] = {
    "repeated text": (repeated_text, f"{TOO_MUCH} 2,600 bytes promised of it"),
    "repeated entry": (repeated_entry, f"{TOO_MUCH} 1 bytes promised of it"),
    "long text": (long_text, f"{TOO_MUCH} 1 bytes promised of it"),
    "empty entries": (empty_entries, f"{TOO_MUCH} 1 bytes promised of it"),
    "large footer": (
        large_footer,
        "items/test.parquet: cannot be read: its footer has 2,452,377 bytes",
    ),
}


@pytest.mark.parametrize("reader", ["verify", "read", "diff"])
@pytest.mark.parametrize("bomb", BOMBS)
def test_parquet_that_unpacks_to_too_much_is_refused_within_memory(
    bomb: str, reader: str, release: Path
) -> None:
    make, outcome = BOMBS[bomb]
    make(release)
    said, growth = probed(reader, release)
    assert said == [outcome]
    assert growth < MAX_GROWTH


def test_parquet_takes_the_memory_without_the_guard(release: Path) -> None:
    repeated_text(release)
    assert (release / ITEMS).stat().st_size < 64 * 1024
    _, growth = probed("read", release, "unguarded")
    assert growth > MAX_GROWTH


def test_promise_of_lines_that_are_not_there_is_not_believed(release: Path) -> None:
    repeated_text(release)
    manifest = json.loads((release / "manifest.json").read_text())
    for file in manifest["files"]:
        file["bytes"] = 2**40 if file["path"] == LINES else file["bytes"]
    (release / "manifest.json").write_text(json.dumps(manifest))
    (release / LINES).unlink()
    size = (release / ITEMS).stat().st_size
    said, growth = probed("read", release)
    assert said == [f"{TOO_MUCH} {max(2**25, 1_000 * size):,} bytes promised of it"]
    assert growth < MAX_GROWTH


@pytest.mark.parametrize("reader", ["verify", "read", "diff"])
def test_manifest_of_any_size_is_refused_within_memory(reader: str, release: Path) -> None:
    with (release / "manifest.json").open("r+b") as file:
        file.truncate(400 * MEBIBYTE)
    said, growth = probed(reader, release)
    assert said == ["manifest.json: has more than 16,777,216 bytes"]
    assert growth < MAX_GROWTH


def test_document_of_small_values_is_refused_within_memory(release: Path) -> None:
    (release / "agreement.json").write_bytes(b"[" + b"[]," * (5 * MEBIBYTE) + b"[]]")
    reseal(release)
    said, growth = probed("verify", release)
    assert said == ["agreement.json: holds more than 1,000,000 values or 16,777,216 bytes"]
    assert growth < MAX_GROWTH


def test_line_of_any_length_is_counted_within_memory(release: Path) -> None:
    manifest = json.loads((release / "manifest.json").read_text())
    rows = {file["path"]: file["rows"] for file in manifest["files"]}
    paths = ("csv/items/test.csv", LINES)
    for path in paths:
        with (release / path).open("r+b") as file:
            file.truncate(400 * MEBIBYTE)
    reseal(release)
    said, growth = probed("verify", release)
    assert said == [f"{path}: has {rows[path] + 1} rows, not {rows[path]}" for path in paths]
    assert growth < MAX_GROWTH
