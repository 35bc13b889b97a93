"""Changes that must not alter agreement, and NLTK 3.9 or later as a second opinion on all of it."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask

from tests.tomahto.strategies import LEVELS, canonical_example, vote_patterns
from tomahto.estimates.estimate import Estimate
from tomahto.reliability.alpha import alpha
from tomahto.reliability.chance_corrected import cohen_kappa, gwet_ac1
from tomahto.reliability.statistics import (
    full_agreement,
    observed_agreement,
    pair_agreement_item_mean,
    pair_agreement_pooled,
)
from tomahto.votes.patterns import VotePatterns, pair_tables_from_votes
from tomahto.votes.scheme import LabelScheme

pytestmark = pytest.mark.slow


LABELS = ("no", "yes", "unsure")
RATERS = ("al", "bo", "cy")
SCHEME = LabelScheme(LABELS, (0, 1, 2))
VOTES = st.lists(
    st.fixed_dictionaries(dict.fromkeys(RATERS, st.sampled_from(LABELS))), min_size=1, max_size=15
)
SHARES = (observed_agreement, pair_agreement_item_mean, pair_agreement_pooled, full_agreement)


def _figures(patterns: VotePatterns) -> list[Estimate]:
    measures = (*SHARES, gwet_ac1, lambda votes: alpha(votes, level="nominal"))
    return [measure(patterns) for measure in measures]


def _is_same(ours: list[Estimate], theirs: list[Estimate]) -> bool:
    """Equal but for the order in which floating point numbers were added."""
    return all(
        (one.n, one.reason) == (other.n, other.reason)
        and (one.value is None or one.value == pytest.approx(other.value, rel=0, abs=1e-12))
        for one, other in zip(ours, theirs, strict=True)
    )


@given(vote_patterns(), st.randoms())
def test_agreement_at_the_nominal_level_ignores_which_label_is_which(
    patterns: VotePatterns, random: Random
) -> None:
    order = random.sample(range(len(patterns.scheme.labels)), len(patterns.scheme.labels))
    renamed = VotePatterns(
        patterns.scheme,
        {tuple(votes[place] for place in order): n for votes, n in patterns.counts.items()},
    )
    assert _is_same(_figures(renamed), _figures(patterns))


@given(VOTES, st.permutations(RATERS))
def test_agreement_ignores_which_rater_is_which(
    items: list[dict[str, str]], order: list[str]
) -> None:
    names = dict(zip(RATERS, order, strict=True))
    renamed = [{names[rater]: label for rater, label in votes.items()} for votes in items]
    patterns, others = (
        VotePatterns.from_votes(SCHEME, [votes.values() for votes in each])
        for each in (items, renamed)
    )
    assert patterns == others
    kappas, renamed_kappas = (
        {
            frozenset(table.raters): cohen_kappa(table, SCHEME, "quadratic")
            for table in pair_tables_from_votes(SCHEME, each)
        }
        for each in (items, renamed)
    )
    for pair, kappa in kappas.items():
        assert _is_same([renamed_kappas[frozenset(names[who] for who in pair)]], [kappa])


@given(vote_patterns(), st.data())
def test_alpha_and_shares_ignore_items_with_one_rating(
    patterns: VotePatterns, data: st.DataObject
) -> None:
    label = data.draw(st.integers(0, len(patterns.scheme.labels) - 1))
    single = tuple(int(place == label) for place in range(len(patterns.scheme.labels)))
    more = VotePatterns(
        patterns.scheme, {**patterns.counts, single: patterns.counts.get(single, 0) + 3}
    )
    assert [measure(more) for measure in SHARES] == [measure(patterns) for measure in SHARES]
    for level in LEVELS:
        assert alpha(more, level=level) == alpha(patterns, level=level)


@given(VOTES)
def test_alpha_kappa_and_observed_agreement_equal_nltk(items: list[dict[str, str]]) -> None:
    task = AnnotationTask(
        [
            (rater, str(item), label)
            for item, votes in enumerate(items)
            for rater, label in votes.items()
        ]
    )
    patterns = VotePatterns.from_votes(SCHEME, [votes.values() for votes in items])
    ours = alpha(patterns, level="nominal").value
    if ours is not None:  # NLTK calls the alpha of one value 1
        assert ours == pytest.approx(task.alpha(), rel=0, abs=1e-12)
    assert observed_agreement(patterns).value == pytest.approx(task.avg_Ao(), rel=0, abs=1e-12)
    for table in pair_tables_from_votes(SCHEME, items):
        kappa = cohen_kappa(table, SCHEME, "unweighted").value
        if kappa is not None:  # NLTK divides by zero
            golden = task.kappa_pairwise(*table.raters)
            assert kappa == pytest.approx(golden, rel=0, abs=1e-12)


def test_alpha_of_the_canonical_example_with_missing_values_equals_nltk() -> None:
    patterns = canonical_example("nominal")
    # NLTK 3.9 takes missing values, but counts a unit with one value: that unit is left out.
    units = [
        [label for label, count in zip("12345", votes, strict=True) for _ in range(count)]
        for votes, items in patterns.pairable().counts.items()
        for _ in range(items)
    ]
    task = AnnotationTask(
        [
            (f"rater {place}", str(unit), label)
            for unit, labels in enumerate(units)
            for place, label in enumerate(labels)
        ]
    )
    assert alpha(patterns).value == pytest.approx(task.alpha(), rel=0, abs=1e-12)
