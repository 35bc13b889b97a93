"""Everything that is said about agreement in one place: for page, command, API and release."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, reason_as_json
from tomahto.reliability.kappa import KAPPA_WEIGHTS, KappaWeights, cohen_kappa
from tomahto.reliability.statistics import estimates_as_json, estimates_of
from tomahto.types import JsonObject
from tomahto.votes.answer_patterns import AnswerPatterns
from tomahto.votes.majority import majority_totals
from tomahto.votes.patterns import PairTable, VotePatterns
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
        kappa=tuple(_pair_kappa(table, votes.scheme) for table in tables),
        questions={
            key: _question_agreement(answers, bootstrap)
            for key, answers in patterns.questions.items()
        },
    )


def _question_agreement(answers: VotePatterns, bootstrap: Bootstrap) -> QuestionAgreement:
    return QuestionAgreement(
        items=answers.items,
        ratings=answers.ratings,
        answers=answers.label_totals(),
        estimates=estimates_of(answers, bootstrap),
    )


def _pair_kappa(table: PairTable, scheme: LabelScheme) -> PairKappa:
    return PairKappa(
        raters=table.raters,
        items=table.items,
        estimates={weights: cohen_kappa(table, scheme, weights) for weights in KAPPA_WEIGHTS},
    )
