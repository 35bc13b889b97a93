"""Bulian et al. 2022 again, from the public AE files: sizes, agreement, shares judged equivalent,
and the size of conformal answer sets.

The paper's shares and accuracies count ratings where it does not say otherwise: 54.00 % of AE dev
(Tab. 4, EM) is a share of its 4,446 ratings, and of no number of its 2,734 AE-examples.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

from tomahto.conformal.answer_sets import CandidateTable
from tomahto.conformal.trials import Calibrated, TrialPlan, conformal_trials, set_figures
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.ae_files import (
    METRICS,
    PLAIN,
    SPLITS,
    SYSTEMS,
    AeFiles,
    Part,
    RatedPairs,
    WeighedAnswers,
    needs,
)
from tomahto.lab.reproduce.bulian_metrics import JudgedFiles, metrics_found
from tomahto.lab.reproduce.bulian_systems import systems_found
from tomahto.lab.reproduce.comparison import Cells, Found, counted
from tomahto.matching.scores import admitted_answers
from tomahto.reliability.statistics import full_agreement, pair_agreement_item_mean, published_alpha
from tomahto.text.normalisation import exact_match

_PER_ITEM = {"one rating": 1, "two ratings": 2, "three ratings": 3, "four ratings": 4}


def bulian_found(judged: JudgedFiles) -> Found:
    """Every figure of the paper, or which input it needs."""
    given = judged.given
    return {
        **dict(_sizes(given)),
        **dict(_ratings_of_dev(given)),
        **dict(_agreement(given)),
        **dict(_equivalent(given)),
        **metrics_found(judged),
        **systems_found(judged),
        **dict(sets_found(given)),
    }


def _sizes(given: AeFiles) -> Cells:
    """Tab. 2 and 10."""
    splits = {title: given.part(name) for name, title in SPLITS.items()}
    for column, part in {**splits, "Total": given.part(*SPLITS)}.items():
        yield ("tab2", "AE-examples", column), part.find(_examples)
        yield ("tab2", "Ratings", column), part.find(_ratings)
    systems = {title: given.part(name) for name, title in SYSTEMS.items()}
    for column, part in {**systems, "Total": _dev(given)}.items():
        yield ("tab10", "Non-exact matches", column), part.find(_candidates)
        yield ("tab10", "AE-examples", column), part.find(_examples)
        yield ("tab10", "Ratings", column), part.find(_ratings)


def _ratings_of_dev(given: AeFiles) -> Cells:
    """§3.5: how many AE-examples of SQuAD dev have how many ratings."""
    table, column, dev = "sec35", "SQuAD dev", _dev(given)
    yield (table, "Ratings", column), dev.find(_ratings)
    yield (table, "AE-examples", column), dev.find(_examples)
    yield (table, "Ties", column), dev.find(_ties)
    for words, ratings in _PER_ITEM.items():
        yield (table, f"AE-examples with {words}", column), dev.find(partial(_rated, ratings))


def _agreement(given: AeFiles) -> Cells:
    """§3.5, on SQuAD dev; the shares of equivalent ratings are of all splits and of train."""
    dev, bootstrap = _dev(given), given.bootstrap
    ratings = partial(RatedPairs.equivalent_ratings, bootstrap=bootstrap)
    found = {
        "Equivalent ratings, all": given.part(*SPLITS).find(ratings),
        "Equivalent ratings, train": given.part("train").find(ratings),
        "Full agreement": dev.find(lambda pairs: full_agreement(pairs.patterns)),
        "Random pair agrees": dev.find(lambda pairs: pair_agreement_item_mean(pairs.patterns)),
        "Krippendorff's α": dev.find(
            lambda pairs: published_alpha(pairs.patterns, **bootstrap._asdict())
        ),
    }
    for column, estimate in found.items():
        yield ("sec35-agreement", "AE", column), estimate


def _equivalent(given: AeFiles) -> Cells:
    """Tab. 11."""
    shares = {
        "Equivalent candidates": RatedPairs.equivalent_candidates,
        "Equivalent AE-examples": RatedPairs.equivalent_examples,
        "Equivalent ratings": RatedPairs.equivalent_ratings,
    }
    for name, column in SYSTEMS.items():
        for row, share in shares.items():
            found = given.part(name).find(partial(share, bootstrap=given.bootstrap))
            yield ("tab11", row, column), found


def _dev(given: AeFiles) -> Part:
    """AE dev and AE test: both are of SQuAD dev."""
    return given.part("dev", "test")


def _examples(pairs: RatedPairs) -> Estimate:
    return counted(len(pairs.pairs), pairs.ratings)


def _ratings(pairs: RatedPairs) -> Estimate:
    return counted(pairs.ratings, pairs.ratings)


def _candidates(pairs: RatedPairs) -> Estimate:
    return counted(len(pairs.by_candidate), pairs.ratings)


def _ties(pairs: RatedPairs) -> Estimate:
    return counted(sum(pair.is_tied for pair in pairs.pairs), len(pairs.pairs))


def _rated(ratings: int, pairs: RatedPairs) -> Estimate:
    """How many AE-examples have that many ratings."""
    return counted(pairs.patterns.ratings_per_item().get(ratings, 0), len(pairs.pairs))


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
    for row, sizes in _sets_by_row(given).items():
        for column, target in TARGETS.items():
            size = undefined(sizes, n=0) if isinstance(sizes, str) else sizes[target]
            yield ("tab8", row, column), size


def _sets_by_row(given: AeFiles) -> Mapping[str, Mapping[Fraction, Estimate] | str]:
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
        "SQuAD labels": _set_sizes(given.nbest, matched, seed),
        "+ AE labels": _set_sizes(given.nbest, labelled, seed) if has_labels else needs(_LABELS),
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
    return _set_sizes(asked, labelled, given.bootstrap.seed, admitted)


def _set_sizes(
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
