"""What the page of one adjudicated item shows, worked out before a template sees it."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.adjudication.queries.decisions import evidence_on, first_look_at, own_decision
from tasks.models import Adjudication, FirstLook, Flag, Item, Membership, Rating, Suggestion
from tasks.protocols.definition import AnnotationProtocol
from tasks.rating.shown.rating_page import Filling
from tasks.rating.shown.shown_answer import ShownAnswer, shown_answer


@dataclass(frozen=True, slots=True)
class ShownVote:
    rating: Rating
    answer: ShownAnswer


@dataclass(frozen=True, slots=True)
class ShownDecision:
    adjudication: Adjudication
    answer: ShownAnswer


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """What others have said about the item. Made only for those who may see it."""

    votes: list[ShownVote]
    tally: list[tuple[str, int]]
    flags: list[Flag]
    suggestion: Suggestion | None
    explanation: list[tuple[str, str]]
    decisions: list[ShownDecision]
    look: ShownAnswer | None


def shown_evidence(item: Item, adjudicator: Membership) -> ShownEvidence:
    protocol = adjudicator.campaign.annotation_protocol
    evidence = evidence_on(item, adjudicator.campaign)
    look = first_look_at(item, adjudicator)
    return ShownEvidence(
        votes=[ShownVote(each, shown_answer(each.outcome, protocol)) for each in evidence.votes],
        tally=list(_tally(evidence.votes, protocol)),
        flags=evidence.flags,
        suggestion=evidence.suggestion,
        explanation=list(_explanation(evidence.suggestion)),
        decisions=[
            ShownDecision(each, shown_answer(each.outcome, protocol))
            for each in evidence.decisions
            if each.adjudicator_id != adjudicator.pk
        ],
        look=shown_answer(look.outcome, protocol) if look else None,
    )


def first_filling(item: Item, adjudicator: Membership) -> tuple[Filling, str]:
    """The form of a decision as it is opened, and the reason in it.

    It holds the decision as it stands, else the first look.
    """
    known: Adjudication | FirstLook | None
    known = decision = own_decision(item, adjudicator)
    known = known or first_look_at(item, adjudicator)
    answers = dict(known.outcome.answers) if known else {}
    return Filling(answers), decision.reason if decision else ""


def _tally(votes: list[Rating], protocol: AnnotationProtocol) -> Iterator[tuple[str, int]]:
    """How many counted votes each label has, those without any left out."""
    given = [rating.outcome.label for rating in votes if rating.is_counted]
    for label in protocol.labels:
        if number := given.count(label.value):
            yield label.title, number


def _explanation(suggestion: Suggestion | None) -> Iterator[tuple[str, str]]:
    """What the matcher's score comes from, one line for each part that it names."""
    if suggestion is None or suggestion.explanation is None:
        return
    parts = suggestion.explanation
    for name, value in parts.items() if isinstance(parts, dict) else [("", parts)]:
        yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
