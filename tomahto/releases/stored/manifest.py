"""The manifest of a release: what it is, under what terms it was made, and its files."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar, get_args

from tomahto.releases.dataset.choices import LeftOut, Selection, format_split_spec, parse_split_spec
from tomahto.releases.dataset.dataset import FIGURES_VERSION, Terms
from tomahto.releases.dataset.labels import LABEL_CHOICES
from tomahto.releases.files.folder import FileEntry
from tomahto.releases.files.text_files import json_document
from tomahto.releases.formats.formats import choose_formats
from tomahto.releases.records.columns import OPTIONAL_COLUMNS, TableName
from tomahto.releases.records.fields import (
    AuditHead,
    Fields,
    ReleaseError,
    head_from_json,
    parse_version,
)
from tomahto.releases.records.records import ConfirmedPersonalData, SplitSpec
from tomahto.text.normalisation import ExactRule
from tomahto.votes.scheme import LabelScheme, Level, QuestionScheme

T = TypeVar("T")

MANIFEST = "manifest.json"
CHECKSUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"  # of the checksums; a release may have one
FORMAT = 2

_SHA256 = re.compile(r"[0-9a-f]{64}")
_LEVELS: tuple[Level, ...] = get_args(Level)


@dataclass(frozen=True, slots=True)
class Manifest:
    """`flag_questions` are those answered with yes and no only; `items_without_ratings` counts the
    campaign's items without a counted rating, which are not here; `adjudications` counts the
    decisions of adjudicators, `answers` those of the systems; `left_out` is what the selection did
    not let in; `formats` are the further ones by name (tomahto.releases.formats.formats);
    `optional_columns` names those that items and ratings have; `personal_data` is what comments
    may hold by somebody's leave; `audit` is how far the site's audit log had come, if that is
    known; `imported_raters` are those raters and adjudicators, sorted, whom files named and who
    have no account. `sizes`, those of the statistics, and `files` are not known before it is
    written."""

    campaign: str
    title: str
    version: str
    software: str
    created_at: datetime
    terms: Terms
    flag_questions: frozenset[str]
    optional_columns: frozenset[str]
    digest: str
    items_without_ratings: int
    adjudications: int
    answers: int
    personal_data: ConfirmedPersonalData | None
    left_out: LeftOut
    formats: tuple[str, ...]
    audit: AuditHead | None
    imported_raters: tuple[str, ...] = ()
    sizes: Mapping[str, Any] = field(default_factory=dict)
    files: tuple[FileEntry, ...] = ()

    @property
    def tables(self) -> tuple[TableName, ...]:
        """Those whose files a release has."""
        optional: Mapping[TableName, int] = {
            "adjudications": self.adjudications,
            "answers": self.answers,
        }
        return "items", "ratings", *(name for name, rows in optional.items() if rows)

    @property
    def published(self) -> date:
        """In UTC."""
        return self.created_at.astimezone(UTC).date()

    def as_json(self) -> dict[str, Any]:
        terms = self.terms
        return {
            "format": FORMAT,
            **({"figures_version": terms.figures_version} if terms.figures_version > 1 else {}),
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
            **dict.fromkeys(sorted(self.optional_columns), True),
            "seed": terms.seed,
            "split": format_split_spec(terms.spec),
            "digest": self.digest,
            "sizes": self.sizes,
            "items_without_ratings": self.items_without_ratings,
            "answers": [
                {
                    "question": scheme.key,
                    "values": list(scheme.values),
                    "several": scheme.is_multiple,
                }
                for scheme in terms.question_schemes
            ],
            "label_choice": terms.choice,
            "accepted_labels": list(terms.accepted_labels),
            "exact_rule": terms.exact_rule.value,
            "adjudications": self.adjudications,
            **({"system_answers": self.answers} if self.answers else {}),
            **({"comments": True} if terms.has_comments else {}),
            **({"personal_data": asdict(self.personal_data)} if self.personal_data else {}),
            "selection": terms.selection.as_json(),
            "left_out": self.left_out.as_json(),
            "further_formats": list(self.formats),
            **({"imported_raters": list(self.imported_raters)} if self.imported_raters else {}),
            **({"audit": asdict(self.audit)} if self.audit else {}),
            "files": [asdict(file) for file in self.files],
        }

    def as_text(self) -> str:
        return json_document(self.as_json())


def checksum_lines(files: Mapping[str, str]) -> str:
    """SHA-256 by path in the format of `sha256sum --check`, sorted by path."""
    return "".join(f"{files[path]}  {path}\n" for path in sorted(files))


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of a release. Raises ReleaseError in one line if it is not one."""
    place = folder / MANIFEST
    if place.is_symlink() or not place.is_file():
        raise ReleaseError(f"{MANIFEST}: is missing or not a regular file")
    try:
        content = place.read_bytes()
    except OSError as error:
        raise ReleaseError(f"{MANIFEST}: cannot be read: {error}") from error
    return manifest_in(content)


def manifest_in(content: bytes) -> Manifest:
    """The manifest in a file's content. Raises ReleaseError in one line if it is not one."""
    try:
        return parse_manifest(json.loads(content))
    except ReleaseError:
        raise
    except (ValueError, OverflowError, RecursionError) as error:
        raise ReleaseError(f"{MANIFEST}: cannot be read: {error}") from error


def parse_manifest(data: object) -> Manifest:
    """The manifest in a JSON document. Raises ReleaseError naming the field that is wrong."""
    fields = Fields(data, MANIFEST)
    if (found := fields.number("format")) != FORMAT:
        raise fields.error(
            "format",
            f"is {found}, only {FORMAT} can be read here; release the campaign again with this"
            " version of Tomahto, or read the folder with the one that wrote it",
        )
    _parsed(fields, "version", parse_version)
    terms = _terms(fields)
    flags, left_out = frozenset(fields.texts("yes_no_questions")), fields.object("left_out")
    if not flags <= set(terms.question_keys):
        raise fields.error("yes_no_questions", "names something that is not a question")
    return Manifest(
        campaign=fields.text("campaign"),
        title=fields.text("title"),
        version=fields.text("version"),
        software=fields.text("software"),
        created_at=_parsed(fields, "created_at", _time),
        terms=terms,
        flag_questions=flags,
        optional_columns=frozenset(
            column.name
            for column in OPTIONAL_COLUMNS
            if column.name in fields.data and fields.flag(column.name)
        ),
        digest=_sha256(fields, "digest"),
        sizes=fields.object("sizes").data,
        items_without_ratings=fields.count("items_without_ratings"),
        files=_files(fields),
        adjudications=fields.count("adjudications"),
        answers=fields.count("system_answers") if "system_answers" in fields.data else 0,
        personal_data=_personal_data(fields),
        left_out=LeftOut.from_json(left_out.data, terms.selection, left_out.place),
        formats=_formats(fields, terms),
        audit=head_from_json(fields.data),
        imported_raters=(
            fields.texts("imported_raters") if "imported_raters" in fields.data else ()
        ),
    )


def _personal_data(fields: Fields) -> ConfirmedPersonalData | None:
    if "personal_data" not in fields.data:
        return None
    confirmed = fields.object("personal_data")
    return ConfirmedPersonalData(confirmed.count("comments"), confirmed.text("reason"))


def _terms(fields: Fields) -> Terms:
    level = fields.one_of("level", _LEVELS)
    labels, ranks = fields.texts("labels"), fields.numbers("ranks")
    with fields.naming("labels"):
        scheme = LabelScheme(labels, ranks, level)
    selection = fields.object("selection")
    return Terms(
        protocol=fields.text("protocol"),
        scheme=scheme,
        question_keys=fields.texts("questions"),
        spec=_spec(fields),
        seed=fields.number("seed"),
        question_schemes=tuple(map(_question_scheme, fields.objects("answers"))),
        choice=fields.one_of("label_choice", LABEL_CHOICES),
        has_comments="comments" in fields.data and fields.flag("comments"),
        selection=Selection.from_json(selection.data, selection.place),
        accepted_labels=_accepted_labels(fields, scheme),
        # the first releases do not name it: there was one rule
        exact_rule=fields.one_of("exact_rule", tuple(ExactRule))
        if "exact_rule" in fields.data
        else ExactRule.SQUAD,
        figures_version=_figures_version(fields),
    )


def _figures_version(fields: Fields) -> int:
    """Releases made before there were several do not say it."""
    if "figures_version" not in fields.data:
        return 1
    version = fields.count("figures_version")
    if not 1 <= version <= FIGURES_VERSION:
        raise fields.error(
            "figures_version", f"is {version}, only 1 to {FIGURES_VERSION} are known here"
        )
    return version


def _spec(fields: Fields) -> SplitSpec:
    spec = _parsed(fields, "split", parse_split_spec)
    if not spec.names:
        raise fields.error("split", "does not name its splits")
    return spec


def _accepted_labels(fields: Fields, scheme: LabelScheme) -> tuple[str, ...]:
    labels = fields.texts("accepted_labels")
    if not set(labels) <= set(scheme.labels):
        raise fields.error("accepted_labels", "names something that is not a label")
    return labels


def _formats(fields: Fields, terms: Terms) -> tuple[str, ...]:
    names = fields.texts("further_formats")
    with fields.naming("further_formats"):
        return choose_formats(terms.protocol, terms.accepted_labels, names)


def _question_scheme(fields: Fields) -> QuestionScheme:
    key, values = fields.text("question"), fields.texts("values")
    several = fields.flag("several")
    with fields.naming("values"):
        return QuestionScheme(key, values, several)


def _parsed(fields: Fields, name: str, parse: Callable[[str], T]) -> T:
    text = fields.text(name)
    with fields.naming(name):
        return parse(text)


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
    if path in (MANIFEST, CHECKSUMS, SIGNATURE):
        raise file.error("path", f"{path!r} cannot be listed in the manifest")
    return path
