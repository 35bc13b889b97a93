"""Scores of answers as other programs ask for them: one at a time, or row by row."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tomahto.matching.interface import Pair
from tomahto.matching.registry import available_matchers, load_matcher

DEFAULT = "feather"
ADDED = ("score", "accepted")


class Score(NamedTuple):
    """How well a candidate answers as its references do.

    `value` is from 0 (wrong) to 1 (as good as a reference); `accepted` says whether it reaches the
    matcher's threshold. `version` changes whenever the same texts could get another value.
    """

    value: float
    accepted: bool
    matcher: str
    version: str


def score(
    question: str,
    references: Sequence[str],
    candidate: str,
    *,
    context: str = "",
    matcher: str = DEFAULT,
) -> Score:
    """The score of a candidate; the best of its references counts.

    Raises ValueError for wrong texts and UnknownMatcherError (a ValueError) for a name that is no
    matcher's; see `tomahto.matching.registry.load_matcher` for what a matcher may lack.
    """
    pair = _pair({"question": question, "references": references, "candidate": candidate}, context)
    chosen = load_matcher(matcher)
    (value,) = chosen.score([pair])
    return Score(value, value >= chosen.threshold, chosen.name, chosen.version)


def score_pairs(
    rows: Iterable[Mapping[str, Any]], *, matcher: str = DEFAULT
) -> list[dict[str, Any]]:
    """The rows again, in order, each with `score` and `accepted` added.

    A row has `question`, `references` (a list of texts), `candidate` and perhaps `context`; its
    other fields stay as they are. Raises ValueError naming the row, counted from 1, and the field
    for a row that lacks one, or that has a field which would be added.
    """
    chosen, given = load_matcher(matcher), list(rows)
    pairs = [_checked(number, row) for number, row in enumerate(given, start=1)]
    return [
        {**row, "score": value, "accepted": value >= chosen.threshold}
        for row, value in zip(given, chosen.score(pairs), strict=True)
    ]


def matchers() -> tuple[str, ...]:
    """The names of the matchers that can be used here."""
    return available_matchers()


def _checked(number: int, row: Mapping[str, Any]) -> Pair:
    if not isinstance(row, Mapping):
        raise ValueError(f"row {number}: must be a mapping, not {row!r:.40}")  # noqa: TRY004 - one kind of error
    taken = next((name for name in ADDED if name in row), None)
    if taken:
        raise ValueError(f"row {number}, field {taken}: already exists")
    try:
        return _pair(row, row.get("context", ""))
    except ValueError as error:
        raise ValueError(f"row {number}, field {error}") from None


def _pair(row: Mapping[str, Any], context: object) -> Pair:
    """Raises ValueError, the message beginning with the field's name."""
    for name in ("question", "references", "candidate"):
        if row.get(name) is None:
            raise ValueError(f"{name}: is missing")
    references = row.get("references")
    if isinstance(references, str) or not isinstance(references, Sequence) or not references:
        raise ValueError("references: must be a list of at least one text")
    texts = {"question": row.get("question"), "candidate": row.get("candidate"), "context": context}
    for name, text in (*texts.items(), *(("references", text) for text in references)):
        if not isinstance(text, str):
            raise ValueError(f"{name}: must be a text, not {text!r:.40}")  # noqa: TRY004 - one kind of error
    return Pair(row["question"], str(context), tuple(references), row["candidate"])
