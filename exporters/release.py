"""Write a release: a folder that is complete, or not there."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from exporters.ae_format import write_ae_format
from exporters.agreement import release_agreement
from exporters.card import Figures, dataset_card
from exporters.content import ReleaseContent, build_dataset
from exporters.croissant import croissant
from exporters.dataset import Dataset
from exporters.digest import content_digest
from exporters.folder import NewFolder, new_folder
from exporters.hub_metadata import front_matter, load_instructions
from exporters.manifest import CHECKSUMS, MANIFEST, Manifest, checksum_lines
from exporters.rows import Table, item_table, rating_table
from exporters.statistics import release_statistics
from exporters.table_files import write_table

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


def write_release(content: ReleaseContent, out: Path) -> ReleaseSummary:
    """Write the release to the folder `out`, which appears when all of it is on the disk.

    Raises ReleaseError, before anything is written, if the content cannot be released or `out`
    is there already, and OSError if the disk refuses. Nothing stays behind then.
    """
    dataset = build_dataset(content)
    statistics = release_statistics(dataset)
    figures = Figures(content_digest(dataset), release_agreement(dataset), statistics)
    with new_folder(out) as folder:
        tables = (item_table(dataset), rating_table(dataset))
        _write_data(folder, dataset, tables)
        _write_documents(folder, content, dataset, tables, figures)
        _write_manifest(folder, content, dataset, figures)
    sizes = statistics["sizes"]
    return ReleaseSummary(
        figures.digest, out, sizes["total"]["items"], sizes["total"]["ratings"], sizes["splits"]
    )


def _write_data(folder: NewFolder, dataset: Dataset, tables: tuple[Table, ...]) -> None:
    for table in tables:
        write_table(folder, table)
    if dataset.terms.protocol == "ae":
        write_ae_format(folder, dataset)


def _write_documents(
    folder: NewFolder,
    content: ReleaseContent,
    dataset: Dataset,
    tables: tuple[Table, ...],
    figures: Figures,
) -> None:
    folder.write("README.md", dataset_card(content, dataset, tables, figures))
    folder.write("jsonl/README.md", front_matter(load_instructions(tables, "jsonl")))
    folder.write("agreement.json", _json_text(figures.agreement))
    folder.write("statistics.json", _json_text(figures.statistics))
    for guideline in content.campaign.guidelines:
        folder.write(f"guidelines/v{guideline.version}.md", guideline.text)
    published = content.created_at.astimezone(UTC).date()
    metadata = croissant(content.campaign, content.version, published, tables, folder.files)
    folder.write("croissant.json", metadata)


def _write_manifest(
    folder: NewFolder, content: ReleaseContent, dataset: Dataset, figures: Figures
) -> None:
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
        items_without_ratings=len(content.items) - len(dataset.items),
        files=tuple(sorted(folder.files, key=lambda file: file.path)),
    )
    folder.write(MANIFEST, manifest.as_text())
    folder.write(CHECKSUMS, checksum_lines({file.path: file.sha256 for file in folder.files}))


def _json_text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
