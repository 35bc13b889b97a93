import json

from hypothesis import given

from measures.alpha import alpha_with_interval
from measures.estimate import estimate_as_json
from measures.gwet import gwet_ac1_with_interval
from measures.krippendorff_package import package_alpha
from measures.patterns import PairTable, VotePatterns
from measures.report import agreement_report
from measures.scheme import LabelScheme
from tests.measures.strategies import vote_patterns

SCHEME = LabelScheme(("yes", "no", "unsure"), (1, 0, 0))


def test_agreement_report_says_everything_once() -> None:
    # A: 2 yes. B: 3 yes, 1 no. C: 1 no. D: 1 yes, 1 unsure.
    patterns = VotePatterns(SCHEME, {(2, 0, 0): 1, (3, 1, 0): 1, (0, 1, 0): 1, (1, 0, 1): 1})
    pairs = [
        PairTable(("bo", "cy"), {("yes", "yes"): 1}),
        PairTable(("al", "bo"), {("yes", "yes"): 1, ("yes", "no"): 1, ("no", "no"): 2}),
    ]
    interval = alpha_with_interval(patterns, seed=7, replicates=500)
    report = agreement_report("ae", patterns, pairs, seed=7, replicates=500).as_json()
    assert report == {
        "protocol": "ae",
        "items": 4,
        "ratings": 9,
        "ratings_per_item": {"1": 1, "2": 2, "4": 1},
        "labels": {"yes": 6, "no": 2, "unsure": 1},
        "majority": {"yes": 2, "no": 1, "unsure": 0},
        "ties": 1,
        "alpha": {
            "level": "nominal",
            "value": package_alpha(patterns).value,
            "low": interval.low,
            "high": interval.high,
            "n": 3,
            "replicates": 500,
            "seed": 7,
            "undefined_replicates": interval.undefined_replicates,
        },
        "ac1": estimate_as_json(gwet_ac1_with_interval(patterns, seed=7, replicates=500)),
        "observed_agreement": 0.5,  # (2 * 1 + 4 * 1/2 + 0) / 8
        "pair_agreement": {
            "item_mean": 0.5,  # (1 + 1/2 + 0) / 3
            "pooled": 0.5,  # (1 + 3 + 0) of (1 + 6 + 1) pairs
        },
        "full_agreement": 1 / 3,
        "kappa": [
            # observed 1 of 4 differs, expected (2 * 3 + 2 * 1) / 4 = 2 of 4
            {
                "raters": ["al", "bo"],
                "items": 4,
                "unweighted": 0.5,
                "linear": 0.5,
                "quadratic": 0.5,
            },
            {
                "raters": ["bo", "cy"],
                "items": 1,
                "unweighted": None,
                "linear": None,
                "quadratic": None,
                "reason": "expected agreement is 1: both used one label only; "
                "expected agreement is 1: both used one rank only",
            },
        ],
    }


def test_agreement_report_of_single_ratings_gives_reasons() -> None:
    patterns = VotePatterns(SCHEME, {(1, 0, 0): 2})
    assert agreement_report("ae", patterns, [], seed=7).as_json() == {
        "protocol": "ae",
        "items": 2,
        "ratings": 2,
        "ratings_per_item": {"1": 2},
        "labels": {"yes": 2, "no": 0, "unsure": 0},
        "majority": {"yes": 2, "no": 0, "unsure": 0},
        "ties": 0,
        "alpha": {
            "level": "nominal",
            "value": None,
            "low": None,
            "high": None,
            "n": 0,
            "replicates": 0,
            "seed": 7,
            "reason": "no item has two ratings",
        },
        "ac1": {
            "value": None,
            "low": None,
            "high": None,
            "n": 0,
            "replicates": 0,
            "seed": 7,
            "reason": "no item has two ratings",
        },
        "observed_agreement": None,
        "pair_agreement": {
            "item_mean": None,
            "pooled": None,
            "reason": "no item has two ratings",
        },
        "full_agreement": None,
        "reason": "no item has two ratings",
        "kappa": [],
    }


def test_agreement_report_keeps_the_order_of_its_keys() -> None:
    patterns = VotePatterns(SCHEME, {(2, 0, 0): 90, (0, 2, 0): 80, (1, 1, 0): 30})
    report = agreement_report("ae", patterns, [], seed=7, replicates=50).as_json()
    assert list(report) == [
        "protocol",
        "items",
        "ratings",
        "ratings_per_item",
        "labels",
        "majority",
        "ties",
        "alpha",
        "ac1",
        "observed_agreement",
        "pair_agreement",
        "full_agreement",
        "kappa",
    ]
    assert list(report["alpha"]) == ["level", "value", "low", "high", "n", "replicates", "seed"]


@given(vote_patterns())
def test_agreement_report_is_json_and_the_same_from_a_shuffled_table(
    patterns: VotePatterns,
) -> None:
    backwards = VotePatterns(patterns.scheme, dict(list(patterns.counts.items())[::-1]))
    one = agreement_report("cap", patterns, [], seed=1, replicates=20).as_json()
    two = agreement_report("cap", backwards, [], seed=1, replicates=20).as_json()
    assert json.dumps(one, allow_nan=False) == json.dumps(two, allow_nan=False)
