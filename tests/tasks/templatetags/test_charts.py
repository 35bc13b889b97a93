"""The numbers that charts and files read off the cells of tables."""

from typing import Any

import pytest
from django.utils import translation

from tasks.templatetags.charts import drawn
from tomahto.estimates.estimate import Estimate, undefined


@pytest.mark.parametrize(
    ("cell", "attributes"),
    [
        (1234567, 'data-value="1234567"'),
        (0, 'data-value="0"'),
        (1 / 3, 'data-value="0.3333333333333333"'),
        (None, ""),
        ("", ""),
        (Estimate(value=0.5, n=3), 'data-value="0.5" data-n="3"'),
        (
            Estimate(value=0.5, n=3, low=0.25, high=1.0),
            'data-value="0.5" data-low="0.25" data-high="1.0" data-n="3"',
        ),
        (undefined("nobody agrees", n=0), ""),
        (
            {"value": 0.5, "low": 0.25, "high": 1.0, "n": 3},
            'data-value="0.5" data-low="0.25" data-high="1.0" data-n="3"',
        ),
        ({"value": 0.5, "low": None, "high": None}, 'data-value="0.5"'),
        ({"value": 7}, 'data-value="7"'),
        ({"value": None, "reason": "nobody agrees"}, ""),
    ],
)
@pytest.mark.parametrize("language", ["en", "de"])
def test_cells_are_written_as_programs_read_them(cell: Any, attributes: str, language: str) -> None:
    with translation.override(language):
        assert drawn(cell) == attributes


def test_cells_of_percentage_points_are_written_in_them() -> None:
    difference = {"value": -0.125, "low": -0.25, "high": 0.5, "n": 8}
    points = 'data-value="-12.5" data-low="-25.0" data-high="50.0" data-n="8"'
    assert drawn(difference, 100) == points
    assert drawn("", 100) == ""
