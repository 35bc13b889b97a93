"""manage.py evaluate agreement FILE --level nominal|ordinal|interval"""

from argparse import ArgumentParser
from pathlib import Path

from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.options import add_bootstrap
from tomahto.interchange.judgements.evaluation import read_unit_ratings
from tomahto.reliability.reliability_data import RowError, agreement_of_units


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="CSV with the columns unit, rater, value")
    parser.add_argument("--level", required=True, choices=["nominal", "ordinal", "interval"])
    add_bootstrap(parser)


def _work(options: Options) -> Result:
    ratings = list(read_unit_ratings(options["file"]))
    rows = ((rating.unit, rating.rater, rating.value) for rating in ratings)
    seed, replicates = options["seed"], options["replicates"]
    try:
        agreement = agreement_of_units(rows, options["level"], seed=seed, replicates=replicates)
    except RowError as error:
        raise ratings[error.row - 1].source.error(error.problem, error.field) from error
    return agreement.as_json()


AGREEMENT = Measure(
    "Compute Krippendorff's alpha of a table of ratings, with its interval.", _arguments, _work
)
