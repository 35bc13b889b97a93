"""The public AE files (Bulian 2022, data release): one rating of one item per line.

A release writes them by `tomahto.releases.formats.ae`.
"""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Final

from tomahto.interchange.reading.records import MAX_CONTEXT, MAX_KEYS, ItemRow, RatingRow
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import json_rows
from tomahto.interchange.table import FileToRead, ImportFormat
from tomahto.releases.formats.ae import NOT_ASKED, QUESTION_FIELDS

_ANSWERS: Final = {"yes": True, "no": False, NOT_ASKED: None}
_NOT_EQUIVALENT: Final = "not-equivalent"


def _ratings(file: FileToRead) -> Iterator[RatingRow]:
    """The n-th rating of an item is by the rater ae-n."""
    if tuple(file.question_keys) != tuple(QUESTION_FIELDS):
        message = "is in the format ae, but the protocol does not ask q1, q2, q3 and q4"
        raise file.file.error(message)
    counter = _RatingCounter()
    return (_rating(row, counter) for row in json_rows(file.file))


def _rating(row: Row, counter: "_RatingCounter") -> RatingRow:
    item = _item(row)
    rater = f"ae-{counter.number(item)}"
    answers = ae_answers(row)
    return RatingRow(row.source, item, None, rater, _bare_label(row, answers), answers)


def _bare_label(row: Row, answers: Mapping[str, bool | None]) -> str | None:
    """That of a rating without any answer, as `is_equivalent` reads it; None for any other.

    Raises InputError where the line says that the item's ratings are all equivalent, as a release
    of 0.1.0 may, which answers nothing for a label alone.
    """
    if any(answer is not None for answer in answers.values()):
        return None
    if row.optional_number("score", 1.0) == 1.0:
        message = "says equivalent of a rating without answers; import the release's jsonl/ratings"
        raise row.error(message, "score")
    return _NOT_EQUIVALENT


def _item(row: Row) -> ItemRow:
    """The 4-tuple that was rated; `gold_index` is its reference's place among the question's."""
    return ItemRow(
        source=row.source,
        id=None,
        question_key=row.optional_name("qid"),
        document=None,
        question=row.text("question"),
        context=row.optional_text("context", limit=MAX_CONTEXT),
        references=(row.text("reference"),),
        candidate=row.text_or_empty("candidate"),
        systems=(),
        reference_index=row.optional_position("gold_index"),
    )


def ae_answers(row: Row) -> dict[str, bool | None]:
    """The answers to q1…q4; None for a question that was not asked."""
    answers = {}
    for key, field in QUESTION_FIELDS.items():
        answer = row.text(field)
        if answer not in _ANSWERS:
            raise row.error(f"must be yes, no or undefined, not {answer!r:.40}", field)
        answers[key] = _ANSWERS[answer]
    return answers


def is_equivalent(answers: Mapping[str, bool | None]) -> bool:
    """Not completely different, and as good as the reference (Bulian et al. 2022, §3.4). A rating
    without any answer is of a label alone, which is not equivalent: `ae_format` answers Q1 and Q2
    for one that is."""
    return answers["q1"] is False and answers["q2"] is True


class _RatingCounter:
    """Numbers the ratings of each item from 1. AE files do not say who rated.

    Two lines with the same number need not be by the same person: the names it leads to tell the
    ratings of one item apart, no more.
    """

    def __init__(self) -> None:
        self._counts: dict[bytes, int] = {}  # by digest: contexts are long

    def number(self, item: ItemRow) -> int:
        """The place of this rating among those of the same 4-tuple, in file order."""
        texts = (item.question, item.context, *item.references, item.candidate)
        # No text holds a NUL, so the joint text belongs to one 4-tuple only.
        digest = blake2b("\0".join(texts).encode(), digest_size=16).digest()
        count = self._counts.get(digest, 0) + 1
        if len(self._counts) == MAX_KEYS and count == 1:
            raise item.source.error(f"is one item too many: {MAX_KEYS:,} are read; split the file")
        self._counts[digest] = count
        return count


FORMATS: Final = (
    ImportFormat(
        name="ae",
        title="AE",
        place=0,
        line_fields=frozenset({"qid", "question", "reference", "candidate", QUESTION_FIELDS["q1"]}),
        readers={
            # a line per rating: the items repeat
            "items": lambda file: map(_item, json_rows(file.file)),
            "ratings": _ratings,
        },
    ),
)
