"""manage.py evaluate squad_v1 DATA PREDICTIONS [--missing zero]"""

from argparse import ArgumentParser

from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.squad_v2 import add_squad_files, ignored_predictions, unscorable
from tomahto.interchange.judgements.squad_scoring import read_squad_answers, read_squad_gold
from tomahto.scoring.squad_v1 import squad_v1
from tomahto.scoring.squad_v2 import UnscorableQuestion


def _arguments(parser: ArgumentParser) -> None:
    add_squad_files(parser)
    parser.add_argument(
        "--missing",
        choices=["error", "zero"],
        default="error",
        help="treatment of questions without a prediction: an error, or 0 as in the official "
        "script",
    )


def _work(options: Options) -> Result:
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
    _arguments,
    _work,
)
