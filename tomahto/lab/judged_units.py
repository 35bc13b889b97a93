"""The unit of one judgement: an item with its label, or each rating of it."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from tomahto.lab.judged import JudgedData

Unit = Literal["items", "ratings"]
UNITS: tuple[Unit, ...] = get_args(Unit)
UNIT_NAMES: Mapping[Unit, str] = {"items": "item", "ratings": "rating"}
"""As captions of tables say it."""
NO_RATINGS = 'the unit ratings needs each item\'s ratings ("ratings" on every line)'


class JudgedUnit(NamedTuple):
    """The place of the item in the data, and whether it was found right."""

    place: int
    is_right: bool


def judged_units(data: JudgedData, unit: Unit) -> list[JudgedUnit]:
    """One for each item, with the label of the majority or of adjudicators; or one for each counted
    rating, as Bulian et al. (2022) count (Tab. 4). Either way they belong to the item's question,
    which the bootstrap draws.

    Raises ValueError if the ratings are not known.
    """
    if unit == "items":
        return [JudgedUnit(place, item.is_right) for place, item in enumerate(data.items)]
    check_unit(data, unit)
    return [
        JudgedUnit(place, is_right)
        for place, votes in enumerate(data.votes or ())
        for is_right, number in ((True, votes.right), (False, votes.wrong))
        for _ in range(number)
    ]


def check_unit(data: JudgedData, unit: Unit) -> None:
    """Raises ValueError if the data lack the ratings that the unit needs."""
    if unit == "ratings" and data.votes is None:
        raise ValueError(NO_RATINGS)
