"""Files as people hand them in, by a command, a page or the API: which kinds there are, and what
takes each in, whole or not at all."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, NamedTuple

from tasks.intake.workflow.adjudications import import_adjudications
from tasks.intake.workflow.answers import import_answers
from tasks.intake.workflow.candidates import import_predictions
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.questions import import_questions
from tasks.intake.workflow.ratings import import_ratings
from tasks.intake.workflow.suggestions import Scale, import_suggestions
from tasks.models import Campaign
from tasks.storing.database import Reread
from tomahto.interchange.campaigns.items import read_items
from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.campaigns.questions import read_answers, read_questions
from tomahto.interchange.campaigns.ratings import (
    read_adjudications,
    read_annotations,
    read_suggestions,
)
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.rows import FieldMap
from tomahto.pretrained.files import digest_file

Records = Iterable[Any]


@dataclass(frozen=True, slots=True)
class ImportFile:
    """A file as it lies on disk, with its name as people know it.

    `format` None: to be told from the file. `system` is whose predictions it holds, `overlap` how
    many ratings their items get; `split` the one that all questions are of; `fields` where another
    tool has ours; `matcher` whose scores it holds, on their `scale`. With
    `rates_exact` predictions that match a reference exactly become items too.
    """

    path: Path
    name: str | None
    format: str | None = None
    system: str = ""
    overlap: int | None = None
    split: str | None = None
    fields: FieldMap = field(default_factory=FieldMap)
    matcher: str = ""
    scale: Scale = field(default_factory=Scale)
    rates_exact: bool = False


class _Kind(NamedTuple):
    """`read` yields the records of a file, given the keys of the protocol's questions."""

    read: Callable[[ImportFile, Sequence[str]], Records]
    take: Callable[[Campaign, ImportFile, Records], Any]


KINDS: Mapping[str, _Kind] = {
    "questions": _Kind(
        lambda f, _: read_questions(f.path, format=f.format, name=f.name, split=f.split),
        lambda campaign, _, records: import_questions(campaign=campaign, records=records),
    ),
    "predictions": _Kind(
        lambda f, _: read_predictions(f.path, format=f.format, name=f.name),
        lambda campaign, f, records: import_predictions(
            campaign=campaign,
            system=f.system,
            overlap=f.overlap,
            rates_exact=f.rates_exact,
            records=records,
        ),
    ),
    "items": _Kind(
        lambda f, keys: read_items(
            f.path, format=f.format, question_keys=keys, name=f.name, fields=f.fields
        ),
        lambda campaign, _, rows: import_items(campaign=campaign, rows=rows),
    ),
    "ratings": _Kind(
        lambda f, keys: read_annotations(
            f.path, format=f.format, question_keys=keys, name=f.name, fields=f.fields
        ),
        lambda campaign, _, rows: import_ratings(campaign=campaign, rows=rows),
    ),
    "adjudications": _Kind(
        lambda f, keys: read_adjudications(
            f.path, format=f.format, question_keys=keys, name=f.name
        ),
        lambda campaign, _, rows: import_adjudications(campaign=campaign, rows=rows),
    ),
    "answers": _Kind(
        lambda f, _: read_answers(f.path, format=f.format, name=f.name),
        lambda campaign, _, rows: import_answers(campaign=campaign, rows=rows),
    ),
    "suggestions": _Kind(
        lambda f, _: read_suggestions(f.path, format=f.format, name=f.name),
        lambda campaign, f, rows: import_suggestions(
            campaign=campaign,
            matcher=f.matcher,
            version=f.scale.version(_digest(f)),
            rows=rows,
            scale=f.scale,
        ),
    ),
}
"""The kinds of files that can be handed in, with the functions that take them in."""

TELLING = frozenset({"ratings", "adjudications"})
"""Kinds whose import says whether a row equals what somebody judged before."""


def _digest(file: ImportFile) -> str:
    """Raises InputError for a file that cannot be read."""
    with InputFile.at(file.path, file.name).open():
        return digest_file(file.path)


def take_in(
    *,
    campaign: Campaign,
    kind: str,
    file: ImportFile,
    watched: Callable[[Records], Records] = lambda records: records,
) -> dict[str, Any]:
    """Import a file of one of the KINDS; what it brought, by name. `watched` sees its records pass.

    Raises InputError and ImportRefused; then nothing is stored.
    """
    keys = campaign.annotation_protocol.question_keys
    records = watched(Reread(lambda: KINDS[kind].read(file, keys)))
    return asdict(KINDS[kind].take(campaign, file, records))


@contextmanager
def on_disk(pieces: Iterable[bytes]) -> Iterator[Path]:
    """The sent body, as a file for the importers, which read files in pieces."""
    with NamedTemporaryFile(prefix="tomahto-upload-") as file:
        for piece in pieces:
            file.write(piece)
        file.flush()
        yield Path(file.name)
