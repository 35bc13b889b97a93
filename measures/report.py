"""Everything that is said about agreement in one place: for page, command, API and release."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from measures.agreement import (
    full_agreement,
    observed_agreement,
    pair_agreement_item_mean,
    pair_agreement_pooled,
    published_alpha,
)
from measures.estimate import Estimate, estimate_as_json
from measures.gwet import gwet_ac1_with_interval
from measures.kappa import cohen_kappa
from measures.patterns import PairTable, VotePatterns
from measures.scheme import LabelScheme, Level
from measures.votes import majority_totals

JsonObject = dict[str, Any]


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
class AgreementReport:
    """Counts, majority labels and agreement of a set of rated items.

    `items` are those with at least one rating; `majority` counts strict winners only, all other
    items are `ties`. `labels` and `majority` name every label of the scheme in its order.
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
        }


def agreement_report(
    protocol: str,
    patterns: VotePatterns,
    pairs: Sequence[PairTable],
    *,
    seed: int,
    replicates: int = 2000,
) -> AgreementReport:
    """The agreement of the items in `patterns`, and of the raters in `pairs`.

    `seed` and `replicates` are those of the bootstrap intervals of alpha and AC1.
    """
    majority, ties = majority_totals(patterns)
    tables = sorted(pairs, key=lambda table: table.raters)
    return AgreementReport(
        protocol=protocol,
        items=patterns.items,
        ratings=patterns.ratings,
        ratings_per_item=patterns.ratings_per_item(),
        labels=patterns.label_totals(),
        majority=majority,
        ties=ties,
        level=patterns.scheme.level,
        alpha=published_alpha(patterns, seed=seed, replicates=replicates),
        ac1=gwet_ac1_with_interval(patterns, seed=seed, replicates=replicates),
        observed_agreement=observed_agreement(patterns),
        pair_agreement_item_mean=pair_agreement_item_mean(patterns),
        pair_agreement_pooled=pair_agreement_pooled(patterns),
        full_agreement=full_agreement(patterns),
        kappa=tuple(_pair_kappa(table, patterns.scheme) for table in tables),
    )


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
