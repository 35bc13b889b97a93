"""The ratings of a public AE file, item by item."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tasks.protocols import ae
from tasks.protocols.definition import AnswersError
from tomahto.interchange.campaigns.ratings import read_ratings
from tomahto.interchange.formats.ae import QUESTION_FIELDS
from tomahto.interchange.judgements.published import read_scores
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import InputError, RatingRow
from tomahto.interchange.reading.rows import json_rows
from tomahto.lab.reproduce.ae_files import RatedPair, RatedPairs


@dataclass
class _Counted:
    """The scores of an AE-example's first line, and its ratings so far."""

    scores: Mapping[str, float]
    ratings: list[bool] = field(default_factory=list)


def read_rated_pairs(path: Path) -> RatedPairs:
    """The AE-examples of a file; its lines may have "scores" by metric. Raises InputError."""
    found: dict[tuple[str, ...], _Counted] = {}
    ratings = read_ratings(path, format="ae", question_keys=ae.PROTOCOL.question_keys)
    for rating, row in zip(ratings, json_rows(InputFile.at(path)), strict=True):
        label, item = _label(rating), rating.item
        assert item is not None  # noqa: S101 - a line of an AE file describes its item
        if item.question_key is None:
            raise rating.source.error("is missing", "qid")
        key = (item.question_key, item.question, item.context, *item.references, item.candidate)
        if key not in found:
            found[key] = _Counted(read_scores(row))
        found[key].ratings.append(label == "equivalent")
    if not found:
        raise InputError("holds no line", file=str(path))
    return RatedPairs(tuple(_pair(key, counted) for key, counted in found.items()))


def _pair(key: tuple[str, ...], counted: _Counted) -> RatedPair:
    qid, question, context, reference, candidate = key
    return RatedPair(
        qid,
        question,
        context,
        reference,
        candidate,
        sum(counted.ratings),
        len(counted.ratings),
        counted.scores,
    )


def _label(rating: RatingRow) -> str:
    """Raises InputError."""
    if rating.label is not None:
        return rating.label
    try:
        return ae.PROTOCOL.outcome(rating.answers).label
    except AnswersError as error:
        raise rating.source.error(error.message, QUESTION_FIELDS[error.question]) from error
