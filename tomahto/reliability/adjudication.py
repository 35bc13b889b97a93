"""Adjudicators' agreement with one another and with the ratings."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tomahto.estimates.binomial import wilson_share
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.reliability.report import AgreementReport, agreement_report
from tomahto.types import JsonObject
from tomahto.votes.answer_patterns import AnswerPatterns
from tomahto.votes.majority import majority
from tomahto.votes.patterns import Pattern, VotePatterns, pair_tables_from_votes
from tomahto.votes.scheme import LabelScheme


@dataclass(frozen=True, slots=True)
class Decision:
    """One adjudicator's current label of an item of a question; `first_label` is that of a blind
    first look."""

    item: str
    question: str
    adjudicator: str
    label: str
    first_label: str | None = None


@dataclass(frozen=True, slots=True)
class AdjudicationReport:
    """Agreement of adjudicators, and how their labels relate to votes and first looks.

    `adjudicated` items have a label that all their adjudicators share, `differing` ones none.
    `against_majority` is the share of adjudicated items whose label is not the majority label,
    among those that have one; `ties_settled` are those without. `changed_mind` is the share of
    decisions whose label is not that of the blind first look, among those that had one. Both
    have Wilson intervals.
    """

    agreement: AgreementReport
    decisions: int
    adjudicated: int
    differing: int
    against_majority: Estimate
    ties_settled: int
    changed_mind: Estimate

    def as_json(self) -> JsonObject:
        return {
            "decisions": self.decisions,
            "adjudicated": self.adjudicated,
            "differing": self.differing,
            "against_majority": estimate_as_json(self.against_majority),
            "ties_settled": self.ties_settled,
            "changed_mind": estimate_as_json(self.changed_mind),
            "agreement": self.agreement.as_json(),
        }


def adjudicated_labels(decisions: Iterable[Decision]) -> dict[str, str | None]:
    """Every decided item with the label its adjudicators share, None where they differ."""
    given: dict[str, set[str]] = defaultdict(set)
    for decision in decisions:
        given[decision.item].add(decision.label)
    return {item: min(labels) if len(labels) == 1 else None for item, labels in given.items()}


def adjudication_report(
    protocol: str,
    scheme: LabelScheme,
    decisions: Sequence[Decision],
    votes: Mapping[str, Pattern],
    *,
    seed: int,
    replicates: int = 2000,
) -> AdjudicationReport:
    """The report on current decisions, one per item and adjudicator.

    `votes` holds the counted votes of the decided items by label; an item without votes may be
    missing. `seed` and `replicates` are those of the bootstrap intervals of the agreement.
    Raises ValueError if a label is not in the scheme.
    """
    by_item: dict[str, dict[str, str]] = defaultdict(dict)
    for decision in decisions:
        by_item[decision.item][decision.adjudicator] = decision.label
    question_of = {decision.item: decision.question for decision in decisions}
    labels = adjudicated_labels(decisions)
    shared = {item: label for item, label in labels.items() if label is not None}
    winners = {item: majority(scheme, votes[item]).winner for item in shared if item in votes}
    is_against = [shared[item] != winner for item, winner in winners.items() if winner is not None]
    is_changed = [d.first_label != d.label for d in decisions if d.first_label is not None]
    patterns = VotePatterns.from_votes_of_questions(
        scheme, ((question_of[item], each.values()) for item, each in by_item.items())
    )
    return AdjudicationReport(
        agreement=agreement_report(
            protocol,
            AnswerPatterns(patterns, questions={}),
            pair_tables_from_votes(scheme, by_item.values()),
            seed=seed,
            replicates=replicates,
        ),
        decisions=len(decisions),
        adjudicated=len(shared),
        differing=len(labels) - len(shared),
        against_majority=wilson_share(
            sum(is_against), len(is_against), "no adjudicated item has a majority label"
        ),
        ties_settled=sum(winner is None for winner in winners.values()),
        changed_mind=wilson_share(
            sum(is_changed), len(is_changed), "no decision had a blind first look"
        ),
    )
