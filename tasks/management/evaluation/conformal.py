"""manage.py evaluate conformal FILE --targets 0.9,0.8 [--trials N]"""

from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tasks.management.evaluation.options import (
    Measure,
    Options,
    Result,
    SectionResult,
    add_out_option,
    exact_shares,
    finite_number,
    matcher_argument,
    naming,
    natural_number,
    percentage,
    positive_number,
)
from tomahto.conformal.answer_sets import CandidateTable, conformal_sets
from tomahto.conformal.trials import TrialPlan, conformal_trials, trials_as_json
from tomahto.interchange.judgements.evaluation import QuestionCandidates, read_candidates
from tomahto.interchange.reading.records import InputError
from tomahto.lab.answer_sets import CURVE_TARGETS, TABLE_8_TARGETS, answer_sets_section
from tomahto.lab.report import MetricSignature
from tomahto.matching.registry import load_matcher
from tomahto.matching.scores import admitted_answers
from tomahto.types import Flags


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "file",
        type=Path,
        help='JSON lines of {"scores", "admissible", "fold"[, "approximate"]}',
    )
    parser.add_argument("--targets", type=exact_shares, help="target accuracies, as in 0.9,0.8")
    parser.add_argument("--curve", action="store_true", help="all targets from 0.50 to 0.99")
    parser.add_argument(
        "--trials",
        type=positive_number,
        metavar="N",
        help="split the questions N times at random, ignoring their folds (the paper: 50)",
    )
    parser.add_argument(
        "--calibration",
        type=percentage,
        metavar="PERCENT",
        help="with --trials: questions that calibrate; default 80",
    )
    parser.add_argument(
        "--seed",
        type=natural_number,
        default=0,
        help="of the splits, and of the questions that judge the matcher; default 0",
    )
    parser.add_argument(
        "--candidates",
        type=positive_number,
        metavar="N",
        help="only the N best candidates of each question (the paper: 20); default all",
    )
    parser.add_argument(
        "--drop-unanswerable",
        action="store_true",
        help="leave out questions without an admissible answer; else they count as infinite",
    )
    parser.add_argument(
        "--approximate-matcher",
        type=matcher_argument,
        metavar="NAME",
        help='let this matcher admit answers, instead of the file\'s "approximate"; lines then '
        'need "question", "references" and "answers", as export_nbest writes them',
    )
    parser.add_argument(
        "--threshold", type=finite_number, help="threshold of that matcher; default its own"
    )
    add_out_option(parser)


def _work(options: Options) -> Result:
    targets = _targets(options)
    if options["threshold"] is not None and not options["approximate_matcher"]:
        raise ValueError("--threshold requires --approximate-matcher")
    if options["out"] is not None and not options["trials"]:
        raise ValueError("--out requires --trials")
    if options["calibration"] is not None and not options["trials"]:
        raise ValueError("--calibration requires --trials")
    read = read_admitted(
        options["file"],
        with_folds=not options["trials"],
        matcher=options["approximate_matcher"],
        threshold=options["threshold"],
    )
    if options["candidates"]:
        read = read.of_best(options["candidates"])
    run = _tried if options["trials"] else _split_once
    with naming(options["file"], ValueError):
        return run(read, targets, options)


def _targets(options: Options) -> dict[str, Fraction]:
    """By name: those that were asked for, and for a curve those that are missing."""
    targets: dict[str, Fraction] = dict(options["targets"] or {})
    if not targets and not options["curve"]:
        raise ValueError("give --targets, --curve or both")
    missing = [target for target in CURVE_TARGETS if target not in targets.values()]
    return targets | {f"{float(t):.2f}": t for t in missing if options["curve"]}


class AdmittedCandidates(NamedTuple):
    """Questions with their candidates, by label and by matcher.

    `is_calibration` and `is_test` (Q,) are their folds. `matcher` says who admitted, if it was done
    here, and `dropped` how many questions without an admissible candidate were left out.
    """

    exact: CandidateTable
    approximate: CandidateTable | None
    is_calibration: Flags
    is_test: Flags
    matcher: MetricSignature | None = None
    dropped: int = 0

    def without_unanswerable(self) -> "AdmittedCandidates":
        kept: Flags = np.isfinite(self.exact.smallest_admissible)
        return self._replace(
            exact=self.exact.of_questions(kept),
            approximate=self.approximate.of_questions(kept) if self.approximate else None,
            is_calibration=self.is_calibration[kept],
            is_test=self.is_test[kept],
            dropped=int((~kept).sum()),
        )

    def of_best(self, count: int) -> "AdmittedCandidates":
        """With the `count` candidates of least nonconformity of every question."""
        approximate = self.approximate.of_best(count) if self.approximate else None
        return self._replace(exact=self.exact.of_best(count), approximate=approximate)

    @property
    def matcher_as_json(self) -> dict[str, Any]:
        return {"matcher": asdict(self.matcher)} if self.matcher else {}


def _split_once(
    read: AdmittedCandidates, targets: Mapping[str, Fraction], options: Options
) -> Result:
    """By the folds of the file."""
    if options["drop_unanswerable"]:
        read = read.without_unanswerable()
    if not read.is_calibration.any():
        raise InputError("no line is calibration", file=str(options["file"]), field="fold")
    by_matcher = read.approximate
    sets = conformal_sets(
        read.exact.of_questions(read.is_calibration),
        read.exact.of_questions(read.is_test),
        targets,
        approximate=by_matcher.of_questions(read.is_calibration) if by_matcher else None,
        seed=options["seed"],
    )
    dropped = {"dropped": read.dropped} if options["drop_unanswerable"] else {}
    return {
        target: {**one.as_json(), **dropped, **read.matcher_as_json} for target, one in sets.items()
    }


def _tried(read: AdmittedCandidates, targets: Mapping[str, Fraction], options: Options) -> Result:
    """By many random splits."""
    share = Fraction(80 if options["calibration"] is None else options["calibration"], 100)
    trials = conformal_trials(
        read.exact,
        list(targets.values()),
        TrialPlan(options["trials"], share, options["seed"]),
        approximate=read.approximate,
        drop_unanswerable=options["drop_unanswerable"],
    )
    section = answer_sets_section(
        trials,
        targets=[*(options["targets"] or {}).values()] or TABLE_8_TARGETS,
        source=options["file"].name,
        matcher=read.matcher,
    )
    return SectionResult({**trials_as_json(trials, list(targets)), **read.matcher_as_json}, section)


def _describe(result: Result) -> Iterable[str]:
    for target, sets in result.items():
        kinds = {"exact": sets, **sets.get("approximate", {})}
        for kind in ("exact", "raw", "corrected"):
            if kind in kinds:
                one = kinds[kind]
                values = f"mean set size {one['mean_set_size']}, accuracy {one['accuracy']}"
                yield f"target {target}, {kind} admission: {values} (n = {one['n']})"


CONFORMAL = Measure(
    "Build answer sets that contain a right answer as often as the target says.",
    _arguments,
    _work,
    _describe,
)


def read_admitted(
    path: Path, *, with_folds: bool, matcher: str | None, threshold: float | None
) -> AdmittedCandidates:
    """The file's candidates. A named matcher admits instead of the file, from its own threshold if
    `threshold` is None. Raises InputError, and what loading a matcher raises."""
    rows = list(read_candidates(path, with_folds=with_folds, with_texts=matcher is not None))
    admitted = [row.approximate or [] for row in rows]
    has_matcher, signature = any(row.approximate is not None for row in rows), None
    if matcher:
        admitted, signature = _admitted(rows, matcher, threshold)
        has_matcher = True
    scores = [row.scores for row in rows]
    folds = np.array([row.fold or "" for row in rows])
    return AdmittedCandidates(
        CandidateTable.of_rows(scores, [row.admissible for row in rows]),
        CandidateTable.of_rows(scores, admitted) if has_matcher else None,
        folds == "calibration",
        folds == "test",
        signature,
    )


def _admitted(
    rows: Sequence[QuestionCandidates], name: str, threshold: float | None
) -> tuple[list[list[bool]], MetricSignature]:
    matcher = load_matcher(name)
    least = matcher.threshold if threshold is None else threshold
    texts = [row.texts for row in rows if row.texts]
    admitted = admitted_answers(matcher, texts, threshold=least)
    return admitted, MetricSignature(matcher.name, matcher.version, least)
