"""Sending files of a release: one file with byte ranges, or the whole folder as a ZIP archive."""

import os
import re
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)

_CHUNK = 1 << 16
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time a ZIP archive can say


class OutsideFolder(LookupError):
    """The path asked for is not a file of the folder."""


def file_in(folder: Path, relative: str) -> Path:
    """The regular file below the folder. Raises OutsideFolder for anything else."""
    root = folder.resolve()
    path = (root / relative).resolve()
    if not path.is_relative_to(root) or not path.is_file():
        raise OutsideFolder(relative)
    return path


def send_file(request: HttpRequest, path: Path) -> HttpResponseBase:
    """The file as an attachment; part of it (206) if the request asks for one byte range."""
    size = path.stat().st_size
    asked = _asked_range(request.headers.get("Range", ""), size)
    if asked is None:
        response: HttpResponseBase = FileResponse(
            path.open("rb"), as_attachment=True, filename=path.name
        )
    elif not asked:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    else:
        response = StreamingHttpResponse(
            _part(path.open("rb"), asked),
            status=206,
            content_type="application/octet-stream",
            headers={
                "Content-Length": str(len(asked)),
                "Content-Range": f"bytes {asked.start}-{asked.stop - 1}/{size}",
                "Content-Disposition": f'attachment; filename="{path.name}"',
            },
        )
    response["Accept-Ranges"] = "bytes"
    return response


def send_folder(folder: Path, name: str) -> FileResponse:
    """The folder as NAME.zip, files in order of their paths, equal bytes for equal folders."""
    archive = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{name}/{path.relative_to(folder)}", _EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with path.open("rb") as source, target.open(entry, "w") as sink:
                while chunk := source.read(_CHUNK):
                    sink.write(chunk)
    archive.seek(0, os.SEEK_SET)
    return FileResponse(archive, as_attachment=True, filename=f"{name}.zip")


def _asked_range(header: str, size: int) -> range | None:
    """The one byte range of a Range header, None if there is none to honour."""
    match = _RANGE.fullmatch(header.strip())
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:
        return range(max(size - int(last), 0), size)
    if last and int(last) < int(first):
        return None
    return range(int(first), min(int(last) + 1, size) if last else size)


def _part(file: IO[bytes], asked: range) -> Iterator[bytes]:
    with file:
        file.seek(asked.start)
        left = len(asked)
        while left and (chunk := file.read(min(_CHUNK, left))):
            left -= len(chunk)
            yield chunk
