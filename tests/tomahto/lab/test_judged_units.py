"""Items by their label, ratings one by one; worked out by hand."""

from dataclasses import replace

import pytest

from tests.tomahto.lab.answer_data import Said, judged_data, lab_input
from tests.tomahto.lab.sections import table_of, values
from tomahto.lab.judged import Votes, check_unit, judged_units, votes_of
from tomahto.lab.metric_quality import metric_quality_section
from tomahto.votes.scheme import LabelScheme

SAID = [
    Said("a", "q1", "x", "r", True, "test"),
    Said("b", "q1", "y", "r", False, "test"),
    Said("a", "q2", "x", "r", True, "dev"),
]
VOTES = [Votes(2, 1), Votes(0, 1), Votes(3, 0)]
RATED = replace(judged_data(SAID), votes=VOTES)


def test_an_item_counts_once_and_a_rating_each_time() -> None:
    assert judged_units(RATED, "items") == [(0, True), (1, False), (2, True)]
    assert judged_units(RATED, "ratings") == [
        *[(0, True), (0, True), (0, False), (1, False)],
        *[(2, True), (2, True), (2, True)],
    ]


def test_votes_for_any_right_label_count_as_right() -> None:
    scheme = LabelScheme(("exact", "partial", "wrong"), (2, 1, 0))
    assert votes_of(scheme, (2, 1, 4), {"exact", "partial"}) == Votes(3, 4)


def test_ratings_that_are_not_known_are_refused() -> None:
    for ask in (check_unit, judged_units):
        with pytest.raises(ValueError, match="the unit ratings needs each item's ratings"):
            ask(judged_data(SAID), "ratings")
    section = metric_quality_section(
        replace(lab_input(judged_data(SAID), {"m": [0.9, 0.3, 0.8]}), unit="ratings")
    )
    assert section.reason.startswith("the unit ratings needs")


def test_metrics_are_set_against_either_unit() -> None:
    # At 0.5 the first and third are right to the metric: all 3 items agree, and 6 of 7 ratings.
    given = lab_input(RATED, {"m": [0.9, 0.3, 0.8], "n": [0.1, 0.3, 0.8]})
    items, ratings = (
        metric_quality_section(replace(given, unit=unit)) for unit in ("items", "ratings")
    )
    assert [
        [(row["n"], row["accuracy"]) for row in values(table_of(section, "metric_quality"))]
        for section in (items, ratings)
    ] == [[(3, 1.0), (3, 2 / 3)], [(7, 6 / 7), (7, 5 / 7)]]
    by_system = values(table_of(ratings, "metric_quality_by_system"))
    assert [(row["system"], row["metric"], row["n"], row["right"]) for row in by_system] == [
        *[("a", "m", 6, 5), ("a", "n", 6, 5), ("b", "m", 1, 0), ("b", "n", 1, 0)]
    ]
    (difference,) = values(table_of(ratings, "metric_differences"))
    assert difference["n"] == 7
    assert difference["accuracy"] == pytest.approx(1 / 7)
    for section, name in ((items, "item"), (ratings, "rating")):
        assert all(table.title.endswith(f"(unit: {name})") for table in section.tables)
    notes = table_of(ratings, "metric_quality").notes
    assert notes[0].startswith("n is the number of ratings, of 2 questions; people judged 5 of")


def test_intervals_draw_questions_whatever_the_unit() -> None:
    # One question alone: its ratings are many, but there is nothing to draw.
    data = replace(judged_data(SAID[:2]), votes=VOTES[:2])
    given = replace(lab_input(data, {"m": [0.9, 0.3]}), unit="ratings")
    table = table_of(metric_quality_section(given), "metric_quality")
    accuracy = table.rows[0][[column.key for column in table.columns].index("accuracy")]
    assert accuracy.value == 3 / 4  # type: ignore[union-attr]  # an Estimate
    assert accuracy.low is None  # type: ignore[union-attr]


def test_thresholds_are_tuned_on_the_ratings_of_a_split() -> None:
    given = lab_input(RATED, {"m": [0.9, 0.3, 0.8]}, tune_on="dev")
    section = metric_quality_section(replace(given, unit="ratings"))
    (row,) = values(table_of(section, "metric_quality"))
    assert (row["n"], row["tuned_threshold"], row["tuned_accuracy"]) == (4, 0.8, 0.75)
