"""Everything that is said about agreement, of raters and of adjudicators, in one place: for
page, command, API and release.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, fields_as_json, reason_as_json, wilson_share
from tomahto.reliability.chance_corrected import KAPPA_WEIGHTS, KappaWeights, cohen_kappa
from tomahto.reliability.statistics import estimates_as_json, estimates_of
from tomahto.types import JsonObject
from tomahto.votes.answer_patterns import AnswerPatterns
from tomahto.votes.majority import majority, majority_totals
from tomahto.votes.patterns import PairTable, Pattern, VotePatterns, pair_tables_from_votes
from tomahto.votes.scheme import LabelScheme, Level


@dataclass(frozen=True, slots=True)
class PairKappa:
    """Cohen's kappa of two raters over the items both rated."""

    raters: tuple[str, str]
    items: int
    estimates: Mapping[KappaWeights, Estimate]

    def as_json(self) -> JsonObject:
        return {
            "raters": list(self.raters),
            "items": self.items,
            **{weights: estimate.value for weights, estimate in self.estimates.items()},
            **reason_as_json(*self.estimates.values()),
        }


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """Agreement on one question among those who were asked it, at the nominal level.

    `items` are those in which at least one rater was asked, `ratings` the answers; every estimate
    has as `n` the items in which two or more were. `answers` names every answer of the question
    in the order of its form.
    """

    items: int
    ratings: int
    answers: Mapping[str, int]
    estimates: Mapping[str, Estimate]

    def as_json(self) -> JsonObject:
        return {
            "items": self.items,
            "ratings": self.ratings,
            "answers": dict(self.answers),
            **estimates_as_json(self.estimates, "nominal"),
        }


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """Counts, majority labels and agreement of a set of rated items.

    `items` are those with at least one rating; `majority` counts strict winners only, all other
    items are `ties`. `labels` and `majority` name every label of the scheme in its order.
    `questions` has the agreement on each part of the form by its key.
    """

    protocol: str
    items: int
    ratings: int
    ratings_per_item: Mapping[int, int]
    labels: Mapping[str, int]
    majority: Mapping[str, int]
    ties: int
    level: Level
    estimates: Mapping[str, Estimate]
    kappa: tuple[PairKappa, ...]
    questions: Mapping[str, QuestionAgreement]

    def as_json(self) -> JsonObject:
        """The report as a JSON object, its keys always in the same order.

        What is undefined is null, and its object has a "reason"; "undefined_replicates" is there
        only where some were left out of an interval.
        """
        return {
            "protocol": self.protocol,
            "items": self.items,
            "ratings": self.ratings,
            "ratings_per_item": {str(n): items for n, items in self.ratings_per_item.items()},
            "labels": dict(self.labels),
            "majority": dict(self.majority),
            "ties": self.ties,
            **estimates_as_json(self.estimates, self.level),
            "kappa": [kappa.as_json() for kappa in self.kappa],
            "questions": {key: question.as_json() for key, question in self.questions.items()},
        }


def agreement_report(
    protocol: str,
    patterns: AnswerPatterns,
    pairs: Sequence[PairTable],
    *,
    seed: int,
    replicates: int = 2000,
    is_widened: bool = True,
) -> AgreementReport:
    """The agreement of the items in `patterns`, and of the raters in `pairs`.

    `seed`, `replicates` and `is_widened` are those of the bootstrap intervals.
    """
    bootstrap = Bootstrap(replicates, seed, is_widened)
    votes = patterns.labels
    majority, ties = majority_totals(votes)
    tables = sorted(pairs, key=lambda table: table.raters)
    return AgreementReport(
        protocol=protocol,
        items=votes.items,
        ratings=votes.ratings,
        ratings_per_item=votes.ratings_per_item(),
        labels=votes.label_totals(),
        majority=majority,
        ties=ties,
        level=votes.scheme.level,
        estimates=estimates_of(votes, bootstrap),
        kappa=tuple(
            PairKappa(
                table.raters,
                table.items,
                {weights: cohen_kappa(table, votes.scheme, weights) for weights in KAPPA_WEIGHTS},
            )
            for table in tables
        ),
        questions={
            key: QuestionAgreement(
                answers.items,
                answers.ratings,
                answers.label_totals(),
                estimates_of(answers, bootstrap),
            )
            for key, answers in patterns.questions.items()
        },
    )


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

    decisions: int
    adjudicated: int
    differing: int
    against_majority: Estimate
    ties_settled: int
    changed_mind: Estimate
    agreement: AgreementReport

    def as_json(self) -> JsonObject:
        return fields_as_json(self)


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
