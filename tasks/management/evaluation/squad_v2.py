"""manage.py evaluate squad_v2 DATA PREDICTIONS [--na-probs F] [--na-threshold X]"""

from argparse import ArgumentParser
from pathlib import Path

from measures.squad_v2 import UnscorableQuestion, squad_v2
from tasks.importers.records import InputError
from tasks.importers.squad_scoring import (
    read_no_answer_probabilities,
    read_squad_answers,
    read_squad_gold,
)
from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.options import finite_number


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("data", type=Path, help="SQuAD data, 1.1 or 2.0")
    parser.add_argument("predictions", type=Path, help="JSON object of question id and answer")
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
        help="what a question without a prediction is: an error, or an empty answer",
    )


def _work(options: Options) -> Result:
    na_probs = options["na_probs"]
    try:
        scores = squad_v2(
            read_squad_gold(options["data"]),
            read_squad_answers(options["predictions"]),
            na_probs=read_no_answer_probabilities(na_probs) if na_probs else None,
            na_threshold=options["na_threshold"],
            missing=options["missing"],
        )
    except UnscorableQuestion as error:
        file = options["data" if error.source == "questions" else error.source]
        hint = "; --missing empty takes it as empty" if error.source == "predictions" else ""
        raise InputError(error.problem + hint, file=str(file), field=error.question) from error
    return scores.as_json()


MEASURE = Measure(
    "The values of the official SQuAD 2.0 evaluation, to the last digit.", _arguments, _work
)
