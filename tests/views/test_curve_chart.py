from typing import Any

import pytest

from tasks.views.curve_chart import BOTTOM, LEFT, RIGHT, TOP, curve_chart


def estimate(value: float | None, margin: float = 0.0) -> dict[str, Any]:
    if value is None:
        return {"value": None, "low": None, "high": None, "reason": "all are correct"}
    return {"value": value, "low": value - margin, "high": value + margin}


def curve(accuracies: dict[int, dict[str, Any]], shipped: float | None = 0.8) -> dict[str, Any]:
    return {
        "points": [{"labels": n, "accuracy": each} for n, each in accuracies.items()],
        "baselines": {"shipped": estimate(shipped), "token_f1": estimate(0.75)},
    }


def test_marks_stand_on_a_logarithmic_scale_between_the_floor_and_one() -> None:
    chart = curve_chart(curve({25: estimate(0.6, 0.08), 50: estimate(0.8), 100: estimate(1.0)}))
    # the lowest end is 0.52, so the floor is 0.5: accuracy 0.75 lies halfway up
    assert chart.token_f1 is not None
    assert chart.token_f1.y == pytest.approx((TOP + BOTTOM) / 2)
    assert [mark.x for mark in chart.marks] == pytest.approx(
        [LEFT + 24, (LEFT + RIGHT) / 2, RIGHT - 24]
    )
    assert chart.marks[2].y == pytest.approx(TOP)
    first = chart.marks[0]
    height = (BOTTOM - TOP) / 0.5  # of an accuracy of 1
    assert (first.low - first.y, first.y - first.high) == pytest.approx((0.08 * height,) * 2)
    assert [line.share for line in chart.grid] == pytest.approx([0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
    assert (chart.grid[0].y, chart.grid[-1].y) == pytest.approx((BOTTOM, TOP))


def test_undefined_points_are_left_out_of_the_chart() -> None:
    chart = curve_chart(curve({25: estimate(None), 40: estimate(0.9)}, shipped=None))
    assert [(mark.labels, mark.x) for mark in chart.marks] == [(40, (LEFT + RIGHT) / 2)]
    assert chart.shipped is None


def test_names_that_would_run_into_each_other_give_way_to_the_last() -> None:
    chart = curve_chart(curve(dict.fromkeys((25, 50, 100, 200, 400, 401), estimate(0.9))))
    named = [mark.labels for mark in chart.marks if mark.is_named]
    assert named == [25, 50, 100, 200, 401]


@pytest.mark.parametrize("accuracy", [0.0, 0.04, 0.5, 0.97, 1.0])
def test_everything_is_inside_the_chart(accuracy: float) -> None:
    chart = curve_chart(curve({25: estimate(accuracy)}))
    places = [chart.marks[0].y, *(line.y for line in chart.grid)]
    assert min(places) + 1e-9 >= TOP
    assert max(places) <= BOTTOM + 1e-9
