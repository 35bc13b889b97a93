"""Write a release: a folder that is complete, or not there."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from exporters.card import dataset_card
from exporters.card_parts import front_matter, load_instructions
from exporters.planned_release import PlannedRelease
from exporters.privacy import PersonalDataError
from tomahto.releases.documents.citation import AuthorsError
from tomahto.releases.documents.croissant import croissant
from tomahto.releases.documents.datasheet import AUTHORS, Datasheet, release_datasheet
from tomahto.releases.documents.document_files import datasheet_files, paper_files
from tomahto.releases.documents.known_facts import facts_of_platform
from tomahto.releases.figures.figures import Figures, figures_of
from tomahto.releases.files.folder import Publish, at_once, new_folder
from tomahto.releases.files.table_files import write_table
from tomahto.releases.files.tables import Table
from tomahto.releases.files.text_files import json_document
from tomahto.releases.formats.formats import write_formats
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import CHECKSUMS, MANIFEST, SIGNATURE, checksum_lines
from tomahto.releases.stored.signature import Sign


@dataclass(frozen=True, slots=True)
class ReleaseSummary:
    """`ratings` are the counted ones; `splits` has the sizes of each split."""

    digest: str
    path: Path
    items: int
    ratings: int
    splits: Mapping[str, Mapping[str, int]]


def write_release(
    planned: PlannedRelease,
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

    Raises ReleaseError, before anything is written, if comments may hold personal data that nobody
    has confirmed, the answer that names the authors does not or `out` is there already, and OSError
    if the disk refuses. Nothing stays behind then.
    """
    if planned.findings and not planned.manifest.personal_data:
        raise PersonalDataError(planned.findings)
    figures = figures_of(planned.dataset)
    sheet = datasheet_of(planned, figures)
    sizes = figures.statistics["sizes"]
    with new_folder(out, publish) as folder:
        tables = planned.tables()
        for table in tables:
            write_table(folder, table, wrote=wrote)
        write_formats(folder, planned.dataset, planned.manifest.formats)
        for path, text in _documents(planned, tables, figures, sheet):
            folder.write(path, text)
        rule = planned.campaign.exact_rule
        slug = planned.campaign.slug
        for file in paper_files(slug, figures.statistics, figures.agreement, rule):
            folder.write_bytes(file.path, file.content, file.rows)
        metadata = croissant(planned.campaign, sheet.heading, tables, folder.files, sheet.authors)
        folder.write("croissant.json", metadata)
        files = tuple(sorted(folder.files, key=lambda file: file.path))
        folder.write(MANIFEST, replace(planned.manifest, sizes=sizes, files=files).as_text())
        lines = checksum_lines({file.path: file.sha256 for file in folder.files})
        folder.write(CHECKSUMS, lines)
        if sign:
            with folder.open(SIGNATURE) as signature:
                signature.write(sign(lines.encode()))
    total = sizes["total"]
    return ReleaseSummary(
        planned.manifest.digest, out, total["items"], total["ratings"], sizes["splits"]
    )


def datasheet_of(planned: PlannedRelease, figures: Figures) -> Datasheet:
    """Raises ReleaseError if the answer that names the authors does not."""
    documentation, dataset = planned.documentation, planned.dataset
    sheet = release_datasheet(
        planned.manifest,
        dataset,
        figures.statistics,
        figures.agreement,
        answers=documentation.answers,
        platform=facts_of_platform(dataset, planned.campaign.licence, documentation.collection),
    )
    try:
        _ = sheet.authors
    except AuthorsError as error:
        raise ReleaseError(f"datasheet, {AUTHORS}: {error}") from error
    return sheet


def _documents(
    planned: PlannedRelease, tables: Iterable[Table], figures: Figures, sheet: Datasheet
) -> Iterator[tuple[str, str]]:
    yield "README.md", dataset_card(planned, tables, figures, sheet)
    yield "jsonl/README.md", front_matter(load_instructions(tables, "jsonl"))
    for path, figure in figures.files.items():
        yield path, json_document(figure)
    yield from datasheet_files(sheet)
    for guideline in planned.campaign.guidelines:
        yield f"guidelines/v{guideline.version}.md", guideline.text
