"""Votes counted by the database equal votes counted from records."""

from itertools import product

from measures.patterns import VotePatterns, pair_tables_from_votes
from measures.report import agreement_report
from tasks.models import Campaign
from tasks.queries.agreement import agreement_of
from tasks.queries.ratings import counted_ratings
from tasks.queries.votes import labels_by_question_type, pair_tables, vote_patterns
from tasks.workflow.intake import import_items
from tasks.workflow.rating_import import import_ratings
from tests.tasks.conftest import MakeCampaign, item_row, rating_row


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


def test_agreement_of_the_database_equals_that_of_the_records(
    make_campaign: MakeCampaign,
) -> None:
    campaign = make_campaign(items=12, overlap=3)
    rate(campaign)
    votes: dict[int, dict[str, str]] = {}
    for rating in counted_ratings(campaign).select_related("rater", "outcome"):
        votes.setdefault(rating.item_id, {})[rating.rater.pseudonym] = rating.outcome.label
    scheme = campaign.annotation_protocol.scheme
    expected = agreement_report(
        "ae",
        VotePatterns.from_votes(scheme, [v.values() for v in votes.values()]),
        pair_tables_from_votes(scheme, votes.values()),
        seed=campaign.seed,
    )
    assert agreement_of(campaign).as_json() == expected.as_json()


def test_vote_patterns_count_items_by_their_votes(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=12, overlap=3)
    rate(campaign)
    # 8 items with three votes: C(3, k) of them have k votes for "equivalent"; 4 have one vote
    assert dict(vote_patterns(campaign).counts) == {
        (3, 0): 1,
        (2, 1): 3,
        (1, 2): 3,
        (0, 3): 1,
        (1, 0): 4,
    }


def test_pair_tables_count_shared_items_of_every_two_raters(make_campaign: MakeCampaign) -> None:
    campaign = make_campaign(items=12, overlap=3)
    rate(campaign)
    # each pair shares the 8 items of all combinations: two of each pair of votes
    assert [sorted(table.counts.values()) for table in pair_tables(campaign)] == [[2, 2, 2, 2]] * 3


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
                number, question_key="q", question="Which?", context="", question_type=kind
            )
            import_items(campaign=campaign, rows=[row])
        assert campaign.questions.get().question_type == "long"
