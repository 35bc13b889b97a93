"""Records of the importers for intake, each with its place in the file, and the limits of files."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from json.encoder import encode_basestring
from typing import Any, Final

from tomahto.votes.remarks import Remarks

MEBIBYTE: Final = 2**20

# A context of full length, escaped as \uXXXX, takes six bytes a character and still fits.
MAX_RECORD_SIZE: Final = 8 * MEBIBYTE  # one line (bytes), one CSV record or JSON value (characters)
MAX_DOCUMENT_BYTES: Final = 1024 * MEBIBYTE  # a whole JSON document; lines may go on for ever
MAX_DEPTH: Final = 64  # brackets open at once
MAX_VALUES: Final = 500_000  # values in one record: small ones take ten times their text in memory
MAX_NUMBER_LENGTH: Final = 100  # characters; reading an integer takes quadratic time
MAX_KEYS: Final = 1_000_000  # names that must be distinct within one file

MAX_CONTEXT: Final = 1_000_000  # characters, like all below
MAX_TEXT: Final = 20_000  # question, reference, candidate, comment
MAX_TYPE: Final = 60  # characters of a type of question
MAX_INTENDED: Final = 100  # characters of what a candidate was written as
MAX_SPLIT_NAME: Final = 40
MAX_NAME: Final = 255  # id, document, system, rater, label
MAX_LIST: Final = 10_000  # entries of one list: references, systems, questions of a paragraph
MAX_SECONDS: Final = 366 * 24 * 3600.0  # more than a year on one item is another unit
MAX_INDEX: Final = 32_767


class InputError(ValueError):
    """A wrong input, told in one line: file, line and field, then what is wrong."""

    def __init__(
        self, message: str, *, file: str, line: int | None = None, field: str | None = None
    ) -> None:
        self.message, self.file, self.line, self.field = message, file, line, field
        place = [file]
        if line is not None:
            place.append(f"line {line}")
        if field is not None:
            place.append(f"field {field}")
        super().__init__(f"{', '.join(place)}: {message}")


@dataclass(frozen=True, slots=True)
class Source:
    """The place of a record: the file's name as the user gave it, and the line (from 1)."""

    file: str
    line: int

    def error(self, message: str, field: str | None = None) -> InputError:
        return InputError(message, file=self.file, line=self.line, field=field)


def digest(*parts: str | Sequence[str]) -> str:
    """24 hexadecimal digits of SHA-256 over the parts as JSON without blanks."""
    return hashlib.sha256(_as_json(parts).encode()).hexdigest()[:24]


def _as_json(parts: Sequence[str | Sequence[str]]) -> str:
    # an encoder for lists is made anew each time
    written = (encode_basestring(p) if isinstance(p, str) else _as_json(p) for p in parts)
    return f"[{','.join(written)}]"


@dataclass(frozen=True)  # without slots, to keep what is made of its texts
class QuestionRecord:
    """A question with its references.

    Without any it is unanswerable, or, if the file does not say so, of no use (skipped).
    """

    source: Source
    key: str | None  # the file's id of the question, None if it has none
    document: str | None
    text: str
    context: str
    references: tuple[str, ...]  # distinct, in file order
    answer_starts: tuple[int | None, ...]  # character offsets in the context, one per reference
    question_type: str = ""  # a kind of question that results are reported by (CAP Tab. 15)
    split: str = ""  # the split that the source has the question in
    is_unanswerable: bool = False  # the right answer is to give none

    @cached_property
    def fingerprint(self) -> str:
        """The same for two questions of a document that no file names if they are the same."""
        return digest(self.text, self.context)

    @cached_property
    def own_document(self) -> str:
        """A passage without a named document is a document of its own."""
        return unnamed_document(self.text, self.context)


def unnamed_document(text: str, context: str) -> str:
    return "d-" + digest(context or text)


@dataclass(frozen=True, slots=True)
class PredictionRecord:
    """A system's answer to a question, and what else the system said of it.

    `score` is its confidence, comparable with its other answers'; `alternatives` are the next best
    texts with theirs, best first; `provenance` is a JSON object that says how the text came about.
    """

    source: Source
    question_key: str
    candidate: str
    score: float | None = None
    alternatives: tuple[tuple[str, float], ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """A system's answer and how it was settled: exact, rated or not-rated; `items` are how many of
    its items have ratings. The context of the question is "" where the row leaves it to items."""

    source: Source
    question: QuestionRecord
    system: str
    candidate: str
    settled: str
    items: int


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """An answer to an item: a label, the protocol's own answers, or both.

    `answers` holds what the file says under the protocol's question keys, as read: booleans,
    strings, or None for a question that was not asked. The protocol judges them later.
    """

    label: str | None
    answers: Mapping[str, bool | str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One item, or for `ae` as many items as it has references. May be named by `id` alone.

    `purpose` is live, calibration or control. A live item has no `expected` answer, the others do.
    """

    source: Source
    id: str | None
    question_key: str | None
    document: str | None
    question: str
    context: str
    references: tuple[str, ...]
    candidate: str
    systems: tuple[str, ...]
    reference_index: int | None = None
    question_type: str = ""
    split: str = ""
    purpose: str = "live"
    expected: GivenAnswer | None = None
    explanation: str = ""
    intended: str = ""  # the class that a generated candidate was written for, if it was
    unrated_references: tuple[str, ...] = ()  # further ones of the question, of no item


@dataclass(frozen=True, slots=True)
class RatingRow(Remarks):
    """One rating. `item` is None when the row names its item by `item_id` only.

    `label` and `answers` are as in `GivenAnswer`; `counted` is None where the file does not say.
    """

    source: Source
    item: ItemRow | None
    item_id: str | None
    rater: str
    label: str | None
    answers: Mapping[str, bool | str | None] = field(default_factory=dict)
    seconds: float | None = None
    rated_at: datetime | None = None
    counted: bool | None = None


@dataclass(frozen=True, slots=True)
class SkippedAnnotation:
    """An annotation of another tool that is no rating; `id` is that of its task."""

    source: Source
    id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class SuggestionRow:
    """An outside matcher's score for an item, on its own scale. `item` is None when the row names
    its item by `item_id` only; `accepted` is None where the score decides."""

    source: Source
    item: ItemRow | None
    item_id: str | None
    score: float
    accepted: bool | None = None
    explanation: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class AdjudicationRow:
    """One adjudicator's decision on an item; `first_label` is that of a blind first look."""

    source: Source
    item_id: str
    adjudicator: str
    decision: GivenAnswer
    first_label: str | None = None
    reason: str = ""


class DistinctKeys:
    """Remembers where each name stood. `what` and `field` say in an error what is being named."""

    def __init__(self, what: str, field: str | None = None) -> None:
        self._what, self._field = what, field
        self._lines: dict[str, int] = {}

    def add(self, key: str, source: Source) -> None:
        """Raises InputError at `source` if the name was there before, or there are too many."""
        if (first := self._lines.get(key)) is not None:
            raise source.error(f"{self._what} {key!r:.80} is also on line {first}", self._field)
        if len(self._lines) == MAX_KEYS:
            raise source.error(f"{self._what} is one too many: {MAX_KEYS:,} are read", self._field)
        self._lines[key] = source.line
