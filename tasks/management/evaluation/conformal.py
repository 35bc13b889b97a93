"""manage.py evaluate conformal FILE --targets 0.9,0.8"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path

from measures.conformal import CandidateTable
from measures.conformal_report import conformal_sets
from tasks.importers.evaluation import QuestionCandidates, read_candidates
from tasks.importers.records import InputError
from tasks.management.evaluation.measure import Measure, Options, Result
from tasks.management.evaluation.options import exact_shares, natural_number


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help='JSON lines of {"scores", "admissible", "fold"[, "approximate"]}',
    )
    parser.add_argument(
        "--targets", type=exact_shares, required=True, help="target accuracies, as in 0.9,0.8"
    )
    parser.add_argument(
        "--seed", type=natural_number, default=0, help="of the questions that judge the matcher"
    )


def _work(options: Options) -> Result:
    rows = list(read_candidates(options["file"]))
    calibration = [row for row in rows if row.fold == "calibration"]
    if not calibration:
        raise InputError("no line is calibration", file=str(options["file"]), field="fold")
    sets = conformal_sets(
        _admitted_by_labels(calibration),
        _admitted_by_labels([row for row in rows if row.fold == "test"]),
        options["targets"],
        approximate=_admitted_by_matcher(calibration),
        seed=options["seed"],
    )
    return {target: one.as_json() for target, one in sets.items()}


def _admitted_by_labels(rows: list[QuestionCandidates]) -> CandidateTable:
    return CandidateTable.of_rows([row.scores for row in rows], [row.admissible for row in rows])


def _admitted_by_matcher(rows: list[QuestionCandidates]) -> CandidateTable | None:
    admitted = [row.approximate for row in rows if row.approximate is not None]
    return CandidateTable.of_rows([row.scores for row in rows], admitted) if admitted else None


def _describe(result: Result) -> Iterable[str]:
    for target, sets in result.items():
        kinds = {"exact": sets, **sets.get("approximate", {})}
        for kind in ("exact", "raw", "corrected"):
            if kind in kinds:
                one = kinds[kind]
                values = f"mean set size {one['mean_set_size']}, accuracy {one['accuracy']}"
                yield f"target {target}, {kind} admission: {values} (n = {one['n']})"


MEASURE = Measure(
    "Answer sets that hold a right answer as often as the target says.",
    _arguments,
    _work,
    _describe,
)
