"""Scoring a batch in which one bad pair does not spoil the others."""

from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.matching.interface import Matcher, Pair
from tomahto.pretrained.errors import ModelError

# what every matcher can score, if it can score anything
_HARMLESS = Pair("Who wrote it?", "Ann wrote it.", ("Ann",), "Ann")


@dataclass(frozen=True, slots=True)
class Unscored:
    """A pair that the matcher could not score. The reason is for people to read."""

    reason: str


def score_apart(matcher: Matcher, pairs: Sequence[Pair]) -> list[float | Unscored]:
    """A score or the reason why there is none for every pair, in order.

    If the batch fails it is halved until the pairs that make it fail are by themselves. Raises
    what concerns the matcher and not single pairs: an error it gives for a harmless pair as well.
    """
    return _score(matcher, pairs, is_sound=False)


def _score(matcher: Matcher, pairs: Sequence[Pair], *, is_sound: bool) -> list[float | Unscored]:
    if not pairs:
        return []
    try:
        return _checked(matcher.score(pairs), len(pairs))
    except ModelError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
    if not is_sound:
        matcher.score([_HARMLESS])
    if len(pairs) == 1:
        return [Unscored(reason)]
    middle = len(pairs) // 2
    halves = (pairs[:middle], pairs[middle:])
    return [result for half in halves for result in _score(matcher, half, is_sound=True)]


def _checked(scores: Sequence[float], wanted: int) -> list[float | Unscored]:
    """Raises ValueError if there is not one score for each pair."""
    if len(scores) != wanted:
        raise ValueError(f"{len(scores)} scores for {wanted} pairs")
    return [
        # NaN is between no two numbers
        score if 0 <= score <= 1 else Unscored(f"the score {score} is not between 0 and 1")
        for score in scores
    ]
