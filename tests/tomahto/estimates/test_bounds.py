"""Every estimate and its interval stay within what the figure can be, whatever the data."""

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.sampling import IS_WHOLE
from tomahto.classes.agreement import ClassAgreement
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, wilson_interval
from tomahto.estimates.post_stratified import post_stratified_mean
from tomahto.estimates.prediction_powered import prediction_powered_mean, with_known
from tomahto.estimates.two_way_clusters import mean_with_interval
from tomahto.ranking.order_counts import OrderedItems
from tomahto.ranking.order_intervals import ORDER_STATISTICS, order_intervals
from tomahto.ranking.ranks import rank_agreement
from tomahto.ranking.system_scores import AnswerScores, SystemDifferences, SystemMeans
from tomahto.raters.agreement_with_others import raters_and_rest, share_of_agreement
from tomahto.raters.alternative_annotator import alternative_annotator
from tomahto.raters.checks import share_right
from tomahto.raters.steering import steering_report
from tomahto.raters.steering_rows import SteeringRows
from tomahto.reliability.alpha import alpha_with_interval, label_disagreement
from tomahto.reliability.chance_corrected import gwet_ac1_with_interval
from tomahto.scoring.judged_scores import JudgedScores
from tomahto.scoring.metric_vs_human import JudgedRow, metric_differences, metric_vs_human
from tomahto.types import Flags, Floats, Integers
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

pytestmark = pytest.mark.slow


SCHEME = LabelScheme(("a", "b", "c"), (2, 1, 0), level="ordinal")
DRAWN = Bootstrap(60, 5)
SHARE, DIFFERENCE = (0.0, 1.0), (-1.0, 1.0)

Found = tuple[tuple[float, float], Estimate]


@dataclasses.dataclass(frozen=True)
class Data:
    """Draws of a size and a spread: near 0 the values crowd at one end, or are all alike."""

    generator: np.random.Generator
    n: int
    spread: float

    def flags(self, n: int | None = None) -> Flags:
        return self.generator.random(n or self.n) < self.spread

    def shares(self, n: int | None = None) -> Floats:
        """Many are 0 or 1."""
        drawn = self.generator.beta(0.2 + self.spread, 0.2, n or self.n)
        return np.where(self.flags(n), drawn, np.round(drawn))

    def places(self, below: int, n: int | None = None) -> Integers:
        return self.generator.integers(0, below, n or self.n)

    def labels(self) -> list[str]:
        first = np.zeros(self.n, dtype=np.int64)
        chosen = np.where(self.flags(), self.places(3), first)
        return [SCHEME.labels[place] for place in chosen.tolist()]

    def rows(self) -> RatingRows:
        """Up to four raters, each item by some of them."""
        given = self.generator.random((self.n, 4)) < 0.8
        given[:, 0] = True
        labels = iter(np.where(self.flags(4 * self.n), self.places(3, 4 * self.n), 0).tolist())
        return RatingRows.of(
            [
                (item, f"rater {rater}", SCHEME.labels[next(labels)])
                for item, rater in np.argwhere(given).tolist()
            ],
            SCHEME.labels,
        )


def class_mean(data: Data) -> Iterator[Found]:
    yield SHARE, mean_with_interval(data.shares(), data.places(max(1, data.n // 2)))


def predictions(data: Data) -> Iterator[Found]:
    human, scores = data.shares(), data.shares()
    for weight in (None, 0.0, 1.0):
        found = prediction_powered_mean(human, scores, data.shares(7), weight=weight)
        yield SHARE, found.estimate
        yield SHARE, found.classical
        yield SHARE, with_known(found, right=5, wrong=3, total=15 + data.n)


def post_stratified(data: Data) -> Iterator[Found]:
    known = data.shares()
    cells: dict[tuple[str, float | None], int] = {("exact", 1.0): 3, ("rated", None): 4}
    cells |= {("rated", value): 2 for value in known.tolist()}
    yield SHARE, post_stratified_mean(cells, DRAWN)
    cells = {("rated", value): 1 for value in (known - data.shares()).tolist()}
    yield DIFFERENCE, post_stratified_mean(cells, DRAWN)


def kappa_and_agreement(data: Data) -> Iterator[Found]:
    one, shift = data.places(2), data.flags()
    against = [  # two raters who nearly always differ
        (item, rater, SCHEME.labels[label])
        for item, (first, same) in enumerate(zip(one.tolist(), shift.tolist(), strict=True))
        for rater, label in (("al", first), ("bo", first if same else 1 - first))
    ]
    for rows in (data.rows(), RatingRows.of(against, SCHEME.labels)):
        for rater in raters_and_rest(rows, SCHEME):
            yield SHARE, rater.agreement
            for kappa in rater.kappa.values():
                yield DIFFERENCE, kappa


def steering(data: Data) -> Iterator[Found]:
    rows = data.rows()
    suggested = data.places(3, rows.item_count)[rows.items]
    found = steering_report(
        SteeringRows(rows, data.flags(rows.n), suggested, np.full(rows.n, np.nan)),
        SCHEME,
        bootstrap=DRAWN,
    )
    for effect in (found.overall, *found.by_label):
        yield DIFFERENCE, effect.difference
        for arm in (effect.shown, effect.hidden):
            yield SHARE, arm.agreement
            yield DIFFERENCE, arm.alpha


def votes(data: Data) -> Iterator[Found]:
    rows = data.rows()
    by_item: list[list[str]] = [[] for _ in range(rows.item_count)]
    for item, label in zip(rows.items.tolist(), rows.labels.tolist(), strict=True):
        by_item[item].append(SCHEME.labels[label])
    patterns = VotePatterns.from_votes(SCHEME, by_item)
    yield DIFFERENCE, alpha_with_interval(patterns, seed=5, replicates=60)
    yield DIFFERENCE, gwet_ac1_with_interval(patterns, seed=5, replicates=60)
    for share in label_disagreement(patterns, bootstrap=DRAWN).disagreement:
        yield SHARE, share


def shares_of_events(data: Data) -> Iterator[Found]:
    flags = data.flags()
    yield SHARE, share_right(int(flags.sum()), data.n)
    yield SHARE, share_of_agreement(data.shares())
    low, high = wilson_interval(float(data.shares().sum()), data.n)
    yield SHARE, Estimate(value=low, n=data.n, low=low, high=high)


def matcher_and_raters(data: Data) -> Iterator[Found]:
    rows = data.rows()
    for one in alternative_annotator(rows, data.places(3, rows.item_count), epsilon=0.2).raters:
        yield SHARE, one.matcher_advantage
        yield SHARE, one.rater_advantage


def metric_quality(data: Data) -> Iterator[Found]:
    right, questions = data.flags().tolist(), data.places(5).tolist()
    reports = {}
    for name in ("one", "other"):
        scores = data.shares().tolist()
        rows = [
            JudgedRow(score, flag, str(place))
            for score, flag, place in zip(scores, right, questions, strict=True)
        ]
        reports[name] = metric_vs_human(rows, bootstrap=DRAWN)
        quality = reports[name].overall
        for share in (quality.accuracy, quality.tuned_accuracy, quality.auc):
            yield SHARE, share
        yield DIFFERENCE, quality.spearman
        yield SHARE, JudgedScores.of(scores, right, questions).accuracy(0.5, DRAWN)
    (difference,) = metric_differences(reports, DRAWN)
    for each in (difference.accuracy, difference.tuned_accuracy, difference.auc):
        yield DIFFERENCE, each
    yield (-2.0, 2.0), difference.spearman


def order_of_classes(data: Data) -> Iterator[Found]:
    labels, questions = data.labels(), data.places(6).tolist()
    items = OrderedItems.of(labels, data.shares(), questions, SCHEME)
    found = order_intervals(items, DRAWN)
    for name in ORDER_STATISTICS:
        yield DIFFERENCE, found.statistic(name)
    for pair in found.pairs:
        for share in (found.accuracy(pair), found.auc(pair), found.violation_probability(pair)):
            yield SHARE, share
    for label in SCHEME.labels:
        yield SHARE, found.class_mean(label)


def classes(data: Data) -> Iterator[Found]:
    agreement = ClassAgreement.of(
        data.labels(), data.labels(), data.places(6).tolist(), SCHEME, DRAWN
    )
    yield SHARE, agreement.accuracy()
    yield DIFFERENCE, agreement.quadratic_kappa()
    for label in SCHEME.labels:
        yield SHARE, agreement.recall(label)


def systems(data: Data) -> Iterator[Found]:
    drawn = zip(data.places(3).tolist(), data.places(5).tolist(), strict=True)
    given = sorted({(0, 0), (1, 0), *drawn})
    values = {judge: data.shares(len(given)) for judge in ("people", "metric")}
    strata = ["ab"[place] for place in data.places(2, len(given)).tolist()]
    open_ = (data.places(3, len(given)) == 0) & (np.arange(len(given)) > 1)
    values = {judge: np.where(open_, np.nan, each) for judge, each in values.items()}
    names = ["xyz"[system] for system, _question in given]
    answers = AnswerScores.of(values, names, [question for _, question in given], strata)
    means = SystemMeans(answers, DRAWN)
    for system in answers.systems:
        yield SHARE, means.mean(system, "people")
        yield DIFFERENCE, means.difference(system, "people", "metric")
    differences = SystemDifferences(answers, DRAWN)
    for pair in range(len(differences.pairs)):
        yield DIFFERENCE, differences.estimate(pair, 0)
    yield DIFFERENCE, rank_agreement(differences, "people", "metric").tau


FIGURES: Mapping[str, Callable[[Data], Iterable[Found]]] = {
    figure.__name__: figure
    for figure in (
        class_mean,
        predictions,
        post_stratified,
        kappa_and_agreement,
        steering,
        votes,
        shares_of_events,
        matcher_and_raters,
        metric_quality,
        order_of_classes,
        classes,
        systems,
    )
}


@pytest.mark.parametrize("name", FIGURES)
@settings(max_examples=200 if IS_WHOLE else 30, deadline=None)
@given(seed=st.integers(0, 2**32), n=st.integers(1, 60), spread=st.floats(0, 1))
@example(seed=1, n=3, spread=0.1)
@example(seed=2, n=40, spread=0.02)
@example(seed=3, n=40, spread=0.98)
def test_no_interval_leaves_what_the_figure_can_be(
    name: str, seed: int, n: int, spread: float
) -> None:
    outside = [
        estimate
        for (least, most), estimate in FIGURES[name](Data(np.random.default_rng(seed), n, spread))
        for end in (estimate.low, estimate.value, estimate.high)
        if end is not None and not least <= end <= most
    ]
    assert outside == []
