"""Predictions that are handed in to a leaderboard, from the bytes of a file."""

from collections.abc import Set
from pathlib import Path
from tempfile import NamedTemporaryFile

from tasks.importers.input_file import InputFile
from tasks.importers.predictions import read_predictions

FORMATS = ("squad", "jsonl", "csv")


def read_submission(
    content: bytes,
    *,
    name: str,
    format: str | None,  # noqa: A002 -- the word that commands and forms use
    known: Set[str],
) -> dict[str, str]:
    """Predictions by question id, in any format that predictions are imported from.

    `known` are the questions that are asked. Raises InputError with file, line and field at the
    first thing that is wrong, and for a file without a prediction.
    """
    predictions: dict[str, str] = {}
    with NamedTemporaryFile(prefix="tomahto-submission-") as file:
        file.write(content)
        file.flush()
        path = Path(file.name)
        for record in read_predictions(path, format=format, name=name):
            if record.question_key not in known:
                message = f"question {record.question_key!r:.80} is not in the benchmark"
                raise record.source.error(message, "id")
            predictions[record.question_key] = record.candidate
        if not predictions:
            raise InputFile.at(path, name).error("holds no prediction")
    return predictions
