"""The statistics of agreement, each described once.

Reports, pages, the API, the dataset card, the papers' tables and the datasheet go through
`STATISTICS`: what stands there stands everywhere.

Beside the published alpha and AC1 there are four plain shares. A "random pair of ratings" has three
defensible readings, so each has a name of its own: the mean over items, the pool of all pairs, and
Krippendorff's observed agreement, which weighs an item by its ratings. They differ as soon as items
have different numbers of ratings.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any

from tomahto.estimates.bootstrap import FEW, Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json, reason_as_json, undefined
from tomahto.reliability.alpha import alpha_with_interval
from tomahto.reliability.chance_corrected import gwet_ac1_with_interval
from tomahto.reliability.krippendorff_package import package_alpha, package_cells
from tomahto.text.translatable import gettext_noop
from tomahto.types import JsonObject
from tomahto.votes.patterns import VotePatterns
from tomahto.votes.scheme import Level

PACKAGE_CELLS = 10_000_000  # 80 MB an array, about 240 MB in all


def published_alpha(
    patterns: VotePatterns,
    *,
    seed: int,
    replicates: int = 2000,
    level: Level | None = None,
    is_widened: bool = True,
    cells: int = PACKAGE_CELLS,
) -> Estimate:
    """Krippendorff's alpha by the `krippendorff` package, the interval by our own bootstrap.

    The package takes one row per disagreeing item. Where its arrays would exceed `cells`
    numbers (from some 150,000 disagreeing items with eight labels, or 2,500,000 with two), our
    closed form gives the value too; the two differ by rounding only.
    """
    estimate = alpha_with_interval(
        patterns, seed=seed, replicates=replicates, level=level, is_widened=is_widened
    )
    if package_cells(patterns, level=level) > cells:
        return estimate
    return replace(estimate, value=package_alpha(patterns, level=level).value)


def pair_agreement_item_mean(patterns: VotePatterns) -> Estimate:
    """Chance that two ratings of an item agree, averaged over items with at least two ratings.

    sum over items of P_i / N, with P_i = sum over labels of n_il (n_il - 1) / (n_i (n_i - 1))
    (Fleiss 1971, eq. 3, where all n_i are equal). `n` is the number of those items.
    """
    return _weighted_pair_agreement(patterns, lambda _ratings: 1)


def pair_agreement_pooled(patterns: VotePatterns) -> Estimate:
    """Share of all pairs of ratings of the same item that agree.

    sum over items of agreeing pairs / sum over items of n_i (n_i - 1) / 2: an item with four
    ratings counts six times as much as one with two. `n` is the number of items with at least
    two ratings.
    """
    return _weighted_pair_agreement(patterns, lambda ratings: ratings * (ratings - 1))


def observed_agreement(patterns: VotePatterns) -> Estimate:
    """Krippendorff's observed agreement: 1 - D_o at the nominal level.

    sum over items of sum over labels of n_il (n_il - 1) / (n_i - 1), divided by the ratings of
    items with at least two (Krippendorff 2011, section C): an item counts by its number of
    ratings. `n` is the number of those items.
    """
    return _weighted_pair_agreement(patterns, lambda ratings: ratings)


def full_agreement(patterns: VotePatterns) -> Estimate:
    """Share of the items with at least two ratings whose ratings are all the same.

    `n` is the number of those items.
    """
    pairable = patterns.pairable()
    if not pairable.items:
        return undefined("no item has two ratings", n=0)
    same = sum(items for pattern, items in pairable.counts.items() if max(pattern) == sum(pattern))
    return Estimate(value=same / pairable.items, n=pairable.items)


def _weighted_pair_agreement(patterns: VotePatterns, weight: Callable[[int], int]) -> Estimate:
    pairable = patterns.pairable()
    if not pairable.items:
        return undefined("no item has two ratings", n=0)
    agreeing: Counter[int] = Counter()
    total = 0
    for pattern, items in pairable.counts.items():
        weights = items * weight(ratings := sum(pattern))
        agreeing[ratings] += weights * sum(count * (count - 1) for count in pattern)
        total += weights
    # exact, so order cannot matter
    agreement = sum(Fraction(pairs, n * (n - 1)) for n, pairs in agreeing.items())
    return Estimate(value=float(agreement / total), n=pairable.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistic:
    """The agreement of raters as one number, with its titles and the places that show it.

    `estimate` makes it of `VotePatterns`; with `has_interval` it takes what a `Bootstrap` has, too,
    and JSON has it in full, else its value alone. Several readings of one thing
    have its name as `group`, which their own names begin with.

    Pages show it under `title`, or that of the votes' level in `titles`; they do not without one.
    `reading` says in which sense, where there are several, and `explanation` what it is for: in
    its tile, in the place of n. Both are translated.

    A release's documents show it under `heading`, the card under `card_heading` if it has one;
    they do not without one. `symbol` is its name in a sentence, `definition` a note.
    """

    name: str
    estimate: Callable[..., Estimate]
    has_interval: bool = False
    is_share: bool = False
    group: str = ""
    title: str = ""
    titles: Mapping[Level, str] = field(default_factory=dict)
    reading: str = ""
    explanation: str = ""
    heading: str = ""
    card_heading: str = ""
    symbol: str = ""
    definition: str = ""

    def of(self, votes: VotePatterns, bootstrap: Bootstrap) -> Estimate:
        return self.estimate(votes, **(bootstrap._asdict() if self.has_interval else {}))

    def title_at(self, level: Level) -> str:
        """Its title on pages, in English."""
        return self.titles.get(level, self.title)

    def read(self, report: Mapping[str, Any]) -> JsonObject:
        """Its "value" in a report's JSON object, with "low" and "high" if it `has_interval`, and
        "reason" where there is one."""
        if self.has_interval:
            return dict(report[self.name])
        place = report[self.group] if self.group else report
        reason = {"reason": place["reason"]} if "reason" in place else {}
        return {"value": place[self.key], **reason}

    @property
    def key(self) -> str:
        """Its name among those of its group."""
        return self.name.removeprefix(f"{self.group}_") if self.group else self.name


STATISTICS = (
    Statistic(
        name="alpha",
        estimate=published_alpha,
        has_interval=True,
        titles={
            "nominal": gettext_noop("Krippendorff’s α, nominal"),
            "ordinal": gettext_noop("Krippendorff’s α, ordinal"),
            "interval": gettext_noop("Krippendorff’s α, interval"),
        },
        heading="Krippendorff's α",
        symbol="α",
    ),
    Statistic(
        name="ac1",
        estimate=gwet_ac1_with_interval,
        has_interval=True,
        title=gettext_noop("Gwet’s AC1"),
        explanation=gettext_noop(
            "Agreement beyond chance that does not fall when one label is rare."
        ),
        heading="Gwet's AC1",
        symbol="AC1",
    ),
    Statistic(name="observed_agreement", estimate=observed_agreement, is_share=True),
    Statistic(
        name="pair_agreement_item_mean",
        estimate=pair_agreement_item_mean,
        is_share=True,
        group="pair_agreement",
        title=gettext_noop("Two ratings of an item agree"),
        reading=gettext_noop("mean over items"),
        heading="Pairs, mean over items",
        card_heading="pairs agree, mean over items",
    ),
    Statistic(
        name="pair_agreement_pooled",
        estimate=pair_agreement_pooled,
        is_share=True,
        group="pair_agreement",
        title=gettext_noop("Two ratings of an item agree"),
        reading=gettext_noop("all pairs pooled"),
        heading="Pairs, pooled",
        card_heading="pairs agree, pooled",
    ),
    Statistic(
        name="full_agreement",
        estimate=full_agreement,
        is_share=True,
        title=gettext_noop("All ratings of an item agree"),
        heading="Full agreement",
        card_heading="full agreement",
        definition=(
            "Full agreement is the share of these items on which all raters agree, pairs the share"
            " of pairs of ratings of an item that do."
        ),
    ),
)

IN_DOCUMENTS = tuple(
    sorted((each for each in STATISTICS if each.heading), key=lambda each: bool(each.group))
)
"""Those that a release's documents show, the readings of one thing last."""


def on_pages() -> Iterator[tuple[Statistic, ...]]:
    """The statistics that pages show, the readings of one thing together."""
    shown = (each for each in STATISTICS if each.title or each.titles)
    for _name, readings in groupby(shown, key=lambda each: each.group or each.name):
        yield tuple(readings)


def estimates_of(votes: VotePatterns, bootstrap: Bootstrap) -> dict[str, Estimate]:
    """Every statistic of these votes by its name."""
    return {each.name: each.of(votes, bootstrap) for each in STATISTICS}


def estimates_as_json(estimates: Mapping[str, Estimate], level: Level) -> JsonObject:
    """The statistics of a report, always in the same order. The "reason" why one is undefined that
    is not in full stands beside it."""
    found: JsonObject = {}
    bare = []
    for each in STATISTICS:
        if each.has_interval:
            own_level = {"level": level} if each.titles else {}
            found[each.name] = own_level | estimate_as_json(estimates[each.name])
        else:
            place = found.setdefault(each.group, {}) if each.group else found
            place[each.key] = estimates[each.name].value
            bare.append(each)
    by_group = attrgetter("group")
    for group, alike in groupby(sorted(bare, key=by_group), key=by_group):
        place = found[group] if group else found
        place |= reason_as_json(*(estimates[each.name] for each in alike))
    return found


def what_was_drawn(reports: Iterable[Mapping[str, Any]]) -> str:
    """In words, the clusters that the intervals of reports' JSON objects draw, and if they are few.

    The first version of a release's figures drew items and did not say so.
    """
    with_intervals = [each.name for each in STATISTICS if each.has_interval]
    drew = [report[name] for report in reports for name in with_intervals if "drew" in report[name]]
    if not drew:
        return "items"
    fewest = min(each["clusters"] for each in drew)
    care = f", fewer than {FEW} in places: read with care" if fewest < FEW else ""
    return f"{drew[0]['drew']}{care}"
