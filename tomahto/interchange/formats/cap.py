"""The two datasets of CAP, as they are published and as releases write them
(`tomahto.releases.formats.cap`), read as items."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from tomahto.interchange.campaigns.items import item_of
from tomahto.interchange.reading.records import MAX_NAME, MAX_TEXT, ItemRow
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_rows
from tomahto.interchange.table import FileToRead, ImportFormat
from tomahto.releases.formats.cap import (
    CANDIDATE_ANSWER,
    CORRECTNESS_LABEL,
    GOLD_ANSWER,
    OTHER_GOLD_ANSWERS,
    SYNTHETIC_LABEL,
)
from tomahto.text.normalisation import parted_names, plain_name


def _correctness(row: Row) -> Row:
    """An answer that was written for a class: the `synthetic_label`, or, on lines that are neither
    of a release nor a system's, the published `correctness_label`. The corpus, if it is named, is
    the document."""
    others = row.texts(OTHER_GOLD_ANSWERS) if row.field_of(OTHER_GOLD_ANSWERS) else []
    systems = cap_systems(row)
    is_peoples = is_of_release(row) or systems
    synthetic = row.field_of(SYNTHETIC_LABEL, *(() if is_peoples else (CORRECTNESS_LABEL,)))
    return _renamed(
        row,
        {
            "references": GOLD_ANSWER,
            "candidate": CANDIDATE_ANSWER,
            "intended": synthetic or "",
            "systems": "system",
        },
        references=[row.text(GOLD_ANSWER), *others],
        document=row.values.get(row.field_of("document", "source") or ""),
        systems=systems or row.values.get("systems"),
        system=None,
    )


def is_of_release(row: Row) -> bool:
    """Whether a line laid out as CAP-Correctness is a release's: its `correctness_label` is then
    people's. Such lines have the other references even where there are none."""
    return row.field_of(OTHER_GOLD_ANSWERS) is not None


def cap_systems(row: Row) -> list[str]:
    """Those that gave the answer; none where it was written for a class. A line of a release may
    name several in one text."""
    system = row.optional_text("system", limit=MAX_TEXT if is_of_release(row) else MAX_NAME)
    names = parted_names(system) if is_of_release(row) else [system]
    return [name for name in map(plain_name, names) if name]


def _statement(row: Row) -> Row:
    """A statement, with its subject and type of question as what it was meant to be."""
    subject, kind = row.optional_text("subject"), row.optional_text("question_type")
    places = {"references": "answer", "candidate": "statement", "intended": "subject"}
    return _renamed(row, places, intended=f"{subject}/{kind}" if subject else "")


def _renamed(row: Row, places: Mapping[str, str], **values: object) -> Row:
    """The row with our fields where the file has others, those of `values` as they are there."""
    found = {name: row.values.get(place) for name, place in places.items()}
    return row._replace(values={**row.values, **found, **values}, file_names=places)


def _items(of: Callable[[Row], Row]) -> Callable[[FileToRead], Iterator[ItemRow]]:
    return lambda file: (item_of(of(row)) for row in json_rows(file.file))


FORMATS: Final = (
    ImportFormat(
        name="cap-correctness",
        title="CAP-Correctness",
        place=5,
        line_fields=frozenset({"question", GOLD_ANSWER, CANDIDATE_ANSWER}),
        readers={"items": _items(_correctness)},
    ),
    ImportFormat(
        name="cap-statements",
        title="CAP-Statements",
        place=6,
        line_fields=frozenset({"question", "answer", "statement"}),
        readers={"items": _items(_statement)},
    ),
)
