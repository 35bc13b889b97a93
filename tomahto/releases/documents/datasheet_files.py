"""The files of a datasheet, which say how to cite and to use a release, and their check."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, date
from pathlib import Path
from typing import Any

from tomahto.releases.dataset.dataset import Dataset
from tomahto.releases.documents.citation import CITATION, LICENCE, citation_cff, licence_page
from tomahto.releases.documents.datasheet import (
    DATASHEET,
    DATASHEET_PAGE,
    Datasheet,
    Heading,
    datasheet_page,
)
from tomahto.releases.documents.known_facts import facts_of_release
from tomahto.releases.figures.closeness import is_same
from tomahto.releases.stored.manifest import MANIFEST, Manifest

Figures = Mapping[str, Any]


def datasheet_files(sheet: Datasheet) -> Iterator[tuple[str, str]]:
    """Paths and texts. Without authors there is no citation: the format wants one, and none is
    made up."""
    content, heading = sheet.as_json(), sheet.heading
    licence = sheet.platform["licence"]["licence"]
    yield DATASHEET, json.dumps(content, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
    yield DATASHEET_PAGE, datasheet_page(content)
    yield LICENCE, licence_page(licence)
    if sheet.authors:
        citation = citation_cff(
            title=heading.title,
            version=heading.version,
            published=date.fromisoformat(heading.published),
            licence=licence,
            authors=sheet.authors,
        )
        yield CITATION, citation


def datasheet_differences(
    folder: Path, manifest: Manifest, dataset: Dataset, statistics: Figures, agreement: Figures
) -> Iterator[str]:
    """Where the datasheet does not say what the release shows, or its pages not what it says.

    What people and the platform state is taken as it stands, for nobody else knows.
    """
    facts = facts_of_release(dataset, statistics, agreement, manifest.items_without_ratings)
    try:
        found = json.loads((folder / DATASHEET).read_bytes())
        sheet = _as_it_must_be(found, manifest, facts)
        expected = dict(datasheet_files(sheet))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        yield f"{DATASHEET}: is no datasheet: {error!r}"
        return
    if not is_same(found, sheet.as_json()):
        yield f"{DATASHEET}: is not what the release makes and people state"
        return
    listed = {file.path for file in manifest.files}
    for path in (DATASHEET_PAGE, LICENCE, CITATION):
        if (path in expected) != (path in listed):
            yield f"{MANIFEST}: {'does not list' if path in expected else 'lists'} {path}"
        elif path in expected and (folder / path).read_bytes() != expected[path].encode():
            yield f"{path}: does not say what {DATASHEET} says"


def _as_it_must_be(found: Any, manifest: Manifest, facts: Figures) -> Datasheet:
    entries = [entry for part in found["sections"] for entry in part["entries"]]
    return Datasheet(
        heading=Heading(
            campaign=manifest.campaign,
            title=" ".join(manifest.title.split()),
            version=manifest.version,
            published=manifest.created_at.astimezone(UTC).date().isoformat(),
        ),
        answers={
            each["key"]: each["answer"]
            for each in entries
            if each["stated_by"] == "people" and each["answer"]
        },
        release=facts,
        platform={
            each["key"]: each["facts"] for each in entries if each["stated_by"] == "platform"
        },
    )
