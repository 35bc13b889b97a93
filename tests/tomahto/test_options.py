from dataclasses import dataclass

import pytest

from tomahto.options import OptionError, options_from, require_least


@dataclass(frozen=True)
class Oven:
    model: str
    shelves: int = 2
    heat: float = 0.5
    has_light: bool = False
    limit: float | None = None

    def __post_init__(self) -> None:
        require_least(self, {"shelves": 1})


def test_options_are_the_values_and_for_the_rest_the_defaults() -> None:
    assert options_from(Oven, {"model": "a", "heat": 1, "limit": 3.5}) == Oven(
        "a", shelves=2, heat=1.0, has_light=False, limit=3.5
    )


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "model: is missing"),
        ({"model": " "}, "model: is empty"),
        ({"model": 3}, "model: 3 is not a text"),
        ({"model": "a", "shelves": 2.0}, "shelves: 2.0 is not a whole number"),
        ({"model": "a", "shelves": True}, "shelves: True is not a whole number"),
        ({"model": "a", "shelves": 0}, "shelves: must be at least 1, not 0"),
        ({"model": "a", "heat": "hot"}, "heat: 'hot' is not a number"),
        ({"model": "a", "heat": float("nan")}, "heat: nan is not a number"),
        ({"model": "a", "has_light": 1}, "has_light: 1 is not true or false"),
        ({"model": "a", "limit": [1]}, r"limit: \[1\] is not a number"),
        (
            {"model": "a", "colour": "red"},
            "colour: no such key; known: model, shelves, heat, has_light, limit",
        ),
    ],
)
def test_a_value_that_cannot_be_used_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=f"^{message}$"):
        options_from(Oven, values)
