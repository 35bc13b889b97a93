"""Sending files of a release, one with byte ranges or all as a ZIP archive, and lines as they come.

Whatever the size and wherever the files live, a chunk at a time is held in memory.
"""

import re
import zipfile
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from decimal import Decimal
from itertools import islice
from pathlib import PurePosixPath

from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)

from tasks.release_store.files import CHUNK, Opened, ReleaseFiles, StoredFile, chunks

_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)", re.IGNORECASE)
JSON_LINES = "application/jsonl"
_LINES_AT_ONCE = 100
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a ZIP archive can say


def send_file(request: HttpRequest, files: ReleaseFiles, path: str) -> HttpResponseBase:
    """The file as an attachment; part of it (206) if the request asks for one byte range.

    Raises NoSuchFile and StoreError, neither once the response has begun.
    """
    size, name = files.size(path), PurePosixPath(path).name
    response: FileResponse | StreamingHttpResponse
    asked = _asked_range(request.headers.get("Range", ""), size)
    if asked is None:
        response = FileResponse(files.open(path), as_attachment=True, filename=name)
        response.block_size = CHUNK  # for servers that do the reading
        response["Content-Length"] = str(size)
    elif not asked:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    else:
        response = StreamingHttpResponse(
            _part(files.open(path, asked), len(asked)),
            status=206,
            content_type="application/octet-stream",
            headers={
                "Content-Length": str(len(asked)),
                "Content-Range": f"bytes {asked.start}-{asked.stop - 1}/{size}",
                "Content-Disposition": f'attachment; filename="{name}"',
            },
        )
    response["Accept-Ranges"] = "bytes"
    return response


def send_lines(lines: Iterable[str], name: str) -> StreamingHttpResponse:
    """JSON lines as an attachment of that name, while they are being made."""
    return StreamingHttpResponse(
        in_batches(lines),
        content_type=JSON_LINES,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def in_batches(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines as bytes, some hundreds of them at a time."""
    rest = iter(lines)
    try:
        while batch := "".join(islice(rest, _LINES_AT_ONCE)):
            yield batch.encode()
    finally:
        if isinstance(rest, Generator):
            rest.close()  # which ends its transaction, where a client breaks off


def send_archive(files: ReleaseFiles, name: str) -> StreamingHttpResponse:
    """All files as NAME.zip, in order of their paths, equal bytes for equal releases.

    Its size is not known before it ends. Raises StoreError.
    """
    return StreamingHttpResponse(
        _archive(files, files.listed(), name),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}.zip"'},
    )


class _Pieces:
    """A file for a ZipFile to write to, whose content is taken away as it comes."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def taken(self) -> bytes:
        taken = b"".join(self._pieces)
        self._pieces.clear()
        return taken


def _archive(files: ReleaseFiles, listed: list[StoredFile], name: str) -> Iterator[bytes]:
    pieces = _Pieces()
    with zipfile.ZipFile(pieces, "w") as archive:  # type: ignore[call-overload]  # write-only
        for file in listed:
            entry = zipfile.ZipInfo(f"{name}/{file.path}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.file_size = file.size  # tells how large the fields of sizes have to be
            with archive.open(entry, "w") as target:
                for chunk in chunks(files.open(file.path)):
                    target.write(chunk)
                    yield pieces.taken()
    yield pieces.taken()


def _asked_range(header: str, size: int) -> range | None:
    """The one byte range of a Range header, None if there is none to honour."""
    match = _RANGE.fullmatch(header.strip())
    if match is None or match.groups() == ("", ""):
        return None
    # which are exact, and have as many digits as are sent
    first, last = (Decimal(place or size) for place in match.groups())
    if not match[1]:
        return range(size - _at_most(last, size), size)
    if match[2] and last < first:
        return None
    return range(_at_most(first, size), _at_most(last, size - 1) + 1)


def _at_most(place: Decimal, most: int) -> int:
    return most if place > most else int(place)


def _part(file: Opened, length: int) -> Iterator[bytes]:
    with closing(file):
        while length and (chunk := file.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk
