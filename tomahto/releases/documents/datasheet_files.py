"""The files of a datasheet, which say how to cite and to use a release, and their check."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.citation import CITATION, LICENCE, citation_cff, licence_page
from tomahto.releases.documents.datasheet import (
    DATASHEET,
    DATASHEET_PAGE,
    Datasheet,
    datasheet_page,
    release_datasheet,
)
from tomahto.releases.figures.closeness import is_same
from tomahto.releases.files.json_lines import json_document
from tomahto.releases.stored.manifest import MANIFEST, Manifest

Figures = Mapping[str, Any]


def datasheet_files(sheet: Datasheet) -> Iterator[tuple[str, str]]:
    """Paths and texts. Without authors there is no citation: the format wants one, and none is
    made up."""
    content = sheet.as_json()
    licence = sheet.platform["licence"]["licence"]
    yield DATASHEET, json_document(content)
    yield DATASHEET_PAGE, datasheet_page(content)
    yield LICENCE, licence_page(licence)
    if sheet.authors:
        yield CITATION, citation_cff(sheet.heading, licence, sheet.authors)


def datasheet_differences(
    folder: Path, manifest: Manifest, dataset: Dataset, statistics: Figures, agreement: Figures
) -> Iterator[str]:
    """Where the datasheet does not say what the release shows, or its pages not what it says.

    What people and the platform state is taken as it stands, for nobody else knows.
    """
    try:
        found = json.loads((folder / DATASHEET).read_bytes())
        entries = [entry for part in found["sections"] for entry in part["entries"]]
        sheet = release_datasheet(
            manifest,
            dataset,
            statistics,
            agreement,
            answers={key: answer for key, answer in _stated(entries, "people", "answer") if answer},
            platform=dict(_stated(entries, "platform", "facts")),
        )
        expected = dict(datasheet_files(sheet))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        yield f"{DATASHEET}: is not a datasheet: {error!r}"
        return
    if not is_same(found, sheet.as_json()):
        yield f"{DATASHEET}: differs from the release and from the statements of people"
        return
    listed = {file.path for file in manifest.files}
    for path in (DATASHEET_PAGE, LICENCE, CITATION):
        if (path in expected) != (path in listed):
            yield f"{MANIFEST}: {'does not list' if path in expected else 'lists'} {path}"
        elif path in expected and (folder / path).read_bytes() != expected[path].encode():
            yield f"{path}: does not say what {DATASHEET} says"


def _stated(entries: Iterable[Any], by: str, what: str) -> Iterator[tuple[Any, Any]]:
    return ((each["key"], each[what]) for each in entries if each["stated_by"] == by)
