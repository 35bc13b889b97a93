"""The files of a report, made when somebody wants them: they say no more than the report does."""

import json
from io import BytesIO

from tasks.models import Evaluation
from tasks.release_store.interface import NoSuchFile, Opened, StoredFile
from tomahto.lab.report import LabReport
from tomahto.lab.report_files import report_file, report_paths
from tomahto.lab.report_json import report_from_json


def report_of(evaluation: Evaluation) -> LabReport:
    return report_from_json(json.loads(evaluation.report))


def files_of(evaluation: Evaluation) -> "ReportFiles":
    return ReportFiles(report_of(evaluation))


class ReportFiles:
    """Read as those of a release are (release_store.interface), and made one by one."""

    def __init__(self, report: LabReport) -> None:
        self._report = report
        self._made: dict[str, bytes] = {}

    def listed(self) -> list[StoredFile]:
        paths = sorted(report_paths(self._report))
        return [StoredFile(path, self.size(path)) for path in paths]

    def size(self, path: str) -> int:
        return len(self._content(path))

    def open(self, path: str, part: range | None = None) -> Opened:
        content = self._content(path)
        return BytesIO(content if part is None else content[part.start : part.stop])

    def _content(self, path: str) -> bytes:
        if path not in self._made:
            if path not in report_paths(self._report):
                raise NoSuchFile(path)
            self._made[path] = report_file(self._report, path).content
        return self._made[path]
