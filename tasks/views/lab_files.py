"""The files of a report, made when somebody wants them: they say no more than the report does."""

import json
from collections.abc import Mapping
from functools import lru_cache
from io import BytesIO

from lab.report_files import report_files
from lab.report_json import report_from_json
from tasks.release_store.interface import NoSuchFile, Opened, StoredFile

_KEPT = 4  # reports, whose files are some hundred kilobytes each


class FilesInMemory:
    """Files by their paths, read as those of a release are (release_store.interface)."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents

    def listed(self) -> list[StoredFile]:
        return [StoredFile(path, len(self._contents[path])) for path in sorted(self._contents)]

    def size(self, path: str) -> int:
        return len(self._content(path))

    def open(self, path: str, part: range | None = None) -> Opened:
        content = self._content(path)
        return BytesIO(content if part is None else content[part.start : part.stop])

    def _content(self, path: str) -> bytes:
        try:
            return self._contents[path]
        except KeyError:
            raise NoSuchFile(path) from None


@lru_cache(maxsize=_KEPT)
def files_of_report(text: str) -> FilesInMemory:
    """Of the report with this JSON; the last ones stay at hand, since reports never change."""
    files = report_files(report_from_json(json.loads(text)))
    return FilesInMemory(
        {"report.json": text.encode(), **{file.path: file.content for file in files}}
    )
