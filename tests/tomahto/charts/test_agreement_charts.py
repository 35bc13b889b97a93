"""Charts of agreement: marks at their numbers, judged by the goal."""

from datetime import date, timedelta
from itertools import combinations

import pytest

from tests.tomahto.charts.example_charts import around
from tests.tomahto.charts.reading import axis_texts, dots, marks, read, reader, texts
from tomahto.charts.agreement_charts import (
    Interval,
    Moment,
    PairCell,
    Person,
    Wording,
    course_chart,
    interval_chart,
    pair_chart,
    people_chart,
    verdict,
)
from tomahto.charts.picture import WIDTH, Area, Dot, Line, Strokes, Words
from tomahto.estimates.estimate import Estimate

NOTHING = Estimate(value=None, n=0, reason="nobody rated")
ALONE = Estimate(value=0.7, n=1, reason="one item")
START = date(2026, 1, 1)


def wording(goal: str = "goal", across: str = "Ratings") -> Wording:
    return Wording(title="T", description="D", goal=goal, across=across)


def estimate(low: float, value: float, high: float) -> Estimate:
    return Estimate(value=value, low=low, high=high, n=9)


@pytest.mark.parametrize(
    ("low", "high", "goal", "judged"),
    [
        (0.8, 0.9, 0.8, "good"),  # the lower end reaches it
        (0.81, 0.9, 0.8, "good"),
        (0.79, 0.9, 0.8, "plain"),
        (0.7, 0.8, 0.8, "plain"),  # the upper end still does
        (0.7, 0.79, 0.8, "bad"),
        (0.7, 0.79, None, "plain"),
    ],
)
def test_a_verdict_is_sure_only_if_the_whole_interval_agrees(
    low: float, high: float, goal: float | None, judged: str
) -> None:
    assert verdict(estimate(low, low, high), goal) == judged


def test_without_an_interval_there_is_no_verdict() -> None:
    assert verdict(ALONE, 0.8) == verdict(NOTHING, 0.8) == "plain"


def test_intervals_lie_at_their_numbers_in_the_colour_and_shape_of_their_verdict() -> None:
    rows = [
        Interval("all", estimate(0.82, 0.85, 0.9), "all says", is_whole=True, address="/all"),
        Interval("split", estimate(0.7, 0.8, 0.85), "split says"),
        Interval("below", estimate(0.3, 0.5, 0.6), "below says"),
    ]
    picture = interval_chart(rows, wording(), 0.8)
    across = reader(picture, "x")
    drawn = marks(picture, Dot)
    assert [(dot.look, dot.shape, across(dot.x)) for dot in drawn] == [
        ("good", "circle", 0.85),
        ("plain", "diamond", 0.8),
        ("bad", "square", 0.5),
    ]
    assert drawn[0].size > drawn[1].size
    lines = marks(picture, Line, "good", "plain", "bad")
    assert [[across(x) for x, _ in line.points] for line in lines] == [
        [0.82, 0.9],
        [0.7, 0.85],
        [0.3, 0.6],
    ]
    assert [line.points[0][1] for line in lines] == [dot.y for dot in drawn]
    (goal,) = marks(picture, Line, "goal")
    assert across(goal.points[0][0]) == 0.8
    assert {"all", "split", "below", "0.85", "0.80", "0.50", "goal"} <= set(texts(picture))
    bold = [words.text for words in marks(picture, Words) if words.is_bold]
    assert bold == ["all", "0.85"]
    assert [(spot.text, spot.address) for spot in picture.spots] == [
        *(("all says", "/all"), ("split says", ""), ("below says", "")),
    ]


def test_what_is_undefined_has_no_mark_and_what_has_no_interval_no_line() -> None:
    picture = interval_chart(
        [Interval("a", NOTHING, "why"), Interval("b", ALONE, "one")], wording(), 0.8
    )
    (dot,) = marks(picture, Dot)
    assert dot.look == "plain"
    assert marks(picture, Line, "good", "plain", "bad") == []
    values = [words.text for words in marks(picture, Words) if words.x == WIDTH]
    assert values == ["–", "0.70"]
    assert [spot.text for spot in picture.spots] == ["why", "one"]


def test_a_single_interval_and_none_are_drawn_too() -> None:
    alone = interval_chart([Interval("a", around(0.9, 0.05), "a says")], wording())
    assert len(marks(alone, Dot)) == 1
    assert marks(alone, Line, "goal") == []
    empty = interval_chart([], wording(), 0.8)
    assert axis_texts(empty, "x") == ["0.80", "0.85", "0.90", "0.95", "1.00"]
    assert empty.spots == ()


def test_extreme_intervals_stay_inside_and_keep_their_numbers() -> None:
    rows = [
        Interval("low", estimate(-250.0, -3.5, -1.0), ""),
        Interval("all alike", estimate(1.0, 1.0, 1.0), ""),
    ]
    picture = interval_chart(rows, wording(), -1.0)
    across = reader(picture, "x")
    low, alike = marks(picture, Dot)
    assert across(low.x) == pytest.approx(-3.5, abs=1e-3)
    assert across(alike.x) == pytest.approx(1.0, abs=1e-3)
    assert "−3.50" in texts(picture)
    assert alike.x < WIDTH
    assert (low.look, alike.look) == ("plain", "good")


def test_numbers_along_an_axis_have_the_decimals_that_tell_them_apart() -> None:
    rows = [Interval("a", estimate(0.9, 0.95, 1.0), "")]
    near = axis_texts(interval_chart(rows, wording()), "x")
    assert near == ["0.80", "0.85", "0.90", "0.95", "1.00"]
    rows = [Interval("a", estimate(0.0, 0.5, 1.0), "")]
    assert axis_texts(interval_chart(rows, wording()), "x") == ["0.0", "0.5", "1.0"]


def cells(names: int, *, is_small: bool = False, text: str = "0.50") -> list[PairCell]:
    return [
        PairCell(later, earlier, 0.5, text, f"{earlier}-{later}", is_small, f"/{earlier}/{later}")
        for earlier, later in combinations(range(names), 2)
    ]


def test_pairs_stand_in_the_row_of_the_later_and_the_column_of_the_earlier() -> None:
    picture = pair_chart(["ann", "bob", "cat"], cells(3), wording())
    names = {words.text: (words.x, words.y) for words in marks(picture, Words)}
    assert names["ann"][0] < names["bob"][0] < names["cat"][0]
    assert names["ann"][1] < names["bob"][1] < names["cat"][1]
    drawn = [area.points for area in marks(picture, Area)]
    for spot, area, (column, row) in zip(
        picture.spots, drawn, [("ann", "bob"), ("ann", "cat"), ("bob", "cat")], strict=True
    ):
        assert area[0][1] < names[row][1] < area[2][1]
        assert area[0][0] < names[column][0] < area[2][0]
        assert (spot.x, spot.y) == area[0]
        assert (spot.x + spot.width, spot.y + spot.height) == pytest.approx(area[2])
    assert [spot.address for spot in picture.spots] == ["/0/1", "/0/2", "/1/2"]
    assert texts(picture).count("0.50") == 3


def test_pairs_are_the_deeper_the_greater() -> None:
    shades = [-1.0, 0.0, 0.5, 1.0, 7.0]
    pairs = [PairCell(1, 0, shade, "", "") for shade in shades]
    picture = pair_chart(["a", "b"], pairs, wording())
    looks = [area.look for area in marks(picture, Area)]
    assert looks == ["heat-0", "heat-0", "heat-2", "heat-5", "heat-5"]


def test_pairs_that_rest_on_little_are_hatched_and_have_no_number() -> None:
    picture = pair_chart(["a", "b"], cells(2, is_small=True), wording())
    (hatches,) = marks(picture, Strokes, "hatch")
    (area,) = marks(picture, Area)
    (left, top), (right, bottom) = area.points[0], area.points[2]
    assert len(hatches.ends) > 5
    for line in hatches.ends:
        for x, y in line:
            assert left <= x <= right
            assert top <= y <= bottom
    assert "0.50" not in texts(picture)


def test_numbers_of_pairs_are_left_out_where_they_have_no_room() -> None:
    few, many = ([f"r{number}" for number in range(count)] for count in (8, 30))
    assert texts(pair_chart(few, cells(8, text="−0.50"), wording())).count("−0.50") == 28
    assert "0.50" not in texts(pair_chart(many, cells(30), wording()))


@pytest.mark.parametrize("names", [[], ["ann"]])
def test_without_pairs_there_are_names_alone(names: list[str]) -> None:
    picture = pair_chart(names, [], wording())
    assert texts(picture) == names
    assert picture.spots == ()


def moment(days: int, shown: Estimate) -> Moment:
    return Moment(START + timedelta(days), shown, f"day {days}")


def test_a_course_goes_through_its_values_with_a_band_of_its_intervals() -> None:
    moments = [moment(0, around(0.5, 0.1)), moment(10, around(0.7, 0.2)), moment(20, ALONE)]
    picture = course_chart(moments, [], wording(), 0.8)
    up = reader(picture, "y")
    (line,) = marks(picture, Line, "course")
    assert [up(y) for _, y in line.points] == [0.5, 0.7, 0.7]
    xs = [x for x, _ in line.points]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1])
    assert dots(picture, "course") == list(line.points)
    (band,) = marks(picture, Area, "band")
    assert [up(y) for _, y in band.points] == [0.6, 0.9, 0.5, 0.4]
    (goal,) = marks(picture, Line, "goal")
    assert up(goal.points[0][1]) == 0.8
    assert {"2026-01-01", "2026-01-11", "2026-01-21", "goal"} <= set(texts(picture))
    assert [spot.text for spot in picture.spots] == ["day 0", "day 10", "day 20"]


def test_a_course_is_broken_where_it_is_undefined() -> None:
    shown = [around(0.5, 0.1), around(0.6, 0.1), NOTHING, around(0.7, 0.1)]
    picture = course_chart(
        [moment(7 * week, each) for week, each in enumerate(shown)], [], wording()
    )
    up = reader(picture, "y")
    lines = [[up(y) for _, y in line.points] for line in marks(picture, Line, "course")]
    # an interval without neighbours is an upright stroke
    assert lines == [[0.5, 0.6], [0.6, 0.8], [0.7]]
    assert len(marks(picture, Area, "band")) == 1
    assert len(picture.spots) == 4


@pytest.mark.parametrize("shown", [around(0.9, 0.05), NOTHING])
def test_a_single_moment_is_drawn(shown: Estimate) -> None:
    picture = course_chart([moment(0, shown)], [(START, "begun")], wording(), 1.0)
    assert len(dots(picture)) == (shown.value is not None)
    assert texts(picture).count("2026-01-01") == 1
    assert "begun" in texts(picture)


def test_a_course_without_moments_is_an_empty_chart() -> None:
    picture = course_chart([], [], wording())
    assert axis_texts(picture, "y")
    assert picture.spots == ()


def test_names_of_days_that_have_no_room_are_left_out() -> None:
    events = [(START + timedelta(number % 3), f"guideline {number}") for number in range(30)]
    moments = [moment(0, around(0.9, 0.1)), moment(20, around(0.9, 0.1))]
    picture = course_chart(moments, events, wording())
    assert len(marks(picture, Line, "event")) == 30
    assert 4 <= sum(text.startswith("guideline") for text in texts(picture)) < 30


def test_people_stand_at_their_two_numbers() -> None:
    people = [
        Person("ann", 10, estimate(0.1, 0.2, 0.3), "ann says", address="/ann"),
        Person("bob", 40, estimate(0.5, 0.6, 0.7), "bob says", stands_out=True),
        Person("cat", 20, ALONE, "cat says"),
    ]
    picture = people_chart(people, wording())
    assert [(dot.look, dot.shape) for dot in marks(picture, Dot)] == [
        *(("plain", "circle"), ("bad", "square"), ("plain", "circle")),
    ]
    assert read(picture, dots(picture)) == [(10, 20), (40, 60), (20, 70)]
    lines = [read(picture, line.points) for line in marks(picture, Line, "plain", "bad")]
    assert lines == [[(10, 10), (10, 30)], [(40, 50), (40, 70)]]
    shown = {words.text: words.is_bold for words in marks(picture, Words, "ink")}
    assert shown == {"ann": False, "bob": True, "cat": False}
    assert texts(picture)[-1] == "Ratings"
    assert [(spot.text, spot.address) for spot in picture.spots] == [
        *(("ann says", "/ann"), ("bob says", ""), ("cat says", "")),
    ]


def test_people_without_a_second_number_are_not_at_zero() -> None:
    people = [Person("ann", 10, NOTHING, "nobody rated"), Person("bob", 40, ALONE, "")]
    picture = people_chart(people, wording())
    assert read(picture, dots(picture)) == [(40, 70)]
    (dash,) = (words for words in marks(picture, Words) if words.text == "–")
    assert reader(picture, "x")(dash.x) == 10
    spot = picture.spots[0]
    assert spot.x < dash.x < spot.x + spot.width
    assert "ann" in texts(picture)


def test_agreement_of_people_may_lie_below_zero() -> None:
    people = [Person("ann", 1, estimate(-0.5, -0.25, 0.0), ""), Person("bob", 2, ALONE, "")]
    picture = people_chart(people, wording(), is_share=False)
    assert read(picture, dots(picture)) == [(1, -0.25), (2, 0.7)]
    assert axis_texts(picture, "y")[0].startswith("−")


def test_people_who_are_all_equal_have_their_names_as_far_as_there_is_room() -> None:
    people = [Person(f"rater {number}", 9, around(0.5, 0.1), "") for number in range(12)]
    picture = people_chart(people, wording())
    assert len(set(dots(picture))) == 1
    assert len(dots(picture)) == 12
    named = [text for text in texts(picture) if text.startswith("rater")]
    assert named == [f"rater {number}" for number in range(6)]
    # those who stand out come first
    people[7] = Person("rater 7", 9, around(0.5, 0.1), "", stands_out=True)
    assert "rater 7" in texts(people_chart(people, wording()))


@pytest.mark.parametrize("value", [0.0, 1.0])
@pytest.mark.parametrize("is_share", [True, False])
def test_people_at_the_ends_of_the_scale_stay_inside(value: float, *, is_share: bool) -> None:
    exact = Estimate(value=value, n=5, low=value, high=value)
    picture = people_chart([Person("ann", 0, exact, "")], wording(), is_share=is_share)
    ((x, y),) = dots(picture)
    assert reader(picture, "y")(y) == (100 if is_share else 1) * value
    numbers = axis_texts(picture, "y")
    assert len(set(numbers)) == len(numbers) > 1
    assert 0 < x < WIDTH


def test_nobody_is_an_empty_chart() -> None:
    picture = people_chart([], wording())
    assert axis_texts(picture, "y") == ["0", "20", "40", "60", "80", "100"]
    assert dots(picture) == []
