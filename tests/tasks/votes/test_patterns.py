"""Votes counted by the database equal votes counted from records."""

from itertools import product

import pytest

from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.models import Campaign
from tasks.votes.labels import labels_by_question_type
from tasks.votes.patterns import vote_patterns, votes_of
from tasks.votes.ratings import counted_ratings
from tests.tasks.conftest import MakeCampaign, item_row, rating_row
from tests.tomahto.oracles import AnsweredLabel, fold_ratings
from tomahto.reliability.report import agreement_report
from tomahto.votes.answer_patterns import AnswerColumns
from tomahto.votes.patterns import VotePatterns, pair_tables_from_votes
from tomahto.votes.scheme import question_parts

pytestmark = pytest.mark.slow


@pytest.fixture
def campaign(make_campaign: MakeCampaign) -> Campaign:
    return make_campaign(items=12, overlap=3)


def rate(campaign: Campaign) -> None:
    """Three raters on 12 items with all kinds of disagreement, some items rated once."""
    labels = ["equivalent", "not-equivalent"]
    votes = list(product(labels, repeat=3))
    rows = [
        rating_row(number, rater, vote[place])
        for number, vote in enumerate(votes, start=1)
        for place, rater in enumerate(("ann", "ben", "cat"))
    ]
    rows += [rating_row(number, "ann", "equivalent") for number in (9, 10, 11, 12)]
    rows += [rating_row(12, "ben", "not-equivalent", counted=False)]
    import_ratings(campaign=campaign, rows=rows)


def test_agreement_of_the_database_equals_that_of_the_records(campaign: Campaign) -> None:
    rate(campaign)
    votes: dict[int, dict[str, str]] = {}
    answers: dict[int, dict[int, list[AnsweredLabel]]] = {}
    for rating in counted_ratings(campaign).select_related("rater", "outcome", "item"):
        outcome = rating.outcome
        votes.setdefault(rating.item_id, {})[rating.rater.pseudonym] = outcome.label
        of_question = answers.setdefault(rating.item.question_id, {})
        of_question.setdefault(rating.item_id, []).append((outcome.label, outcome.answers))
    scheme = campaign.annotation_protocol.scheme
    columns = AnswerColumns(scheme, question_parts(campaign.annotation_protocol.question_schemes))
    expected = agreement_report(
        "ae",
        fold_ratings(columns, [items.values() for items in answers.values()]),
        pair_tables_from_votes(scheme, votes.values()),
        seed=campaign.seed,
    )
    assert agreement_of(campaign).as_json() == expected.as_json()


def test_vote_patterns_count_items_by_their_votes(campaign: Campaign) -> None:
    rate(campaign)
    # 8 items with three votes: C(3, k) of them have k votes for "equivalent"; 4 have one vote
    assert dict(vote_patterns(campaign).counts) == {
        (3, 0): 1,
        (2, 1): 3,
        (1, 2): 3,
        (0, 3): 1,
        (1, 0): 4,
    }


def test_items_of_a_question_stand_together(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, overlap=2)
    texts = {"question_key": "shared", "question": "Shared?", "context": "Passage."}
    import_items(
        campaign=campaign,
        rows=[*(item_row(number, document="one", **texts) for number in (1, 2)), item_row(3)],
    )
    names = {"e": "equivalent", "n": "not-equivalent"}
    rows = [
        rating_row(number, rater, names[vote])
        for number, votes in enumerate(("nn", "ee", "en"), start=1)
        for rater, vote in zip(("ann", "ben"), votes, strict=True)
    ]
    import_ratings(campaign=campaign, rows=rows)
    patterns = vote_patterns(campaign)
    together = [([(0, 2), (2, 0)], 1), ([(1, 1)], 1)]
    assert patterns == VotePatterns.of_questions(patterns.scheme, together)
    alpha = agreement_of(campaign).estimates["alpha"]
    assert (alpha.n, alpha.drew, alpha.clusters) == (3, "questions", 2)


def test_pair_tables_count_shared_items_of_every_two_raters(campaign: Campaign) -> None:
    rate(campaign)
    # each pair shares the 8 items of all combinations: two of each pair of votes
    assert [sorted(table.counts.values()) for table in votes_of(campaign).pairs] == [
        [2, 2, 2, 2]
    ] * 3


def test_votes_of_every_question_are_those_of_the_raters_who_were_asked(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=3, overlap=2)
    far, near = {"q1": True}, {"q1": False, "q2": True}
    loses = {"q1": False, "q2": False, "q3": True, "q4": False}
    rows = [
        rating_row(number, rater, answers=answers)
        for number, pair in enumerate([(far, near), (near, loses), (loses, loses)], start=1)
        for rater, answers in zip(("ann", "ben"), pair, strict=True)
    ]
    import_ratings(campaign=campaign, rows=rows)
    questions = votes_of(campaign).patterns.questions
    # in the order yes, no
    assert {key: dict(votes.counts) for key, votes in questions.items()} == {
        "q1": {(1, 1): 1, (0, 2): 2},
        "q2": {(1, 0): 1, (1, 1): 1, (0, 2): 1},
        "q3": {(1, 0): 1, (2, 0): 1},
        "q4": {(0, 1): 1, (0, 2): 1},
    }


def test_votes_on_rules_are_chosen_or_not_among_those_who_gave_any(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=2, overlap=2, protocol="rules")
    one = {"label": "correct", "rules": "aliasing+semantic"}
    two = {"label": "correct", "rules": "semantic"}
    rows = [
        rating_row(1, "ann", answers=one),
        rating_row(1, "ben", answers=two),
        rating_row(2, "ann", answers=two),
        rating_row(2, "ben", "correct"),  # a bare label says nothing of rules
    ]
    import_ratings(campaign=campaign, rows=rows)
    votes = votes_of(campaign).patterns
    assert dict(votes.labels.counts) == {(2, 0): 2}
    rules = ("aliasing", "numerical", "fewer-details", "more-details", "semantic")
    never = {(0, 2): 1, (0, 1): 1}
    assert {key: dict(votes.counts) for key, votes in votes.questions.items()} == {
        **{f"rules.{rule}": never for rule in (*rules, "irrelevant", "other-answers")},
        "rules.aliasing": {(1, 1): 1, (0, 1): 1},
        "rules.semantic": {(2, 0): 1, (1, 0): 1},
    }


def test_votes_of_an_item_with_more_ratings_than_a_byte_counts(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=2, overlap=2)
    rows = [
        rating_row(1, f"rater {n}", "equivalent" if n < 260 else "not-equivalent")
        for n in range(300)
    ]
    import_ratings(campaign=campaign, rows=[*rows, rating_row(2, "rater 1", "equivalent")])
    assert dict(vote_patterns(campaign).counts) == {(260, 40): 1, (1, 0): 1}
    votes = votes_of(campaign)
    assert dict(votes.patterns.questions["q2"].counts) == {(260, 0): 1, (1, 0): 1}
    assert len(votes.pairs) == 300 * 299 // 2


def test_agreement_of_an_empty_campaign_is_undefined_with_a_reason(
    make_campaign: MakeCampaign,
) -> None:
    report = agreement_of(make_campaign()).as_json()
    assert (report["items"], report["ratings"], report["alpha"]["value"]) == (0, 0, None)
    assert report["alpha"]["reason"]


def test_labels_are_counted_by_type_of_question(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=0, protocol="statement")
    kinds = ("long-question", "long-question", "blank-spaces-task", "")
    rows = [item_row(n, question_type=kind) for n, kind in enumerate(kinds, start=1)]
    import_items(campaign=campaign, rows=rows)
    labels = ("correct", "wrong", "semantic", "correct")
    votes = [rating_row(n, "oak", label) for n, label in enumerate(labels, start=1)]
    import_ratings(campaign=campaign, rows=votes)
    none = {"correct": 0, "syntactic": 0, "semantic": 0, "wrong": 0}
    assert labels_by_question_type(campaign) == {
        "blank-spaces-task": {**none, "semantic": 1},
        "long-question": {**none, "correct": 1, "wrong": 1},
    }


def test_first_named_type_of_a_question_stands_whatever_the_order(
    make_campaign: MakeCampaign,
) -> None:
    for kinds in (["", "short", "long"], ["long", "", "short"]):
        campaign = make_campaign(items=0)
        for number, kind in enumerate(kinds, start=1):
            row = item_row(
                number,
                question_key="q",
                document="D",
                question="Which?",
                context="",
                question_type=kind,
            )
            import_items(campaign=campaign, rows=[row])
        assert campaign.questions.get().question_type == "long"
