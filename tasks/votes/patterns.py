"""Votes counted by the database: patterns of answers and confusion between raters.

The functions of `tomahto.reliability` turn them into numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count

from tasks.models import Campaign, Membership
from tasks.votes.ballots import Ballots
from tasks.votes.one_reading import read_once
from tasks.votes.ratings import counted_ratings
from tomahto.votes.answer_patterns import AnswerPatterns
from tomahto.votes.codes import pair_tables_from_codes
from tomahto.votes.majority import majority
from tomahto.votes.patterns import PairTable, VotePatterns
from tomahto.votes.questions import question_parts


@dataclass(frozen=True)
class Votes:
    """How many items have which answers, and how every two raters voted who share one.

    Raters go by their pseudonyms.
    """

    patterns: AnswerPatterns
    pairs: list[PairTable]


def votes_of(campaign: Campaign) -> Votes:
    """All that agreement is computed from, with one pass over the ratings."""
    parts = question_parts(campaign.annotation_protocol.question_schemes)
    ballots = Ballots.of(campaign, parts)
    patterns, codes = ballots.patterns_and_codes()
    raters = dict(Membership.objects.filter(campaign=campaign).values_list("pk", "pseudonym"))
    return Votes(patterns, pair_tables_from_codes(codes, raters, ballots.labels))


@read_once
def vote_patterns(campaign: Campaign) -> VotePatterns:
    """How many items have which counts of votes per label."""
    return Ballots.of(campaign, ()).patterns().labels


@read_once
def votes_by_item(campaign: Campaign) -> Mapping[int, tuple[int, ...]]:
    """The votes of every rated item, in the order of the labels."""
    return Ballots.of(campaign, ()).by_item()


def majority_labels(
    campaign: Campaign, votes: Mapping[int, tuple[int, ...]]
) -> dict[int, str | None]:
    """The majority label of every item of these votes, None for a tie."""
    scheme = campaign.annotation_protocol.scheme
    winners = {each: majority(scheme, each).winner for each in set(votes.values())}
    return {item: winners[each] for item, each in votes.items()}


def labels_by_question_type(campaign: Campaign) -> dict[str, dict[str, int]]:
    """How many votes have each label, for every type of question there is (CAP Tab. 15)."""
    if not campaign.questions.exclude(question_type="").exists():
        return {}
    counts: dict[str, dict[str, int]] = {}
    labels = campaign.annotation_protocol.scheme.labels
    rows = (
        counted_ratings(campaign)
        .exclude(item__question__question_type="")
        .values_list("item__question__question_type", "outcome__label")
        .annotate(votes=Count("id"))
        .order_by()
    )
    for kind, label, votes in rows:
        counts.setdefault(kind, dict.fromkeys(labels, 0))[label] = votes
    return dict(sorted(counts.items()))
