from collections.abc import Mapping
from dataclasses import replace
from math import inf
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset
from tests.exporters.samples import (
    ADJUDICATIONS,
    AE_SCHEME,
    CONTENT,
    DIFFERENT,
    DIFFERING,
    EQUIVALENT,
    ITEMS,
    item,
    rating,
)
from tomahto.releases.dataset.labels import (
    ItemLabel,
    LabelChoice,
    VoteOutcome,
    decimals_of,
    label_items,
)
from tomahto.releases.records.records import RatingRecord


def labels_of(content: ReleaseContent) -> Mapping[str, ItemLabel]:
    return {each.record.id: each.label for each in build_dataset(content).items}


def chosen(content: ReleaseContent, choice: LabelChoice) -> dict[str, tuple[str, str]]:
    labels = labels_of(replace(content, labels=choice))
    return {item_id: (label.label, label.source) for item_id, label in labels.items()}


def test_vote_outcome_has_the_labels_in_first_place_and_their_confidence() -> None:
    # With two labels a label of n in N votes has the confidence (n + 1/2) / (N + 1).
    assert VoteOutcome.of(AE_SCHEME, (2, 1)) == VoteOutcome((2, 1), ("equivalent",), 2.5 / 4)
    assert VoteOutcome.of(AE_SCHEME, (1, 1)) == VoteOutcome(
        (1, 1), ("equivalent", "not-equivalent"), 1.5 / 3
    )


def test_majority_is_that_of_counted_ratings_and_ties_are_visible() -> None:
    # b1 is a tie. The SHA-256 of "13\\0b1" ends in 84, an even byte: the first label in order.
    labels = labels_of(CONTENT)
    assert {id_: (each.label, each.source, each.votes) for id_, each in labels.items()} == {
        "a1": ("equivalent", "majority", (2, 1)),
        "a2": ("not-equivalent", "majority", (0, 1)),
        "b1": ("equivalent", "tie", (1, 1)),
        "c1": ("equivalent", "majority", (1, 0)),
        "d1": ("not-equivalent", "majority", (0, 4)),
    }
    assert (labels["b1"].tie, labels["b1"].tied) == (True, ("equivalent", "not-equivalent"))
    assert (labels["d1"].tie, labels["d1"].tied, labels["d1"].ratings) == (False, (), 4)


def test_adjudicated_labels_win_if_the_release_says_so() -> None:
    content = replace(CONTENT, adjudications=ADJUDICATIONS)
    assert chosen(content, "adjudicated") == {
        "a1": ("not-equivalent", "adjudicated"),
        "a2": ("not-equivalent", "majority"),
        "b1": ("equivalent", "tie"),
        "c1": ("equivalent", "majority"),
        "d1": ("not-equivalent", "adjudicated"),
    }
    assert chosen(content, "majority") == chosen(CONTENT, "majority")
    labels = labels_of(content)
    assert (labels["a1"].majority, labels["a1"].adjudicated) == ("equivalent", "not-equivalent")
    assert labels["b1"].adjudicated is None


def test_adjudicators_who_differ_leave_the_label_to_the_votes() -> None:
    content = replace(CONTENT, adjudications=DIFFERING, labels="adjudicated")
    label = labels_of(content)["b1"]
    assert (label.label, label.source, label.adjudicated) == ("equivalent", "tie", None)


@pytest.mark.parametrize(
    ("distance", "decimals"),
    [(None, 6), (0.0, 6), (5e-7, 6), (6e-7, 5), (0.004, 2), (0.3, 1), (inf, 1)],
)
def test_probabilities_are_published_as_far_as_they_hold(
    distance: float | None, decimals: int
) -> None:
    dataset = build_dataset(CONTENT)
    estimate = replace(
        dataset.estimate, posteriors=np.tile([0.6543214, 0.3456786], (5, 1)), distance=distance
    )
    assert decimals_of(estimate) == decimals
    labels = label_items(AE_SCHEME, "dawid-skene", dataset.ratings, estimate, {}, seed=1)
    first = round(0.6543214, decimals)
    assert labels[0].posterior == (first, round(1 - first, decimals))


def test_labels_are_equally_probable_where_what_holds_does_not_tell_them_apart() -> None:
    dataset = build_dataset(CONTENT)
    estimate = replace(dataset.estimate, posteriors=np.tile([0.504, 0.496], (5, 1)))
    found = [
        label_items(AE_SCHEME, "dawid-skene", dataset.ratings, each, {}, seed=1)
        for each in (replace(estimate, distance=0.0), replace(estimate, distance=0.005))
    ]
    first, _second = AE_SCHEME.labels
    assert [labels.each_source() for labels in found] == [["dawid-skene"] * 5, ["tie"] * 5]
    assert [[each.most_probable for each in labels] for labels in found] == [
        [first] * 5,
        [None] * 5,
    ]


def test_dawid_skene_labels_are_the_most_probable() -> None:
    labels = chosen(CONTENT, "dawid-skene")
    assert labels["d1"] == ("not-equivalent", "dawid-skene")  # four votes of one kind
    for item_id, label in labels_of(CONTENT).items():
        best = AE_SCHEME.labels[label.posterior.index(max(label.posterior))]
        assert label.dawid_skene == best
        assert labels[item_id] == (best, "dawid-skene")


def symmetric(items: int) -> ReleaseContent:
    """Two raters who contradict each other everywhere, in both directions: nothing to tell."""
    records = [item(f"i{number}", f"D{number}", question=f"q{number}") for number in range(items)]
    votes = []
    for number, record in enumerate(records):
        answers = (EQUIVALENT, DIFFERENT) if number % 2 else (DIFFERENT, EQUIVALENT)
        votes += [rating(record.id, who, what) for who, what in zip("rs", answers, strict=True)]
    return replace(CONTENT, items=records, ratings=votes)


def test_dawid_skene_ties_are_drawn_as_those_of_votes_are() -> None:
    labels = labels_of(replace(symmetric(8), labels="dawid-skene"))
    assert {label.posterior for label in labels.values()} == {(0.5, 0.5)}
    assert {label.source for label in labels.values()} == {"tie"}
    assert all(label.label == label.majority == label.dawid_skene for label in labels.values())
    assert {label.most_probable for label in labels.values()} == {None}
    assert {label.label for label in labels.values()} == set(AE_SCHEME.labels)


def test_ties_are_drawn_evenly_and_the_same_again() -> None:
    content = symmetric(400)
    drawn = [label.label for label in labels_of(content).values()]
    assert drawn == [label.label for label in labels_of(content).values()]
    assert drawn != [label.label for label in labels_of(replace(content, seed=5)).values()]
    assert 160 < drawn.count("equivalent") < 240  # 200 ± 4 standard deviations


@st.composite
def votes_of_raters(draw: st.DrawFn) -> list[RatingRecord]:
    """Every sample item rated by some of five raters."""
    votes = []
    for record in ITEMS:
        raters = draw(st.sets(st.integers(1, 5), min_size=1))
        for number in sorted(raters):
            answers = draw(st.sampled_from([EQUIVALENT, DIFFERENT]))
            votes.append(rating(record.id, f"r{number}", answers))
    return votes


@settings(max_examples=20)
@given(votes_of_raters(), st.randoms())
def test_labels_do_not_depend_on_the_order_or_the_names_of_raters(
    votes: list[RatingRecord], random: Random
) -> None:
    names = random.sample([f"s{number}" for number in range(1, 6)], 5)
    renamed = [replace(vote, rater=names[int(vote.rater[1]) - 1]) for vote in votes]
    random.shuffle(renamed)
    content = replace(CONTENT, ratings=votes, labels="dawid-skene")
    assert labels_of(replace(content, ratings=renamed)) == labels_of(content)


@pytest.mark.parametrize("choice", ["majority", "adjudicated"])
def test_a_choice_without_adjudications_is_the_majority(choice: LabelChoice) -> None:
    assert chosen(CONTENT, choice) == chosen(CONTENT, "majority")
