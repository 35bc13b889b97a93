"""Verify a release with nothing but its folder, which holds the files of its manifest, byte for
byte, and nothing else.

A signature may be there as well (tomahto.releases.stored.signature): whose it should be, the folder
cannot say.
"""

import csv
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import Any

from tomahto.releases.dataset.split_report import SPLITS
from tomahto.releases.documents.citation import LICENCE
from tomahto.releases.documents.datasheet import DATASHEET, DATASHEET_PAGE
from tomahto.releases.documents.fact_sentences import number_of
from tomahto.releases.figures.figures import FIGURE_FILES
from tomahto.releases.files.folder import FileEntry, file_sha256
from tomahto.releases.formats.formats import FORMAT_FOLDERS, formats_of
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import (
    CHECKSUMS,
    MANIFEST,
    SIGNATURE,
    Manifest,
    checksum_lines,
    read_manifest,
)
from tomahto.releases.verification.content_check import content_differences


def verify_release(path: Path) -> list[str]:
    """The differences between the folder and what it claims to be, one line each.

    An empty list means: every file is there as the manifest and SHA256SUMS say, none is extra,
    all formats say the same, the promise of the split is kept (see `split_promise`), and labels,
    agreement, statistics, the estimates of Dawid and Skene, the report on splits and the digest
    follow from the ratings and adjudications. What files say is compared only when their bytes are
    right.
    """
    try:
        manifest = read_manifest(path)
        return folder_differences(path, manifest) or content_differences(path, manifest)
    except (ReleaseError, OSError) as error:
        return [str(error)]


def split_promise(path: Path) -> str:
    """The promise kept by the splits of a release in which `verify_release` found no difference."""
    manifest = read_manifest(path)
    spec = manifest.terms.spec
    if spec.by == "system":
        return "every item is in the splits of its systems"
    report = json.loads((path / SPLITS).read_bytes())
    if spec.by == "predefined":
        return _promise_of_source(report, "every item is in its split of the source")
    if spec.kept:
        names = " and ".join(spec.kept)
        return _promise_of_source(
            report, f"the source's documents in {names} are in these splits, and no others"
        )
    leaks = len(report["leaks"])
    if not leaks:
        return "no document and no near-duplicate question is on two sides"
    return (
        "no document is on two sides; near-duplicate questions are, in "
        f"{number_of(leaks, 'group')} that splits.json names"
    )


def _promise_of_source(report: Mapping[str, Any], kept: str) -> str:
    documents, leaks = len(report["parted_documents"]), len(report["leaks"])
    if not documents and not leaks:
        return f"{kept}; no document and no near-duplicate question is on two sides"
    return (
        f"{kept}; on two sides are {number_of(documents, 'document')} and "
        f"{number_of(leaks, 'group')} of near-duplicate questions, which splits.json names"
    )


_DOCUMENTS = (
    "README.md",
    "jsonl/README.md",
    "croissant.json",
    *FIGURE_FILES,
    DATASHEET,
    DATASHEET_PAGE,
    LICENCE,
)
_DATA_FOLDERS = (
    *("items/", "ratings/", "adjudications/", "answers/", "jsonl/", "csv/"),
    *FORMAT_FOLDERS,
)


def folder_differences(folder: Path, manifest: Manifest) -> list[str]:
    """Files that are missing, extra, of another kind, or of other content than in the manifest."""
    entries = {entry.path: entry for entry in manifest.files}
    required = set(_required_paths(manifest))
    strays = {path for path in entries if path.startswith(_DATA_FOLDERS)} - required
    return [
        *(f"{MANIFEST}: does not list {path}" for path in sorted(required - entries.keys())),
        *(f"{MANIFEST}: lists {path}, which belongs to no split" for path in sorted(strays)),
        *_name_differences(folder, entries),
        *_checksum_differences(folder, entries),
    ]


def _required_paths(manifest: Manifest) -> Iterator[str]:
    yield from _DOCUMENTS
    for split in manifest.terms.spec.names:
        for table in manifest.tables:
            yield f"{table}/{split}.parquet"
            yield f"jsonl/{table}/{split}.jsonl"
            yield f"csv/{table}/{split}.csv"
    for each in formats_of(manifest.terms, manifest.formats):
        yield from each.paths(manifest.terms.spec.names)


def _name_differences(folder: Path, entries: Mapping[str, FileEntry]) -> Iterator[str]:
    paths = {*entries, MANIFEST, CHECKSUMS}
    folders = {str(parent) for path in paths for parent in PurePosixPath(path).parents}
    modes = dict(_modes(folder))
    for path in sorted(paths - modes.keys()):
        yield f"{path}: is missing"
    for path, mode in sorted(modes.items()):
        if S_ISLNK(mode):
            yield f"{path!a}: is a link"
        elif path in paths:
            if not S_ISREG(mode):
                yield f"{path}: is not a plain file"
            elif path in entries:
                yield from _file_differences(folder, entries[path])
        elif not ((S_ISDIR(mode) and path in folders) or (S_ISREG(mode) and path == SIGNATURE)):
            yield f"{path!a}: is not in the manifest"


def _modes(folder: Path) -> Iterator[tuple[str, int]]:
    """Type and permissions of everything below the folder, by path; links are not followed."""
    for place, folders, files in os.walk(folder, onerror=_raise):
        for name in (*folders, *files):
            path = Path(place, name)
            yield path.relative_to(folder).as_posix(), path.lstat().st_mode


def _raise(error: OSError) -> None:
    raise error


def _file_differences(folder: Path, entry: FileEntry) -> Iterator[str]:
    path = folder / entry.path
    size = path.stat().st_size
    if size != entry.bytes:
        yield f"{entry.path}: has {size} bytes, not {entry.bytes}"
    elif file_sha256(path) != entry.sha256:
        yield f"{entry.path}: its SHA-256 is not {entry.sha256}"
    else:
        yield from _row_differences(path, entry)


def _row_differences(path: Path, entry: FileEntry) -> Iterator[str]:
    import pyarrow as pa  # slow to load, and few pages and commands need it

    try:
        rows = _rows(path)
    except (OSError, ValueError, csv.Error, pa.ArrowException) as error:
        yield f"{entry.path}: cannot be read: {error}"
        return
    if rows != entry.rows:
        yield f"{entry.path}: has {rows} rows, not {entry.rows}"


def _rows(path: Path) -> int | None:
    """Number of rows of a table, by the ending of its name; None if it is no table."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq  # as above

        return int(pq.read_metadata(path).num_rows)
    if path.suffix == ".jsonl":
        with path.open("rb") as lines:
            return sum(1 for _ in lines)
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as text:
            return sum(1 for _ in csv.reader(text)) - 1
    return None


def _checksum_differences(folder: Path, entries: Mapping[str, FileEntry]) -> Iterator[str]:
    place = folder / CHECKSUMS
    if place.is_symlink() or not place.is_file():
        return
    sums = {path: entry.sha256 for path, entry in entries.items()}
    expected = checksum_lines(sums | {MANIFEST: file_sha256(folder / MANIFEST)})
    if place.read_bytes() != expected.encode(errors="surrogatepass"):
        yield f"{CHECKSUMS}: does not say what {MANIFEST} and its files say"
