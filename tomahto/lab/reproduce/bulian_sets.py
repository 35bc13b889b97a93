"""Bulian et al. 2022, Tab. 8: the mean size of conformal answer sets of Luke's best answers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from tomahto.conformal.answer_sets import CandidateTable
from tomahto.conformal.trials import Calibrated, TrialPlan, conformal_trials
from tomahto.conformal.trials_report import set_figures
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.ae_files import METRICS, PLAIN, AeFiles, WeighedAnswers, needs
from tomahto.lab.reproduce.comparison import Cells
from tomahto.matching.admitted import admitted_answers
from tomahto.text.normalisation import exact_match

BEST = 20  # answers of each question (App. C)
TARGETS = {f"{percent}%": Fraction(percent, 100) for percent in (99, 95, 90, 80, 70)}

_NBEST = f"Luke's {BEST} best answers with their scores (nbest=FILE, as export_nbest writes it)"
_LABELS = (
    '"admissible" answers in nbest= that match no reference exactly'
    " (export_nbest --admissible labels)"
)


def sets_found(given: AeFiles) -> Cells:
    """Sizes over 50 random splits, 80 % for calibration (App. C). F1 and BEM admit from 0.5 in the
    calibration, corrected for how often they are wrong by the labels."""
    for row, sizes in _rows(given).items():
        for column, target in TARGETS.items():
            size = undefined(sizes, n=0) if isinstance(sizes, str) else sizes[target]
            yield ("tab8", row, column), size


def _rows(given: AeFiles) -> Mapping[str, Mapping[Fraction, Estimate] | str]:
    if given.nbest is None:
        return dict.fromkeys(("SQuAD labels", "+ AE labels", "F1", "BEM"), needs(_NBEST))
    seed = given.bootstrap.seed
    matched = [
        [exact_match(answer, one.ranked.references) for answer in one.ranked.answers]
        for one in given.nbest
    ]
    labelled = [
        [a or b for a, b in zip(exact, one.is_right, strict=True)]
        for exact, one in zip(matched, given.nbest, strict=True)
    ]
    has_labels = labelled != matched
    return {
        "SQuAD labels": _sizes(given.nbest, matched, seed),
        "+ AE labels": _sizes(given.nbest, labelled, seed) if has_labels else needs(_LABELS),
        **{
            row: _by_matcher(given, row, labelled) if has_labels else needs(_LABELS)
            for row in ("F1", "BEM")
        },
    }


def _by_matcher(
    given: AeFiles, row: str, labelled: Sequence[Sequence[bool]]
) -> Mapping[Fraction, Estimate] | str:
    matcher, asked = given.matchers.get(METRICS[row]), given.nbest or ()
    if matcher is None:
        return needs(f"--matcher {METRICS[row]}")
    admitted = admitted_answers(matcher, [one.ranked for one in asked], threshold=PLAIN)
    return _sizes(asked, labelled, given.bootstrap.seed, admitted)


def _sizes(
    asked: Sequence[WeighedAnswers],
    labelled: Sequence[Sequence[bool]],
    seed: int,
    admitted: Sequence[Sequence[bool]] | None = None,
) -> Mapping[Fraction, Estimate] | str:
    """The mean size at each target, or why there is none."""
    scores = [one.nonconformity for one in asked]
    exact = CandidateTable.of_rows(scores, labelled).of_best(BEST)
    approximate = None if admitted is None else CandidateTable.of_rows(scores, admitted)
    kind: Calibrated = "exact" if approximate is None else "corrected"
    try:
        trials = conformal_trials(
            exact,
            list(TARGETS.values()),
            TrialPlan(seed=seed),
            approximate=approximate.of_best(BEST) if approximate else None,
        )
    except ValueError as error:
        return f"nbest=: {error}"
    return {figures.target: figures.size for figures in set_figures(trials, kind)}
