"""A matcher by which one sees what it was trained on."""

from collections.abc import Sequence

from tomahto.matching.human_labels import LabelledPair
from tomahto.matching.interface import Matcher, Pair


class Memory:
    """Calls correct exactly the questions it was trained on."""

    name, version, threshold = "memory", "memory", 0.5

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        return [float(pair.question in self._known) for pair in pairs]


def memorise(examples: Sequence[LabelledPair]) -> Matcher:
    return Memory(frozenset(each.pair.question for each in examples))
