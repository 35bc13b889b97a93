"""A file of candidates as tables, admitted by labels and by a matcher."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tomahto.conformal.answer_sets import CandidateTable
from tomahto.interchange.judgements.evaluation import QuestionCandidates, read_candidates
from tomahto.lab.report import MetricSignature
from tomahto.matching.admitted import admitted_answers
from tomahto.matching.registry import load_matcher
from tomahto.types import Flags


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
