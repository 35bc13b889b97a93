import json
from pathlib import Path

from exporters.agreement import release_agreement
from exporters.content import build_dataset
from measures.patterns import VotePatterns, pair_tables_from_votes
from measures.report import agreement_report
from tests.exporters.samples import AE_SCHEME, CONTENT, RATINGS


def test_release_agreement_is_that_of_the_counted_ratings() -> None:
    votes: dict[str, dict[str, str]] = {}
    for rating in RATINGS:
        if rating.counted:
            votes.setdefault(rating.item_id, {})[rating.rater] = rating.label
    patterns = VotePatterns.from_votes(AE_SCHEME, (by.values() for by in votes.values()))
    pairs = pair_tables_from_votes(AE_SCHEME, votes.values())
    expected = agreement_report("ae", patterns, pairs, seed=CONTENT.seed).as_json()
    assert release_agreement(build_dataset(CONTENT))["whole"] == expected


def test_release_agreement_has_the_figures_of_the_sample() -> None:
    # Items with two or more ratings: a1 (2, 1), b1 (1, 1), d1 (0, 4). Pairs that agree: 1 of 3,
    # 0 of 1, 6 of 6. Mean over items (1/3 + 0 + 1) / 3 = 4/9, pooled 7/10, full agreement 1/3.
    agreement = release_agreement(build_dataset(CONTENT))["whole"]
    assert (agreement["items"], agreement["ratings"], agreement["ties"]) == (5, 11, 1)
    assert agreement["ratings_per_item"] == {"1": 2, "2": 1, "3": 1, "4": 1}
    assert agreement["labels"] == {"equivalent": 4, "not-equivalent": 7}
    assert agreement["majority"] == {"equivalent": 2, "not-equivalent": 2}
    assert agreement["pair_agreement"] == {"item_mean": 4 / 9, "pooled": 7 / 10}
    assert agreement["full_agreement"] == 1 / 3


def test_release_agreement_is_given_for_each_split(written: Path) -> None:
    agreement = json.loads((written / "agreement.json").read_text())
    sizes = {split: part["items"] for split, part in agreement["splits"].items()}
    assert agreement["whole"]["items"] == sum(sizes.values())
    assert list(sizes) == ["dev", "test"]
