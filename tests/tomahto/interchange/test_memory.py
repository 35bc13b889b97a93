"""Large hostile files are refused within bounded memory and time, measured in a fresh process."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sampling import some_of
from tests.tomahto.interchange.hostile.case import paragraph

pytestmark = pytest.mark.slow


MEBIBYTE = 2**20
MAX_GROWTH = 256 * MEBIBYTE  # bytes
SECONDS = 30

# VmHWM and not ru_maxrss, which a child takes over from the process that started it.
PROBE = """
import json, sys
from pathlib import Path
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.reading.records import InputError

def peak():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024

def read(path):
    readers = {"questions": read_questions, "predictions": read_predictions, "items": read_items}
    reader = readers[path.stem]
    try:
        return sum(1 for record in reader(path, format=None, name=path.name))
    except InputError as error:
        return str(error)

before = peak()
outcome = read(Path(sys.argv[1]))
print(json.dumps([outcome, peak() - before]))
"""


def repeated(start: bytes, unit: bytes, size: int) -> Iterator[bytes]:
    """`start`, then the unit again and again up to about `size` bytes."""
    yield start
    block = unit * (MEBIBYTE // len(unit))
    for _ in range(size // len(block)):
        yield block


ARTICLE = b'{"data": [{"title": "T", "paragraphs": ['
LATE_TITLE = b'{"data": [{"paragraphs": ['
PARAGRAPH = json.dumps(paragraph(*[{"question": "Where? " * 300}] * 40)).encode()

CASES = {
    "line of 100 MiB": (
        "questions.jsonl",
        repeated(b'{"question": "', b"a", 100 * MEBIBYTE),
        "questions.jsonl, line 1: is longer than 8 MiB",
    ),
    "CSV line of 100 MiB": (
        "predictions.csv",
        repeated(b"id,candidate\n1,", b"a", 100 * MEBIBYTE),
        "predictions.csv, line 2: is longer than 8 MiB",
    ),
    "quote left open for 100 MiB": (
        "predictions.csv",
        repeated(b'id,candidate\n1,"', b"a\n", 100 * MEBIBYTE),
        "predictions.csv, line 2: cannot be read as CSV: field larger than field limit (1000000)",
    ),
    "CSV record of 100 MiB in small cells": (
        "predictions.csv",
        repeated(b"id,candidate\n", b'"ab\n",', 100 * MEBIBYTE),
        "predictions.csv, line 1398103: ends a record of more than 8 MiB; is a quote left open?",
    ),
    "string of 100 MiB": (
        "predictions.json",
        repeated(b'{"1": "', b"a", 100 * MEBIBYTE),
        "predictions.json, line 1: is longer than 8 MiB",
    ),
    "string of 100 MiB in four-byte characters": (
        "predictions.json",
        repeated(b'{"1": "', "\U0001f600".encode(), 100 * MEBIBYTE),
        "predictions.json, line 1: is longer than 8 MiB",
    ),
    "number of 100 MiB": (
        "predictions.json",
        repeated(b'{"1": ', b"1", 100 * MEBIBYTE),
        "predictions.json, line 1: is longer than 8 MiB",
    ),
    "brackets for 100 MiB": (
        "questions.json",
        repeated(ARTICLE, b"[", 100 * MEBIBYTE),
        "questions.json, line 1: is nested more than 64 deep",
    ),
    "blanks for 100 MiB": (
        "questions.json",
        repeated(ARTICLE, b" ", 100 * MEBIBYTE),
        "questions.json, line 1: is not JSON: the file ends inside this value",
    ),
    "small values in a line": (
        "questions.jsonl",
        repeated(b'{"question": [', b"[],", 7 * MEBIBYTE),
        "questions.jsonl, line 1: holds more than 500,000 values in one record (character 750012)",
    ),
    "small values in a paragraph": (
        "questions.json",
        repeated(ARTICLE + b'{"qas": [', b"{},", 7 * MEBIBYTE),
        "questions.json, line 1: holds more than 500,000 values in one record",
    ),
    "paragraphs before their title": (
        "questions.json",
        repeated(LATE_TITLE, PARAGRAPH + b",\n", 20 * MEBIBYTE),
        # 8 MiB are 98.97 paragraphs of 84,762 characters, each on its line.
        "questions.json, line 99, field title: the article's title comes after more than 8 MiB",
    ),
}


def probed(path: Path) -> tuple[str | int, int]:
    """The error or the number of records, and by how much memory grew at most, in bytes."""
    finished = subprocess.run(
        [sys.executable, "-c", PROBE, str(path)],
        capture_output=True,
        check=True,
        timeout=SECONDS,
    )
    outcome, growth = json.loads(finished.stdout)
    path.unlink()
    return outcome, growth


@pytest.mark.parametrize("case", some_of(CASES, 3))
def test_large_file_is_refused_within_memory_and_time(case: str, tmp_path: Path) -> None:
    name, content, outcome = CASES[case]
    path = tmp_path / name
    with path.open("wb") as file:
        file.writelines(content)
    told, growth = probed(path)
    assert told == outcome
    assert growth < MAX_GROWTH


def test_tasks_of_any_number_are_read_within_memory(tmp_path: Path) -> None:
    data = {"question": "Where? " * 300, "references": ["here"], "candidate": "there"}
    task, path = json.dumps({"data": data}).encode(), tmp_path / "items.json"
    count = 24 * MEBIBYTE // len(task)
    with path.open("wb") as file:
        file.write(b"[" + task)
        file.writelines([b",\n" + task] * (count - 1))
        file.write(b"]")
    records, growth = probed(path)
    assert records == count
    assert growth < 16 * MEBIBYTE


def test_article_of_any_length_is_read_within_memory(tmp_path: Path) -> None:
    path, count = tmp_path / "questions.json", 32 * MEBIBYTE // len(PARAGRAPH)
    with path.open("wb") as file:
        file.write(ARTICLE + PARAGRAPH)
        file.writelines([b",\n" + PARAGRAPH] * (count - 1))
        file.write(b"]}]}")
    records, growth = probed(path)
    assert records == 40 * count
    assert growth < 16 * MEBIBYTE
