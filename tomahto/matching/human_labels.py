"""People's label of an answer, as files write it, and the pairs they have labelled.

One reader for all who take labelled answers. A label says whether the candidate is a right answer:
true or 1, false or 0, or one of the labels of the protocols.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tomahto.matching.interface import Pair

VERDICTS: Final[Mapping[str, bool]] = {
    "correct": True,
    "incorrect": False,
    "equivalent": True,
    "not-equivalent": False,
    "exact": True,
    "alternative-correct": True,
    "overinclusive-valid": True,
    "partial": False,
    "overinclusive-invalid": False,
    "invalid": False,
    "contradictory": False,
}
"""Whether a candidate with the label is right. A test compares it with the protocols."""


class HumanLabelError(ValueError):
    """A value is no label; the message does not say where it stands."""


def is_right(value: object) -> bool:
    """Whether the label calls the answer right. Raises HumanLabelError, also for None."""
    if value is None:
        raise HumanLabelError("is missing")
    flag = flag_of(value)
    if flag is not None:
        return flag
    if isinstance(value, str) and value in VERDICTS:
        return VERDICTS[value]
    words = ", ".join(VERDICTS)
    raise HumanLabelError(f"{value!r:.80} is not one of true, false, 1, 0, {words}")


def was_drawn(fields: Mapping[str, object]) -> bool:
    """Whether a line, an item of a release, has a label that was drawn by lot in a tie.

    Nobody said that, so whoever learns from people's labels or judges by them leaves it out.
    """
    return fields.get("label_source") == "tie"


def flag_of(value: object) -> bool | None:
    """The label where it is not given in words but as true, false, 1 or 0; otherwise None."""
    return bool(value) if isinstance(value, int | float) and value in (0, 1) else None


PERHAPS_A_MATCHERS: Final = (
    "may be the verdict of a matcher, as earlier versions of score_pairs wrote it: it is true "
    'exactly where the score is high, and the field accepted is missing; write "correct" or '
    '"incorrect" if people said it, else score the file with people\'s labels again'
)


class MatcherVerdicts:
    """Looks for labels that a matcher gave, in the lines of one file.

    Until 0.1.0 `score_pairs` wrote the matcher's own verdict into `label`, in place of people's.
    Such a line has texts, a score and a label that is true or false, and no `accepted`; and in all
    such lines of a file the label is true exactly from some score on. People's labels may look like
    this too, where a metric errs nowhere, so who means people's writes them in words or as 1 and 0.
    """

    def __init__(self) -> None:
        self._first: int | None = None
        self._lowest_true, self._highest_false = float("inf"), float("-inf")

    def add(self, line: int, fields: Mapping[str, object]) -> None:
        score, label = fields.get("score"), fields.get("label")
        if "candidate" not in fields or fields.get("accepted") is not None:
            return
        if not isinstance(label, bool) or not isinstance(score, int | float):
            return
        self._first = self._first or line
        if label:
            self._lowest_true = min(self._lowest_true, score)
        else:
            self._highest_false = max(self._highest_false, score)

    @property
    def line(self) -> int | None:
        """The first line whose label may be a matcher's; None if all labels are people's."""
        return self._first if self._highest_false < self._lowest_true else None


class LabelledPairsError(ValueError):
    """There is nothing to learn from the labels."""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair and the human judgement of its candidate; what a model was asked to write, if that is
    a generated text, such as `RULE/LABEL`."""

    pair: Pair
    correct: bool
    intended: str = ""


def count_intended(examples: Iterable[LabelledPair]) -> dict[str, int]:
    """The number of examples by the label that they were generated for, those of none under ""."""
    return dict(sorted(Counter(example.intended for example in examples).items()))


def require_both_labels(examples: Sequence[LabelledPair], place: str = "") -> None:
    """Raises LabelledPairsError, naming the place, if all labels are alike."""
    if len({example.correct for example in examples}) < 2:
        which = "correct" if examples and examples[0].correct else "incorrect"
        fault = f"all {len(examples):,} examples are {which}: there is nothing to learn"
        raise LabelledPairsError(f"{place}: {fault}" if place else fault)
