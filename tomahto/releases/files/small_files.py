"""The files of a release that are read as a whole: documents, and nothing that grows with it."""

import json
from pathlib import Path
from typing import Any, Final

from tomahto.releases.records.errors import ReleaseError

MAX_BYTES: Final = 1 << 24  # as text, and again as values, they take up to four times as much
MAX_VALUES: Final = 1_000_000  # of a JSON document: the smallest take fifty times their text


def small_file(folder: Path, path: str) -> bytes:
    """Raises ReleaseError in one line if the file is larger than any document, and OSError."""
    with (folder / path).open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ReleaseError(f"{path}: has more than {MAX_BYTES:,} bytes")
    return content


def json_file(folder: Path, path: str) -> Any:
    """What a JSON document says. Raises as `small_file` and `json_in`."""
    return json_in(small_file(folder, path), path)


def json_in(content: bytes, path: str) -> Any:
    """Raises ReleaseError for too large a document, and ValueError or RecursionError for none."""
    if len(content) > MAX_BYTES or sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ReleaseError(f"{path}: holds more than {MAX_VALUES:,} values or {MAX_BYTES:,} bytes")
    return json.loads(content)


def holds(place: Path, content: bytes) -> bool:
    """Whether the file has this content; one of another size is not read. Raises OSError."""
    return place.stat().st_size == len(content) and place.read_bytes() == content
