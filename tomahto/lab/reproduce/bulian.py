"""Bulian et al. 2022 again, from the public AE files: sizes, agreement, shares judged equivalent,
accuracy of metrics, and the size of conformal answer sets.

The paper's shares and accuracies count ratings where it does not say otherwise: 54.00 % of AE dev
(Tab. 4, EM) is a share of its 4,446 ratings, and of no number of its 2,734 AE-examples.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import chain, product

from tomahto.charts.rows import number, percent, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.conformal.answer_sets import CandidateTable
from tomahto.conformal.trials import TrialPlan, conformal_trials, set_figures
from tomahto.estimates.estimate import Estimate
from tomahto.lab.reproduce.ae_files import (
    METRICS,
    PLAIN,
    SPLITS,
    SYSTEMS,
    AeFiles,
    RatedPairs,
    needs,
)
from tomahto.lab.reproduce.bulian_systems import system_cells
from tomahto.lab.reproduce.comparison import Cells, Needed, OurFigures, computed, counted, or_needed
from tomahto.matching.scores import admitted_answers
from tomahto.reliability.statistics import full_agreement, pair_agreement_item_mean, published_alpha
from tomahto.text.normalisation import exact_match

_DEV = ("dev", "test")  # both are of SQuAD dev
_PER_ITEM = {"one rating": 1, "two ratings": 2, "three ratings": 3, "four ratings": 4}
_COLUMNS = {"dev": ("Dev Acc", "Dev ρ", "AE Dev"), "test": ("Test Acc", "Test ρ", "AE Test")}
_INPUTS = ("Only answers", "Question and answers", "Context, question and answers")
_AT_PLAIN = ("F1", "BertScore", "Bleurt 2.0", "BEM", "BEM (symmetrized)")
_AT_TUNED = ("F1", "BertScore", "LERC", "BEM")
_OF_SYSTEMS = ("EM", "F1", "BERTScore", "BEM")
_TUNED = ("F1", "LERC", "BEM")  # the rows of Tab. 9
_BEST = 20  # answers of each question (App. C)
_TARGETS = {f"{percent}%": Fraction(percent, 100) for percent in (99, 95, 90, 80, 70)}
_NBEST = f"Luke's {_BEST} best answers with their scores (nbest=FILE, as export_nbest writes it)"
_LABELS = (
    '"admissible" answers in nbest= that match no reference exactly'
    " (export_nbest --admissible labels)"
)


def bulian_figures(given: AeFiles) -> OurFigures:
    """Every figure of the paper, or which input it needs."""
    parts = (_sizes, _agreement, _equivalent, _metrics, system_cells, _sets)
    return computed(chain.from_iterable(part(given) for part in parts))


def _sizes(given: AeFiles) -> Cells:
    """Tab. 2 and 10, and how many AE-examples of SQuAD dev have how many ratings (§3.5)."""
    for name, column in (*SPLITS.items(), ("", "Total")):
        part = (name,) if name else tuple(SPLITS)
        yield ("tab2", "AE-examples", column), given.of(_examples, *part)
        yield ("tab2", "Ratings", column), given.of(_ratings, *part)
    for name, column in (*SYSTEMS.items(), ("", "Total")):
        part = (name,) if name else _DEV
        yield (
            ("tab10", "Non-exact matches", column),
            given.of(lambda pairs: counted(len(pairs.by_candidate), pairs.ratings), *part),
        )
        yield ("tab10", "AE-examples", column), given.of(_examples, *part)
        yield ("tab10", "Ratings", column), given.of(_ratings, *part)
    table, column = "sec35", "SQuAD dev"
    yield (table, "Ratings", column), given.of(_ratings, *_DEV)
    yield (table, "AE-examples", column), given.of(_examples, *_DEV)
    yield (table, "Ties", column), given.of(_ties, *_DEV)
    for words, ratings in _PER_ITEM.items():
        rated = given.of(partial(_rated, ratings), *_DEV)
        yield (table, f"AE-examples with {words}", column), rated


def _examples(pairs: RatedPairs) -> Estimate:
    return counted(len(pairs.pairs), pairs.ratings)


def _ratings(pairs: RatedPairs) -> Estimate:
    return counted(pairs.ratings, pairs.ratings)


def _ties(pairs: RatedPairs) -> Estimate:
    return counted(sum(pair.is_tied for pair in pairs.pairs), len(pairs.pairs))


def _rated(ratings: int, pairs: RatedPairs) -> Estimate:
    return counted(pairs.patterns.ratings_per_item().get(ratings, 0), len(pairs.pairs))


def _agreement(given: AeFiles) -> Cells:
    """§3.5, on SQuAD dev; the shares of equivalent ratings are of all splits and of train."""
    bootstrap = given.bootstrap
    equivalent = partial(RatedPairs.equivalent_ratings, bootstrap=bootstrap)
    found = {
        "Equivalent ratings, all": given.of(equivalent, *SPLITS),
        "Equivalent ratings, train": given.of(equivalent, "train"),
        "Full agreement": given.of(lambda pairs: full_agreement(pairs.patterns), *_DEV),
        "Random pair agrees": given.of(
            lambda pairs: pair_agreement_item_mean(pairs.patterns), *_DEV
        ),
        "Krippendorff's α": given.of(
            lambda pairs: published_alpha(pairs.patterns, **bootstrap._asdict()), *_DEV
        ),
    }
    for column, compute in found.items():
        yield ("sec35-agreement", "AE", column), compute


def _equivalent(given: AeFiles) -> Cells:
    """Tab. 11."""
    shares = {
        "Equivalent candidates": RatedPairs.equivalent_candidates,
        "Equivalent AE-examples": RatedPairs.equivalent_examples,
        "Equivalent ratings": RatedPairs.equivalent_ratings,
    }
    for (name, column), (row, share) in product(SYSTEMS.items(), shares.items()):
        yield ("tab11", row, column), given.of(partial(share, bootstrap=given.bootstrap), name)


def _metrics(given: AeFiles) -> Cells:
    """Tab. 3, 4, 5 and 9. Tab. 4 prints no correlation for EM: all its scores are alike."""
    for row in _INPUTS:
        yield ("tab3", row, "Accuracy"), partial(given.accuracy, METRICS[row], "xlnet")
    for name, (accuracy, rho, column) in _COLUMNS.items():
        yield ("tab4", "EM", accuracy), partial(given.accuracy, "em", name)
        for row in _AT_PLAIN:
            yield ("tab4", row, accuracy), partial(given.accuracy, METRICS[row], name)
            yield ("tab4", row, rho), partial(given.spearman, METRICS[row], name)
        for row in _AT_TUNED:
            tuned = partial(given.accuracy, METRICS[row], name, tuned=True)
            yield ("tab4", f"{row} (tuned)", accuracy), tuned
            yield ("tab4", f"{row} (tuned)", rho), partial(given.spearman, METRICS[row], name)
        for row in _TUNED:
            yield ("tab9", row, column), partial(given.accuracy, METRICS[row], name, tuned=True)
    for row in _TUNED:
        yield ("tab9", row, "Threshold"), partial(given.threshold, METRICS[row])
    for (name, column), row in product(SYSTEMS.items(), _OF_SYSTEMS):
        yield ("tab5", row, column), partial(given.accuracy, METRICS[row], name)


def metrics_table(given: AeFiles, source: str) -> PaperTable:
    """Every metric that was asked for or is in the files' lines on every file, published or not."""
    titles = {**SPLITS, **SYSTEMS}
    return table_of(
        "metrics",
        "Metrics on the ratings of each file",
        product(given.metrics, given.files),
        text("metric", "Metric", lambda row: row[0]),
        text("file", "File", lambda row: titles[row[1]]),
        percent(
            "accuracy", f"Accuracy at {PLAIN}", lambda row: or_needed(partial(given.accuracy, *row))
        ),
        number(
            "threshold",
            "Tuned threshold",
            lambda row: or_needed(partial(given.threshold, row[0])),
        ),
        percent(
            "tuned",
            "Accuracy, tuned",
            lambda row: or_needed(partial(given.accuracy, *row, tuned=True)),
        ),
        number("spearman", "Spearman's ρ", lambda row: or_needed(partial(given.spearman, *row))),
        notes="Thresholds are tuned on AE train: its own tuned accuracy is in-sample",
        source=source,
    )


def _sets(given: AeFiles) -> Cells:
    """Tab. 8: the mean size of conformal answer sets of Luke's best answers, over 50 random splits,
    80 % for calibration (App. C). F1 and BEM admit from 0.5 in the calibration, corrected for how
    often they are wrong by the labels."""
    asked = given.nbest or ()
    matched = [
        [exact_match(answer, one.ranked.references) for answer in one.ranked.answers]
        for one in asked
    ]
    labelled = [
        [a or b for a, b in zip(exact, one.is_right, strict=True)]
        for exact, one in zip(matched, asked, strict=True)
    ]
    nonconformity = [one.nonconformity for one in asked]

    def candidates(admitted: Sequence[Sequence[bool]]) -> CandidateTable:
        return CandidateTable.of_rows(nonconformity, admitted).of_best(_BEST)

    @cache
    def sizes(row: str) -> Mapping[Fraction, Estimate]:
        if given.nbest is None:
            raise Needed(needs(_NBEST))
        if row != "SQuAD labels" and labelled == matched:
            raise Needed(needs(_LABELS))
        by_matcher = None
        if row in METRICS:
            if METRICS[row] not in given.matchers:
                raise Needed(needs(f"--matcher {METRICS[row]}"))
            ranked = [one.ranked for one in asked]
            matcher = given.matchers[METRICS[row]]
            by_matcher = candidates(admitted_answers(matcher, ranked, threshold=PLAIN))
        try:
            trials = conformal_trials(
                candidates(matched if row == "SQuAD labels" else labelled),
                list(_TARGETS.values()),
                TrialPlan(seed=given.bootstrap.seed),
                approximate=by_matcher,
            )
        except ValueError as error:
            raise Needed(f"nbest=: {error}") from error
        found = set_figures(trials, "corrected" if by_matcher else "exact")
        return {figures.target: figures.size for figures in found}

    def mean_size(row: str, target: Fraction) -> Estimate:
        return sizes(row)[target]

    for row, (column, target) in product(
        ("SQuAD labels", "+ AE labels", "F1", "BEM"), _TARGETS.items()
    ):
        yield ("tab8", row, column), partial(mean_size, row, target)
