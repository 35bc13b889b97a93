"""How good systems are, and how much better than each other, as people judged their answers.

The one place that says so: *Systems*, *How many more?*, the API, the command and releases show the
same.
Answers that are not judged yet are taken to be like those that are
(`tomahto.estimates.post_stratified`).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, estimate_as_json, undefined, with_width
from tomahto.estimates.post_stratified import Cells, post_stratified_mean
from tomahto.ranking.system_answers import EMPTY, EXACT, TIE, TO_BE_RATED, Key, SystemAnswers
from tomahto.scoring.judged_scores import JudgedScores

REPLICATES = 2000
_ENDS: Mapping[str, tuple[float, float]] = {
    EXACT: (1.0, 1.0),
    EMPTY: (0.0, 0.0),
    TO_BE_RATED: (0.0, 1.0),
}
"""Between what the value of an answer lies."""


@dataclass(frozen=True, slots=True)
class JudgedSystem(Generic[Key]):
    """A system's answers and its accuracy by three ways of counting."""

    answers: SystemAnswers[Key]
    of_items: Estimate
    of_candidates: Estimate
    with_exact: Estimate

    def figures(self, labels: Sequence[str], accepted: Collection[str]) -> dict[str, Any]:
        """What pages and releases show of it: counts and, where a label means that a candidate is
        right, how many are judged and the three accuracies."""
        answers = self.answers
        counts = Counter(item.label for item in answers.rated)
        figures = {
            "system": answers.system,
            "candidates": len(answers.questions),
            "exact_matches": len(answers.exact),
            "empty_answers": len(answers.empty),
            "judged_candidates": sum(each.value is not None for each in answers.answers.values()),
            "rated_items": len(answers.rated),
            "labels": {label: counts[label] for label in (*labels, TIE)},
            "accuracy": {
                "items": estimate_as_json(self.of_items),
                "candidates": estimate_as_json(self.of_candidates),
                "with_exact_matches": estimate_as_json(self.with_exact),
            },
        }
        if not accepted:
            del figures["judged_candidates"], figures["accuracy"]
        return figures


def judged_systems(
    systems: Iterable[SystemAnswers[Key]], correct: frozenset[str], bootstrap: Bootstrap
) -> list[JudgedSystem[Key]]:
    """The systems by their accuracy with exact matches, the best first."""
    judged = (
        JudgedSystem(
            answers,
            accuracy_of_items(answers, correct, bootstrap),
            accuracy(answers, bootstrap),
            accuracy_with_exact(answers, bootstrap),
        )
        for answers in systems
    )
    return sorted(judged, key=_place)


def _place(system: JudgedSystem[Key]) -> tuple[bool, float, str]:
    value = system.with_exact.value
    return value is None, -(value or 0.0), system.answers.system


def accuracy_of_items(
    system: SystemAnswers[Key], correct: frozenset[str], bootstrap: Bootstrap
) -> Estimate:
    """The share of rated items with a correct majority label, ties left out; `n` counts items."""
    decided = [item for item in system.rated if item.label != TIE]
    if not decided:
        return undefined("no item has a majority label", n=0, seed=bootstrap.seed)
    # whoever calls every item right agrees with people as often as the items are right
    judged = JudgedScores.of(
        [1.0] * len(decided),
        [item.label in correct for item in decided],
        [item.question for item in decided],
    )
    return with_width(judged.accuracy(0.5, bootstrap))


def accuracy(system: SystemAnswers[Key], bootstrap: Bootstrap) -> Estimate:
    """How right the answers to be judged are; exact matches and empty answers are left out.

    `n` counts answers.
    """
    return _mean(_judged_cells(system), bootstrap, _ENDS)


def accuracy_with_exact(system: SystemAnswers[Key], bootstrap: Bootstrap) -> Estimate:
    """How right all answers are: exact matches are right, empty answers wrong. `n` counts both."""
    cells = _judged_cells(system)
    cells[EXACT, 1.0] = len(system.exact)
    cells[EMPTY, 0.0] = len(system.empty)
    return _mean(cells, bootstrap, _ENDS)


def difference(
    one: SystemAnswers[Key], other: SystemAnswers[Key], bootstrap: Bootstrap
) -> Estimate:
    """The accuracy of the first less that of the second, exact matches included.

    Question by question, over those that both answer; `n` counts the questions where both answers
    are known.
    """
    shared = one.questions & other.questions
    if not shared:
        return undefined("they answer no question both", n=0, seed=bootstrap.seed)
    cells: Counter[tuple[str, float | None]] = Counter()
    ends: dict[str, tuple[float, float]] = {}
    for question in shared:
        kinds = one.kind(question), other.kind(question)
        kind: str = "{} of the first and {} of the second".format(*kinds)
        if kinds[0] == kinds[1]:
            kind = f"{kinds[0]} of both"
        (low, high), (least, most) = (_ENDS[each] for each in kinds)
        ends[kind] = low - most, high - least
        first, second = one.value(question), other.value(question)
        cells[kind, None if first is None or second is None else first - second] += 1
    return _mean(cells, bootstrap, ends)


def _judged_cells(system: SystemAnswers[Key]) -> Counter[tuple[str, float | None]]:
    return Counter((TO_BE_RATED, answer.value) for answer in system.answers.values())


def _mean(cells: Cells, bootstrap: Bootstrap, ends: Mapping[str, tuple[float, float]]) -> Estimate:
    return with_width(post_stratified_mean(cells, bootstrap, ends))
