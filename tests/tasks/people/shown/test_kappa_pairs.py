"""κ of every two people: one column where weights change nothing, and a map of many people."""

from typing import Any

import pytest

from tasks.people.shown.kappa_pairs import KappaCell, KappaPair, kappa_table
from tasks.people.shown.names import ShownName


def estimate(value: float | None) -> dict[str, Any]:
    return {"value": value, "low": None, "high": None, "n": 10, "reason": "as an example"}


def pair(one: str, other: str, *kappas: float | None) -> dict[str, Any]:
    """Two people with κ unweighted, linear and quadratic; or one for all."""
    values = kappas * 3 if len(kappas) == 1 else kappas
    weights = ("unweighted", "linear", "quadratic")
    return {
        "raters": [one, other],
        "items": 10,
        **dict(zip(weights, map(estimate, values), strict=True)),
    }


def test_there_is_one_column_where_all_weights_give_the_same() -> None:
    pairs = [pair("ann", "ben", 0.5), pair("ann", "cy", None)]
    found = kappa_table(pairs, "nominal", ShownName)
    assert (found.heads, found.is_one) == (("Cohen’s κ",), True)
    assert found.pairs == (
        KappaPair((ShownName("ann"), ShownName("ben")), 10, (estimate(0.5),)),
        KappaPair((ShownName("ann"), ShownName("cy")), 10, (estimate(None),)),
    )


@pytest.mark.parametrize("kappas", [(0.5, 0.6, 0.7), (0.5, None, 0.5)])
def test_there_are_three_columns_as_soon_as_one_pair_differs(
    kappas: tuple[float | None, ...],
) -> None:
    found = kappa_table([pair("ann", "ben", 0.5), pair("ann", "cy", *kappas)], "ordinal", ShownName)
    assert found.heads == ("Unweighted", "Linear weights", "Quadratic weights")
    assert found.pairs[1].estimates == tuple(map(estimate, kappas))


def test_two_people_need_no_map() -> None:
    assert kappa_table([pair("ann", "ben", 0.5)], "nominal", ShownName).rows == ()
    assert kappa_table([], "nominal", ShownName).rows == ()


def test_the_map_has_everybody_with_everybody_the_most_agreeing_first() -> None:
    # means: ann (0.9 + 0.1) / 2 = 0.5, ben (0.9 + 0.5) / 2 = 0.7, cy (0.1 + 0.5) / 2 = 0.3
    pairs = [pair("ann", "ben", 0.9), pair("ann", "cy", 0.1), pair("ben", "cy", 0.5)]
    found = kappa_table([*pairs, pair("dot", "ann", None)], "nominal", ShownName)
    assert [(str(row.name), row.mean) for row in found.rows] == [
        ("ben", pytest.approx(0.7)),
        ("ann", pytest.approx(0.5)),
        ("cy", pytest.approx(0.3)),
        ("dot", None),
    ]
    values = [[cell.value for cell in row.cells] for row in found.rows]
    assert values == [
        [None, 0.9, 0.5, None],
        [0.9, None, 0.1, None],
        [0.5, 0.1, None, None],
        [None, None, None, None],
    ]
    assert [[cell.is_same for cell in row.cells].index(True) for row in found.rows] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("level", "shown", "value"),
    [("nominal", "Unweighted", 0.1), ("ordinal", "Quadratic weights", 0.3)],
)
def test_the_map_shows_the_coefficient_that_fits_the_labels(
    level: Any, shown: str, value: float
) -> None:
    pairs = [pair(*two, 0.1, 0.2, 0.3) for two in (("ann", "ben"), ("ann", "cy"), ("ben", "cy"))]
    found = kappa_table(pairs, level, ShownName)
    assert found.shown == shown
    assert found.rows[0].cells[1].value == value


@pytest.mark.parametrize(
    ("value", "shade"), [(1.0, 5), (0.81, 5), (0.8, 4), (0.01, 1), (0.0, 0), (-0.4, 0), (None, 0)]
)
def test_shades_are_deeper_the_more_two_agree(value: float | None, shade: int) -> None:
    assert KappaCell(estimate(value), is_same=False).shade == shade
