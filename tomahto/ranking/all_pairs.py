"""Every two systems compared: intervals that hold one by one, and such that hold all together.

Among many pairs that do not differ, one in twenty seems to by its own 95 % interval. The intervals
that hold together are studentised over all pairs: with 95 % confidence every one of them contains
its difference (Romano and Wolf 2005, "Exact and approximate stepdown methods for multiple
hypothesis testing", JASA 100; the same as in `tomahto.ranking.rank_sets`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from tomahto.estimates.bootstrap import CONFIDENCE, Bootstrap, numbered
from tomahto.estimates.estimate import Estimate
from tomahto.ranking.system_accuracy import difference
from tomahto.ranking.system_answers import Key, SystemAnswers
from tomahto.ranking.system_differences import SystemDifferences
from tomahto.ranking.system_scores import AnswerScores
from tomahto.types import Floats

_ALIKE = "the systems differ alike in every replicate: resampling shows no uncertainty"
_NOISE = 1e-12  # standard errors below this are rounding


@dataclass(frozen=True, slots=True)
class PairDifference:
    """The accuracy of the first system less that of the second, over the questions of both.

    `alone` has an interval of its own, `together` one that holds for all pairs at once.
    """

    first: str
    second: str
    shared: int
    alone: Estimate
    together: Estimate


def all_pairs(systems: Sequence[SystemAnswers[Key]], bootstrap: Bootstrap) -> list[PairDifference]:
    """Every two of the systems, in their order; see `difference` for what is compared."""
    pairs = list(combinations(systems, 2))
    alone = [difference(one, other, bootstrap) for one, other in pairs]
    reaches = _reaches(systems, bootstrap) if any(each.low is not None for each in alone) else []
    return [
        PairDifference(
            one.system,
            other.system,
            len(one.questions & other.questions),
            own,
            _together(own, reaches[place]) if own.low is not None else own,
        )
        for place, ((one, other), own) in enumerate(zip(pairs, alone, strict=True))
    ]


def _together(alone: Estimate, reach: float) -> Estimate:
    """The difference with all that lies within `reach` of it, as far as a difference can lie."""
    if alone.value is None or reach < _NOISE:
        return replace(alone, low=None, high=None, reason=_ALIKE)
    return replace(alone, low=max(-1.0, alone.value - reach), high=min(1.0, alone.value + reach))


def _reaches(systems: Iterable[SystemAnswers[Key]], bootstrap: Bootstrap) -> list[float]:
    """Half the width of each pair's interval, of all that hold together; 0 where nothing varies.

    A replicate in which a pair's difference is undefined says nothing about that pair.
    """
    found = SystemDifferences(_scores(list(systems)), bootstrap)
    off: Floats = found.drawn[:, :, 0] - found.values[:, 0]
    off[:, np.isnan(off).all(axis=0)] = 0.0
    errors = np.nanstd(off, axis=0)
    varies = errors > _NOISE
    studentised = np.nan_to_num(np.abs(off[:, varies] / errors[varies]))
    reach = np.quantile(studentised.max(axis=1, initial=0.0), CONFIDENCE)
    reaches: list[float] = (reach * errors).tolist()
    return reaches


def _scores(systems: Sequence[SystemAnswers[Key]]) -> AnswerScores:
    """What people say of every answer, the systems in their order."""
    rows = [
        (place, question, system.value(question), system.kind(question))
        for place, system in enumerate(systems)
        for question in sorted(system.questions)
    ]
    return AnswerScores(
        judges=("people",),
        systems=tuple(system.system for system in systems),
        values=np.array([[np.nan if value is None else value] for _, _, value, _ in rows]),
        system=np.array([place for place, *_ in rows], dtype=np.int64),
        question=numbered([question for _, question, *_ in rows]),
        stratum=numbered([kind for *_, kind in rows]),
    )
