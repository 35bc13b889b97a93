"""The two sides on which labels and suggestions meet.

A matcher says correct or not, whatever the labels of the protocol. So a rating agrees with a
suggestion if its label is on the suggested side.
"""

import numpy as np

from tasks.protocols.definition import AnnotationProtocol
from tomahto.votes.rating_rows import RatingRows
from tomahto.votes.scheme import LabelScheme

CORRECT, INCORRECT = "correct", "not-correct"
SIDES = LabelScheme((CORRECT, INCORRECT), (1, 0))


def side_of(*, is_correct: bool) -> int:
    """The place of a side in `SIDES`."""
    return SIDES.index_of[CORRECT if is_correct else INCORRECT]


def on_sides(ratings: RatingRows, protocol: AnnotationProtocol) -> RatingRows:
    """The ratings with the sides of their labels as labels."""
    sides = [side_of(is_correct=name in protocol.correct_labels) for name in ratings.label_names]
    return RatingRows(
        ratings.items,
        ratings.raters,
        np.array(sides, dtype=np.int64)[ratings.labels],
        ratings.rater_names,
        SIDES.labels,
    )
