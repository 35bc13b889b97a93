"""May a matcher stand in for a rater? The alternative annotator test.

(Calderon, Reichart and Dror 2025, "The Alternative Annotator Test for LLM-as-a-Judge", ACL 2025,
section 3.) Each rater is left out in turn. On each of their items, the rater and the matcher are
scored by the share of the remaining raters who gave the same label. The matcher has the advantage
where its score is at least as high, and so has the rater; rho is how often. With d the rater's
advantage less the matcher's, 1, 0 or -1,

    the matcher beats the rater if mean d < epsilon, by a one-sided t test of d over the items.

epsilon is what a rater costs more than the matcher, as advantage that may be lost: the paper takes
0.2 where the raters are experts, 0.15 for skilled and 0.1 for crowd raters. The raters' tests are
corrected together by Benjamini and Yekutieli (2001), which holds under any dependence: the
raters share items. omega, the winning rate, is the share of the raters whom the matcher beats.
The matcher may stand in for a rater if omega is at least 1/2.
"""

import math
from dataclasses import dataclass

import numpy as np

from tomahto.estimates.estimate import Estimate, undefined, wilson_share
from tomahto.types import Floats, Integers
from tomahto.votes.rating_rows import RatingRows

MIN_RATERS = 3
MIN_ITEMS = 30
NO_LABEL = -1


@dataclass(frozen=True, slots=True)
class LeftOutRater:
    """A rater against the matcher, as judged by the others, on `items` items.

    `matcher_advantage` and `rater_advantage` are the shares of the items on which the one does
    at least as well as the other: a tie counts for both. `p_value` is that of the rater's own
    test, `is_beaten` what follows once all raters' tests are corrected.
    """

    rater: str
    items: int
    matcher_advantage: Estimate
    rater_advantage: Estimate
    p_value: float
    is_beaten: bool


@dataclass(frozen=True, slots=True)
class AlternativeAnnotator:
    """The winning rate, and whether the matcher may stand in for a rater.

    `n` of the winning rate is the number of raters tested; it is undefined if there are fewer
    than MIN_RATERS, and then `may_replace` is None. `advantage` is the mean of the matcher's
    advantages: unlike the winning rate it does not depend on epsilon. `skipped` names raters
    with fewer than MIN_ITEMS items that the matcher and somebody else labelled too.
    """

    winning_rate: Estimate
    may_replace: bool | None
    advantage: Estimate
    raters: tuple[LeftOutRater, ...]
    skipped: tuple[str, ...]
    epsilon: float


def alternative_annotator(
    rows: RatingRows, matcher: Integers, *, epsilon: float, level: float = 0.05
) -> AlternativeAnnotator:
    """The test for a matcher that gave item i the label `matcher[i]` (I,), or NO_LABEL.

    `level` is the false discovery rate over the raters.

    Raises ValueError if `matcher` does not fit the ratings, a rater rated an item twice, or
    `epsilon` is not from 0 up to 1 or `level` not between 0 and 1.
    """
    _check(rows, matcher, epsilon, level)
    differences, raters = _advantages(rows, matcher)
    tested, skipped = [], []
    for rater, name in enumerate(rows.rater_names):
        own = differences[raters == rater]
        if len(own) < MIN_ITEMS:
            skipped.append(name)
        else:
            tested.append((name, own, _p_value(own, epsilon)))
    beaten = _rejected([p_value for _, _, p_value in tested], level)
    left_out = tuple(
        LeftOutRater(
            rater=name,
            items=len(own),
            matcher_advantage=wilson_share(int((own <= 0).sum()), len(own)),
            rater_advantage=wilson_share(int((own >= 0).sum()), len(own)),
            p_value=p_value,
            is_beaten=is_beaten,
        )
        for (name, own, p_value), is_beaten in zip(tested, beaten, strict=True)
    )
    return _summary(left_out, tuple(skipped), epsilon)


def _summary(
    raters: tuple[LeftOutRater, ...], skipped: tuple[str, ...], epsilon: float
) -> AlternativeAnnotator:
    n = len(raters)
    if n < MIN_RATERS:
        reason = (
            f"{MIN_RATERS} raters with {MIN_ITEMS} items are needed that the matcher and"
            " another rater labelled too"
        )
        nothing = undefined(reason, n=n)
        return AlternativeAnnotator(nothing, None, nothing, raters, skipped, epsilon)
    rate = sum(one.is_beaten for one in raters) / n
    advantage = sum(one.matcher_advantage.value or 0 for one in raters) / n
    return AlternativeAnnotator(
        winning_rate=Estimate(value=rate, n=n),
        may_replace=rate >= 0.5,
        advantage=Estimate(value=advantage, n=n),
        raters=raters,
        skipped=skipped,
        epsilon=epsilon,
    )


def _check(rows: RatingRows, matcher: Integers, epsilon: float, level: float) -> None:
    if len(matcher) != rows.item_count:
        raise ValueError(f"{len(matcher)} labels of the matcher for {rows.item_count} items")
    if matcher.min() < NO_LABEL or matcher.max() >= len(rows.label_names):
        raise ValueError("the matcher gives a label that is not in the scheme")
    rows.require_once()
    if not 0 <= epsilon < 1:
        raise ValueError(f"epsilon {epsilon} is not from 0 up to 1")
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")


def _advantages(rows: RatingRows, matcher: Integers) -> tuple[Floats, Integers]:
    """The rater's advantage less the matcher's (M,), and the rater (M,), where both have one."""
    others = rows.others
    guesses = matcher[rows.items]
    # All scores of an item are over the same others, so their counts compare as the shares do.
    difference = others[np.arange(rows.n), rows.labels] - others[np.arange(rows.n), guesses]
    comparable = (others.sum(axis=1) > 0) & (guesses != NO_LABEL)
    return np.sign(difference)[comparable].astype(np.float64), rows.raters[comparable]


def _p_value(differences: Floats, epsilon: float) -> float:
    """Of the one-sided t test that the mean is below epsilon."""
    from scipy.special import stdtr  # slow to load, and few pages need it

    shortfall = float(differences.mean()) - epsilon
    error = float(differences.std(ddof=1)) / math.sqrt(len(differences))
    if error == 0:
        return 0.0 if shortfall < 0 else 1.0
    return float(stdtr(len(differences) - 1, shortfall / error))


def _rejected(p_values: list[float], level: float) -> list[bool]:
    """The tests that are significant at a false discovery rate, whatever their dependence."""
    tests = len(p_values)
    penalty = sum(1 / rank for rank in range(1, tests + 1))
    limit = -1.0
    for rank, p_value in enumerate(sorted(p_values), start=1):
        if p_value <= rank / tests * level / penalty:
            limit = p_value
    return [p_value <= limit for p_value in p_values]
