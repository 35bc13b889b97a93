import pytest

from tomahto.estimates.estimate import Estimate, undefined, wilson_interval
from tomahto.reliability.report import (
    Decision,
    adjudicated_labels,
    adjudication_report,
    agreement_report,
)
from tomahto.votes.answer_patterns import AnswerPatterns
from tomahto.votes.patterns import VotePatterns, pair_tables_from_votes
from tomahto.votes.scheme import LabelScheme

SCHEME = LabelScheme(("good", "bad"), (1, 0))
DECISIONS = [
    Decision("a", "first", "ann", "good", "good"),
    Decision("a", "first", "ben", "good", "bad"),
    Decision("b", "first", "ann", "good"),
    Decision("b", "first", "ben", "bad"),
    Decision("c", "c", "ann", "bad", "good"),
    Decision("d", "d", "ben", "good", "good"),
    Decision("e", "e", "ben", "bad"),
]
VOTES = {"a": (2, 1), "b": (1, 1), "c": (3, 1), "d": (1, 1)}  # nobody has voted on e


def test_item_has_the_label_that_all_its_adjudicators_share() -> None:
    assert adjudicated_labels(DECISIONS) == {
        "a": "good",
        "b": None,
        "c": "bad",
        "d": "good",
        "e": "bad",
    }


def test_report_says_how_decisions_relate_to_votes_and_first_looks() -> None:
    report = adjudication_report("ae", SCHEME, DECISIONS, VOTES, seed=3, replicates=50)
    assert (report.decisions, report.adjudicated, report.differing) == (7, 4, 1)
    # a keeps its majority label, c does not; d was a tie, e has no votes
    low, high = wilson_interval(1, 2)
    assert report.against_majority == Estimate(value=0.5, n=2, low=low, high=high)
    assert report.ties_settled == 1
    # four decisions had a first look: ben on a and ann on c came to another label
    low, high = wilson_interval(2, 4)
    assert report.changed_mind == Estimate(value=0.5, n=4, low=low, high=high)


def test_agreement_of_adjudicators_is_that_of_raters_by_the_same_functions() -> None:
    report = adjudication_report("ae", SCHEME, DECISIONS, VOTES, seed=3, replicates=50)
    votes = [
        {"ann": "good", "ben": "good"},
        {"ann": "good", "ben": "bad"},
        {"ann": "bad"},
        {"ben": "good"},
        {"ben": "bad"},
    ]
    assert report.agreement == agreement_report(
        "ae",
        AnswerPatterns(
            VotePatterns.from_votes_of_questions(
                SCHEME,
                [
                    (question, each.values())
                    for question, each in zip(("first", "first", "c", "d", "e"), votes, strict=True)
                ],
            ),
            {},
        ),
        pair_tables_from_votes(SCHEME, votes),
        seed=3,
        replicates=50,
    )
    # of the two items that both decided they agree on one
    assert report.agreement.estimates["full_agreement"] == Estimate(value=0.5, n=2)


def test_report_without_decisions_says_why_it_is_undefined() -> None:
    report = adjudication_report("ae", SCHEME, [], {}, seed=0)
    assert (report.decisions, report.adjudicated, report.differing) == (0, 0, 0)
    assert report.against_majority == undefined("no adjudicated item has a majority label", n=0)
    assert report.changed_mind == undefined("no decision had a blind first look", n=0)
    assert report.as_json()["changed_mind"]["reason"] == "no decision had a blind first look"


def test_report_refuses_a_label_of_another_scheme() -> None:
    with pytest.raises(ValueError, match="'partial' is not one of good, bad"):
        adjudication_report("ae", SCHEME, [Decision("a", "first", "ann", "partial")], {}, seed=0)
