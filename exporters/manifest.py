"""The manifest of a release: what it is, under what terms it was made, and its files."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from exporters.content import parse_version
from exporters.dataset import Terms
from exporters.errors import ReleaseError
from exporters.fields import Fields
from exporters.folder import FileEntry
from exporters.splits import format_split_spec, parse_split_spec
from measures.scheme import LabelScheme, Level

T = TypeVar("T")

MANIFEST = "manifest.json"
CHECKSUMS = "SHA256SUMS"
FORMAT = 1

_SHA256 = re.compile(r"[0-9a-f]{64}")
_LEVELS: Mapping[str, Level] = {
    "nominal": "nominal",
    "ordinal": "ordinal",
    "interval": "interval",
}


@dataclass(frozen=True, slots=True)
class Manifest:
    """`flag_questions` are those answered with yes and no only; `sizes` are those of the
    statistics; `items_without_ratings` counts the campaign's items that are not here."""

    campaign: str
    title: str
    version: str
    software: str
    created_at: datetime
    terms: Terms
    flag_questions: frozenset[str]
    digest: str
    sizes: Mapping[str, Any]
    items_without_ratings: int
    files: tuple[FileEntry, ...]

    def as_json(self) -> dict[str, Any]:
        terms = self.terms
        return {
            "format": FORMAT,
            "software": self.software,
            "campaign": self.campaign,
            "title": self.title,
            "version": self.version,
            "created_at": self.created_at.isoformat(),
            "protocol": terms.protocol,
            "labels": list(terms.scheme.labels),
            "ranks": [float(rank) for rank in terms.scheme.ranks],
            "level": terms.scheme.level,
            "questions": list(terms.question_keys),
            "yes_no_questions": sorted(self.flag_questions),
            "seed": terms.seed,
            "split": format_split_spec(terms.spec),
            "digest": self.digest,
            "sizes": self.sizes,
            "items_without_ratings": self.items_without_ratings,
            "files": [asdict(file) for file in self.files],
        }

    def as_text(self) -> str:
        return json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n"


def checksum_lines(files: Mapping[str, str]) -> str:
    """SHA-256 by path in the format of `sha256sum --check`, sorted by path."""
    return "".join(f"{files[path]}  {path}\n" for path in sorted(files))


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a release. Raises ReleaseError in one line if it is not one."""
    place = folder / MANIFEST
    if place.is_symlink() or not place.is_file():
        raise ReleaseError(f"{MANIFEST}: is not there as a plain file")
    try:
        return parse_manifest(json.loads(place.read_bytes()))
    except ReleaseError:
        raise
    except (OSError, ValueError, OverflowError, RecursionError) as error:
        raise ReleaseError(f"{MANIFEST}: cannot be read: {error}") from error


def parse_manifest(data: object) -> Manifest:
    """The manifest in a JSON document. Raises ReleaseError naming the field that is wrong."""
    fields = Fields(data, MANIFEST)
    if fields.number("format") != FORMAT:
        raise fields.error("format", f"is {fields.number('format')}; {FORMAT} is known here")
    _parsed(fields, "version", parse_version)
    terms = _terms(fields)
    flags = frozenset(fields.texts("yes_no_questions"))
    if not flags <= set(terms.question_keys):
        raise fields.error("yes_no_questions", "names what is no question")
    return Manifest(
        campaign=fields.text("campaign"),
        title=fields.text("title"),
        version=fields.text("version"),
        software=fields.text("software"),
        created_at=_parsed(fields, "created_at", _time),
        terms=terms,
        flag_questions=flags,
        digest=_sha256(fields, "digest"),
        sizes=fields.object("sizes").data,
        items_without_ratings=fields.count("items_without_ratings"),
        files=_files(fields),
    )


def _terms(fields: Fields) -> Terms:
    level = fields.text("level")
    if level not in _LEVELS:
        raise fields.error("level", f"is {level!r}, none of {', '.join(_LEVELS)}")
    labels, ranks = fields.texts("labels"), fields.numbers("ranks")
    try:
        scheme = LabelScheme(labels, ranks, _LEVELS[level])
    except ValueError as error:
        raise fields.error("labels", str(error)) from error
    return Terms(
        protocol=fields.text("protocol"),
        scheme=scheme,
        question_keys=fields.texts("questions"),
        spec=_parsed(fields, "split", parse_split_spec),
        seed=fields.number("seed"),
    )


def _parsed(fields: Fields, name: str, parse: Callable[[str], T]) -> T:
    text = fields.text(name)
    try:
        return parse(text)
    except ValueError as error:
        raise fields.error(name, str(error)) from error


def _time(text: str) -> datetime:
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ReleaseError(f"{text!r} has no time zone")
    return time


def _sha256(fields: Fields, name: str) -> str:
    digest = fields.text(name)
    if not _SHA256.fullmatch(digest):
        raise fields.error(name, "is not a SHA-256 in small hexadecimal digits")
    return digest


def _files(fields: Fields) -> tuple[FileEntry, ...]:
    entries: dict[str, FileEntry] = {}
    for file in fields.objects("files"):
        entry = FileEntry(
            path=_path(file),
            sha256=_sha256(file, "sha256"),
            bytes=file.count("bytes"),
            rows=None if file.is_null("rows") else file.count("rows"),
        )
        if entry.path in entries:
            raise file.error("path", f"{entry.path!r} is named twice")
        entries[entry.path] = entry
    return tuple(entries.values())


def _path(file: Fields) -> str:
    path = file.text("path")
    pure = PurePosixPath(path)
    if str(pure) != path or pure.is_absolute() or {".", ".."} & {path, *pure.parts} or "\0" in path:
        raise file.error("path", f"{path!r} is not a path inside the release")
    if path in (MANIFEST, CHECKSUMS):
        raise file.error("path", f"{path!r} cannot be listed in the manifest")
    return path
