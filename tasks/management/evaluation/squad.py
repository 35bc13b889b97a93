"""The official SQuAD evaluations, to the last digit.

manage.py evaluate squad_v2 DATA PREDICTIONS [--na-probs F] [--na-threshold X]
manage.py evaluate squad_v1 DATA PREDICTIONS [--missing zero]
"""

from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path

from tasks.management.evaluation.options import Measure, Options, Result, finite_number
from tomahto.interchange.judgements.squad import (
    SquadAnswers,
    read_no_answer_probabilities,
    read_squad_answers,
    read_squad_gold,
)
from tomahto.interchange.reading.records import InputError
from tomahto.scoring.squad import (
    MissingPredictions,
    SquadV2,
    UnscorableQuestion,
    squad_v1,
    squad_v2,
)

_LISTS = 'a list of {"id", "prediction_text"[, "no_answer_probability"]}'


def add_squad_files(parser: ArgumentParser) -> None:
    """The data and the predictions that both versions of SQuAD are scored from."""
    parser.add_argument(
        "data", type=Path, help='SQuAD data, 1.1 or 2.0, or a list of {"id", "answers"}'
    )
    parser.add_argument(
        "predictions", type=Path, help=f"JSON object of question id and answer, or {_LISTS}"
    )


def unscorable(error: UnscorableQuestion, files: Mapping[str, Path], hint: str) -> InputError:
    """The error with the file that it is about; `hint` says what to do about a prediction that is
    missing."""
    message = error.problem + (f"; {hint}" if error.source == "predictions" else "")
    return InputError(message, file=str(files[error.source]), field=error.question)


def _v2_arguments(parser: ArgumentParser) -> None:
    add_squad_files(parser)
    parser.add_argument(
        "--na-probs", type=Path, help="JSON object of question id and no-answer probability"
    )
    parser.add_argument(
        "--na-threshold",
        type=finite_number,
        default=1.0,
        metavar="X",
        help="a higher no-answer probability counts as no answer; default 1.0",
    )
    parser.add_argument(
        "--missing",
        choices=["error", "empty"],
        default="error",
        help="treatment of questions without a prediction: an error, or an empty answer",
    )


def _v2_work(options: Options) -> Result:
    scored = score_files(
        options["data"],
        options["predictions"],
        options["na_probs"],
        na_threshold=options["na_threshold"],
        missing=options["missing"],
    )
    return {**scored.as_json(), **ignored_predictions(scored.ignored)}


def ignored_predictions(ignored: int) -> Mapping[str, int]:
    """The values beside the official ones if a file answers other questions as well."""
    return {"predictions_ignored": ignored} if ignored else {}


def score_files(
    data: Path,
    predictions: Path,
    na_probs: Path | None,
    *,
    na_threshold: float = 1.0,
    missing: MissingPredictions = "error",
) -> SquadV2:
    answers = read_squad_answers(predictions)
    try:
        return squad_v2(
            read_squad_gold(data),
            answers.texts,
            na_probs=_probabilities(answers, predictions, na_probs),
            na_threshold=na_threshold,
            missing=missing,
        )
    except UnscorableQuestion as error:
        files = {"questions": data, "predictions": predictions, "na_probs": na_probs or predictions}
        raise unscorable(error, files, "--missing empty takes it as empty") from error


def _probabilities(
    answers: SquadAnswers, predictions: Path, na_probs: Path | None
) -> Mapping[str, float] | None:
    if na_probs is None:
        return answers.na_probs
    if answers.na_probs is not None:
        message = "already has no-answer probabilities; give them once"
        raise InputError(message, file=str(predictions))
    return read_no_answer_probabilities(na_probs)


SQUAD_V2 = Measure(
    "Compute the values of the official SQuAD 2.0 evaluation, to the last digit.",
    _v2_arguments,
    _v2_work,
)


def _v1_arguments(parser: ArgumentParser) -> None:
    add_squad_files(parser)
    parser.add_argument(
        "--missing",
        choices=["error", "zero"],
        default="error",
        help="treatment of questions without a prediction: an error, or 0 as in the official "
        "script",
    )


def _v1_work(options: Options) -> Result:
    data, predictions = options["data"], options["predictions"]
    answers = read_squad_answers(predictions)
    try:
        scores = squad_v1(read_squad_gold(data), answers.texts, missing=options["missing"])
    except UnscorableQuestion as error:
        files = {"questions": data, "predictions": predictions}
        raise unscorable(error, files, "--missing zero gives it nothing") from error
    return {**scores.as_json(), **ignored_predictions(scores.ignored)}


SQUAD_V1 = Measure(
    "Compute the two values of the official SQuAD 1.1 evaluation, to the last digit.",
    _v1_arguments,
    _v1_work,
)
