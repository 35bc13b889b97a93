"""What it is worth to have an expert look at an item, by how sure its votes make its label."""

from collections.abc import Sequence

from tomahto.votes.confidence import vote_confidence

LOW_CONFIDENCE = 2 / 3
"""Confidence below this is low: all other labels together are more than half as likely."""

EVEN_SPLIT = 0.5
"""The least uncertainty of votes that are evenly split between two labels."""


def label_confidence(votes: Sequence[int], surplus: Sequence[int] | None = None) -> float:
    """The posterior mean of the label that the counted votes make an item's label.

    Both arguments count by label, in one order. Surplus votes came too late to have a say in the
    label, but they are evidence all the same: the mean is taken given both. Of labels that share
    the first place it is that of the likeliest. 1/K without any vote.

    Raises ValueError without labels, where the arguments differ in length, or for a negative
    count.
    """
    late = [0] * len(votes) if surplus is None else surplus
    if not votes or len(votes) != len(late):
        raise ValueError(f"{len(votes)} and {len(late)} counts are not of the same labels")
    if min(*votes, *late, 0) < 0:
        raise ValueError("a label was given less than 0 times")
    given = [counted + extra for counted, extra in zip(votes, late, strict=True)]
    first = [place for place, counted in enumerate(votes) if counted == max(votes)]
    return max(vote_confidence(given, place) for place in first)


def adjudication_value(confidence: float, *, systems: int = 1, is_disputed: bool = False) -> float:
    """How many labels an expert's look is expected to put right: the larger, the sooner.

    The chance that the label is wrong, once for every system that the label counts for, of an
    item without systems once. Where a person has raised a doubt, be it a rater by a flag or an
    adjudicator by another label, that chance is at least an even one.

    Raises ValueError unless 0 <= confidence <= 1 and systems >= 0.
    """
    if not 0 <= confidence <= 1 or systems < 0:
        raise ValueError(f"confidence {confidence} of {systems} systems")
    uncertainty = max(1 - confidence, EVEN_SPLIT if is_disputed else 0)
    return max(systems, 1) * uncertainty
