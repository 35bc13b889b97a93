"""Predictions that are handed in to a leaderboard, from the bytes of a file."""

from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from tomahto.interchange.campaigns.predictions import read_predictions
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.table import format_names
from tomahto.text.plain_name import plain_name

FORMATS = format_names("predictions")


@dataclass(frozen=True, slots=True)
class SubmittedPredictions:
    """The predictions for the questions that are asked, by question id.

    `passed_over` counts those of the file for other questions: a file may be of the whole data set.
    """

    asked: dict[str, str]
    passed_over: int


def read_submission(
    content: bytes,
    *,
    name: str,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    known: Set[str],
) -> SubmittedPredictions:
    """Predictions in any format that predictions are imported from.

    `known` are the questions that are asked. Raises InputError with file, line and field at the
    first thing that is wrong, and for a file without a prediction for any of them.
    """
    spelled = {plain_name(key): key for key in known}  # older releases have ids as they came
    asked: dict[str, str] = {}
    other: str | None = None
    passed_over = 0
    with NamedTemporaryFile(prefix="tomahto-submission-") as file:
        file.write(content)
        file.flush()
        path = Path(file.name)
        for record in read_predictions(path, format=format, name=name):
            if (key := spelled.get(record.question_key)) is not None:
                asked[key] = record.candidate
            else:
                other = other or record.question_key
                passed_over += 1
        if not asked:
            raise InputFile.at(path, name).error(_nothing_asked(other, known))
    return SubmittedPredictions(asked, passed_over)


def _nothing_asked(other: str | None, known: Set[str]) -> str:
    if other is None:
        return "holds no prediction"
    example = f", such as {min(known)!r:.80}" if known else ""
    return f"question {other!r:.80} and all others are not among those asked{example}"
