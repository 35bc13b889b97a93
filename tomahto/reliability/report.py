"""Everything that is said about agreement in one place: for page, command, API and release."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json
from tomahto.reliability.agreement import (
    full_agreement,
    observed_agreement,
    pair_agreement_item_mean,
    pair_agreement_pooled,
    published_alpha,
)
from tomahto.reliability.gwet import gwet_ac1_with_interval
from tomahto.reliability.kappa import cohen_kappa
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
    unweighted: Estimate
    linear: Estimate
    quadratic: Estimate

    def as_json(self) -> JsonObject:
        estimates = {
            "unweighted": self.unweighted,
            "linear": self.linear,
            "quadratic": self.quadratic,
        }
        return {
            "raters": list(self.raters),
            "items": self.items,
            **_values(estimates),
            **_reason(estimates.values()),
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
    alpha: Estimate
    ac1: Estimate
    observed_agreement: Estimate
    pair_agreement_item_mean: Estimate
    pair_agreement_pooled: Estimate
    full_agreement: Estimate

    def as_json(self) -> JsonObject:
        pair_agreement = {
            "item_mean": self.pair_agreement_item_mean,
            "pooled": self.pair_agreement_pooled,
        }
        return {
            "items": self.items,
            "ratings": self.ratings,
            "answers": dict(self.answers),
            "alpha": alpha_as_json(self.alpha, "nominal"),
            "ac1": estimate_as_json(self.ac1),
            "observed_agreement": self.observed_agreement.value,
            "pair_agreement": _values(pair_agreement) | _reason(pair_agreement.values()),
            "full_agreement": self.full_agreement.value,
            **_reason((self.observed_agreement, self.full_agreement)),
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
    alpha: Estimate
    ac1: Estimate
    observed_agreement: Estimate
    pair_agreement_item_mean: Estimate
    pair_agreement_pooled: Estimate
    full_agreement: Estimate
    kappa: tuple[PairKappa, ...]
    questions: Mapping[str, QuestionAgreement]

    def as_json(self) -> JsonObject:
        """The report as a JSON object, its keys always in the same order.

        What is undefined is null, and its object has a "reason"; "undefined_replicates" of
        alpha and AC1 is there only where some were left out of the interval.
        """
        pair_agreement = {
            "item_mean": self.pair_agreement_item_mean,
            "pooled": self.pair_agreement_pooled,
        }
        shares = (self.observed_agreement, self.full_agreement)
        return {
            "protocol": self.protocol,
            "items": self.items,
            "ratings": self.ratings,
            "ratings_per_item": {str(n): items for n, items in self.ratings_per_item.items()},
            "labels": dict(self.labels),
            "majority": dict(self.majority),
            "ties": self.ties,
            "alpha": alpha_as_json(self.alpha, self.level),
            "ac1": estimate_as_json(self.ac1),
            "observed_agreement": self.observed_agreement.value,
            "pair_agreement": _values(pair_agreement) | _reason(pair_agreement.values()),
            "full_agreement": self.full_agreement.value,
            **_reason(shares),
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
) -> AgreementReport:
    """The agreement of the items in `patterns`, and of the raters in `pairs`.

    `seed` and `replicates` are those of the bootstrap intervals of alpha and AC1.
    """
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
        **_estimates(votes, Bootstrap(replicates, seed)),
        kappa=tuple(_pair_kappa(table, votes.scheme) for table in tables),
        questions={
            key: _question_agreement(answers, Bootstrap(replicates, seed))
            for key, answers in patterns.questions.items()
        },
    )


def _question_agreement(answers: VotePatterns, bootstrap: Bootstrap) -> QuestionAgreement:
    return QuestionAgreement(
        items=answers.items,
        ratings=answers.ratings,
        answers=answers.label_totals(),
        **_estimates(answers, bootstrap),
    )


def _estimates(votes: VotePatterns, bootstrap: Bootstrap) -> dict[str, Estimate]:
    """What is estimated of the label and of each question alike, by the name of its field."""
    return {
        "alpha": published_alpha(votes, **bootstrap._asdict()),
        "ac1": gwet_ac1_with_interval(votes, **bootstrap._asdict()),
        "observed_agreement": observed_agreement(votes),
        "pair_agreement_item_mean": pair_agreement_item_mean(votes),
        "pair_agreement_pooled": pair_agreement_pooled(votes),
        "full_agreement": full_agreement(votes),
    }


def alpha_as_json(alpha: Estimate, level: Level) -> JsonObject:
    """An alpha with its interval and signature as a JSON object."""
    return {"level": level, **estimate_as_json(alpha)}


def _pair_kappa(table: PairTable, scheme: LabelScheme) -> PairKappa:
    return PairKappa(
        raters=table.raters,
        items=table.items,
        unweighted=cohen_kappa(table, scheme, "unweighted"),
        linear=cohen_kappa(table, scheme, "linear"),
        quadratic=cohen_kappa(table, scheme, "quadratic"),
    )


def _values(estimates: Mapping[str, Estimate]) -> JsonObject:
    return {name: estimate.value for name, estimate in estimates.items()}


def _reason(estimates: Iterable[Estimate]) -> JsonObject:
    """The key "reason" with every different reason once, or nothing where all is defined."""
    reasons = dict.fromkeys(estimate.reason for estimate in estimates if estimate.reason)
    return {"reason": "; ".join(reasons)} if reasons else {}
