"""Write a release: a folder that is complete, or not there."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from exporters.card.card import dataset_card
from exporters.content import ReleaseContent
from exporters.figures import Figures, release_figures
from exporters.hub.metadata import front_matter, load_instructions
from tomahto.releases.dataset.split_report import SPLITS
from tomahto.releases.documents.croissant import croissant
from tomahto.releases.documents.datasheet_files import datasheet_files
from tomahto.releases.documents.paper_files import paper_files
from tomahto.releases.figures.dawid_skene_file import DAWID_SKENE, dawid_skene_json
from tomahto.releases.files.folder import NewFolder, Publish, at_once, new_folder
from tomahto.releases.files.table_files import write_table
from tomahto.releases.files.tables import Table, release_tables
from tomahto.releases.formats.formats import write_formats
from tomahto.releases.records.collection import ConfirmedPersonalData
from tomahto.releases.stored.manifest import (
    CHECKSUMS,
    MANIFEST,
    SIGNATURE,
    Manifest,
    checksum_lines,
)
from tomahto.releases.stored.signature import Sign

__all__ = ["ReleaseContent", "ReleaseSummary", "write_release"]


@dataclass(frozen=True, slots=True)
class ReleaseSummary:
    """`ratings` are the counted ones; `splits` has the sizes of each split."""

    digest: str
    path: Path
    items: int
    ratings: int
    splits: Mapping[str, Mapping[str, int]]

    def as_json(self) -> dict[str, Any]:
        return {
            "digest": self.digest,
            "path": str(self.path),
            "items": self.items,
            "ratings": self.ratings,
            "splits": {split: dict(sizes) for split, sizes in self.splits.items()},
        }


def write_release(
    content: ReleaseContent,
    out: Path,
    *,
    publish: Publish = at_once,
    wrote: Callable[[int], None] = lambda _rows: None,
    sign: Sign | None = None,
) -> ReleaseSummary:
    """Write the release to the folder `out`, which appears when all of it is on the disk.

    `publish` is given what makes it appear, and may do something of its own before and after; what
    it raises before leaves nothing behind. `wrote` is told how many rows of tables were written
    since it was last told; what it raises leaves nothing behind either. `sign` signs the release
    (tomahto.releases.stored.signature).

    Raises ReleaseError, before anything is written, if the content cannot be released or `out` is
    there already, and OSError if the disk refuses. Nothing stays behind then.
    """
    dataset, confirmed = content.dataset, content.confirmed_personal_data
    figures = release_figures(content)
    with new_folder(out, publish) as folder:
        tables = release_tables(dataset)
        for table in tables:
            write_table(folder, table, wrote=wrote)
        write_formats(folder, dataset, content.chosen_formats)
        _write_documents(folder, content, tables, figures)
        _write_manifest(folder, content, figures, confirmed)
        _write_checksums(folder, sign)
    sizes = figures.statistics["sizes"]
    return ReleaseSummary(
        figures.digest, out, sizes["total"]["items"], sizes["total"]["ratings"], sizes["splits"]
    )


def _write_documents(
    folder: NewFolder, content: ReleaseContent, tables: tuple[Table, ...], figures: Figures
) -> None:
    folder.write("README.md", dataset_card(content, tables, figures))
    folder.write("jsonl/README.md", front_matter(load_instructions(tables, "jsonl")))
    folder.write("agreement.json", _json_text(figures.agreement))
    folder.write("statistics.json", _json_text(figures.statistics))
    folder.write(DAWID_SKENE, _json_text(dawid_skene_json(content.dataset.estimate)))
    folder.write(SPLITS, _json_text(figures.splits))
    for path, text in datasheet_files(figures.datasheet):
        folder.write(path, text)
    for file in paper_files(content.campaign.slug, figures.statistics, figures.agreement):
        folder.write_bytes(file.path, file.content, file.rows)
    for guideline in content.campaign.guidelines:
        folder.write(f"guidelines/v{guideline.version}.md", guideline.text)
    published = content.created_at.astimezone(UTC).date()
    authors = figures.datasheet.authors
    metadata = croissant(
        content.campaign, content.version, published, tables, folder.files, authors
    )
    folder.write("croissant.json", metadata)


def _write_manifest(
    folder: NewFolder,
    content: ReleaseContent,
    figures: Figures,
    confirmed: ConfirmedPersonalData | None,
) -> None:
    dataset = content.dataset
    manifest = Manifest(
        campaign=content.campaign.slug,
        title=content.campaign.title,
        version=content.version,
        software=content.software,
        created_at=content.created_at.astimezone(UTC),
        terms=dataset.terms,
        flag_questions=dataset.flag_questions,
        digest=figures.digest,
        sizes=figures.statistics["sizes"],
        items_without_ratings=content.items_without_ratings,
        files=tuple(sorted(folder.files, key=lambda file: file.path)),
        adjudications=len(dataset.adjudications),
        answers=len(dataset.answers),
        personal_data=confirmed,
        left_out=content.left_out,
        formats=content.chosen_formats,
        audit=content.audit,
    )
    folder.write(MANIFEST, manifest.as_text())


def _write_checksums(folder: NewFolder, sign: Sign | None) -> None:
    lines = checksum_lines({file.path: file.sha256 for file in folder.files})
    folder.write(CHECKSUMS, lines)
    if sign:
        with folder.open(SIGNATURE) as file:
            file.write(sign(lines.encode()))


def _json_text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
