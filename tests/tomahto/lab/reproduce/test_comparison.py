from dataclasses import replace

import pytest

from tomahto.charts.table_text import csv_table
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.comparison import (
    CellKey,
    ComparedFigure,
    Counts,
    compare,
    comparison_tables,
    joined_table,
)
from tomahto.lab.reproduce.published import PublishedPaper, read_published

Table = tuple[list[str], list[str], dict[str, list[str]]]


def paper(**tables: Table) -> PublishedPaper:
    """By key the units, the columns and the rows of each table; they are Tab. 1, Tab. 2, …"""
    lines = ['paper = "P"', 'title = "T"']
    for number, (key, (units, columns, rows)) in enumerate(tables.items(), start=1):
        lines += [
            "[[tables]]",
            f'key = "{key}"',
            f'place = "Tab. {number}"',
            f'title = "{key.capitalize()}"',
            'command = "evaluate reproduce p"',
            'input = "FILE"',
            f"units = {units}",
            f"columns = {columns}",
            "[tables.rows]",
            *(f"{row} = {figures}" for row, figures in rows.items()),
        ]
    return read_published("\n".join(lines))


PAPER = paper(
    sizes=(["count"], ["n"], {"items": ["12"]}),
    shares=(["percent", "value"], ["Share", "α"], {"all": [">88", "0.84"], "some": ["50.5", ""]}),
)
MISSING = undefined("needs a model", n=0)


def found_with(share: Estimate) -> dict[CellKey, Estimate]:
    return {
        ("sizes", "items", "n"): Estimate(value=12, n=12),
        ("shares", "all", "Share"): share,
        ("shares", "all", "α"): MISSING,
        ("shares", "some", "Share"): MISSING,
    }


def compared(share: Estimate) -> tuple[ComparedFigure, ...]:
    return compare(PAPER, found_with(share))


def test_compare_scales_shares_and_gives_the_reason_of_the_rest() -> None:
    share = Estimate(value=0.9, n=20, low=0.8, high=0.95)
    sizes, of_all, alpha, of_some = compared(share)
    assert (sizes.ours.value, sizes.difference, sizes.is_as_printed) == (12, 0, True)
    ours = of_all.ours
    assert (ours.value, ours.low, ours.high, ours.n) == pytest.approx((90, 80, 95, 20))
    assert of_all.difference == pytest.approx(2)
    assert of_all.is_as_printed
    for missing in (alpha, of_some):
        assert missing.ours == MISSING
        assert (missing.difference, missing.is_as_printed) == (None, None)


def test_compare_keeps_why_a_found_value_is_undefined() -> None:
    reason = undefined("all scores are equal", n=3)
    assert compared(reason)[1].ours == reason


def test_compare_refuses_what_is_not_published() -> None:
    found = found_with(MISSING) | {("sizes", "items", "N"): Estimate(value=1, n=1)}
    with pytest.raises(ValueError, match="P has no figure at "):
        compare(PAPER, found)


def test_compare_refuses_to_be_silent_about_a_figure() -> None:
    found = found_with(MISSING)
    del found["shares", "all", "α"]
    with pytest.raises(ValueError, match="nothing is said of the figure at"):
        compare(PAPER, found)


@pytest.mark.parametrize(
    ("printed", "value", "is_as_printed"),
    [
        ("0.84", 0.835, True),
        ("0.84", 0.8449, True),
        ("0.84", 0.8451, False),
        ("0.84", 0.8349, False),
        (">0.84", 0.8401, True),
        (">0.84", 0.84, False),
        ("<0.84", 0.5, True),
        ("<0.84", 0.84, False),
    ],
)
def test_as_printed_rounds_and_keeps_bounds(
    printed: str, value: float, is_as_printed: bool
) -> None:
    found = {("t", "all", "α"): Estimate(value=value, n=1)}
    (one,) = compare(paper(t=(["value"], ["α"], {"all": [printed]})), found)
    assert one.is_as_printed is is_as_printed


def test_tables_show_every_cell_or_why_it_is_missing() -> None:
    share = Estimate(value=0.9, n=20, low=0.8, high=0.95)
    sizes, shares = comparison_tables(compared(share), "a file", ("A note",))
    assert sizes.title == "Tab. 1: Sizes"
    assert sizes.shown_rows() == (("items", "n", "12", "12", "12", "0", ""),)
    assert shares.shown_rows() == (
        ("all", "Share", ">88 %", "90.000 [80.000, 95.000]", "20", "2.000", ""),
        ("all", "α", "0.84", "–", "–", "–", "needs a model"),
        ("some", "Share", "50.5 %", "–", "–", "–", "needs a model"),
    )
    assert sizes.remarks[1:] == ("A note", "Source: a file.")


def test_csv_has_intervals_in_columns_of_their_own() -> None:
    share = Estimate(value=0.5, n=20, low=0.25, high=0.75)
    lines = csv_table(joined_table(compared(share), "a file", ())).splitlines()
    assert lines[0] == "table,row,column,unit,published,ours,low,high,n,difference,why"
    assert lines[1] == "Tab. 1,items,n,count,12,12,,,12,0.0,"
    assert lines[2] == "Tab. 2,all,Share,percent,>88 %,50.0,25.0,75.0,20,-38.0,"
    assert lines[3] == "Tab. 2,all,α,value,0.84,,,,,,needs a model"


def test_counts_beside_shares_have_no_decimals() -> None:
    counted = paper(sizes=(["count", "percent"], ["n", "Share"], {"items": ["1,371", "50"]}))
    share = Estimate(value=0.5, n=9, low=0.25, high=0.75)
    n = Estimate(value=13808, n=13808)
    found = {("sizes", "items", "n"): n, ("sizes", "items", "Share"): share}
    (table,) = comparison_tables(compare(counted, found), "a file", ())
    assert [row[3:6] for row in table.shown_rows()] == [
        ("13,808", "13,808", "12,437"),
        ("50.000 [25.000, 75.000]", "9", "0.000"),
    ]


def test_counts_are_of_figures() -> None:
    share = Estimate(value=0.5, n=20)
    counts = Counts.of(compared(share))
    assert counts == (4, 2, 1)
    assert str(counts) == "2 of 4 published figures computed, 1 of them as printed"


@pytest.mark.parametrize(
    ("command", "reason"), [("release", "made by release: FILE"), ("", "FILE")]
)
def test_figures_that_are_not_reproduced_say_what_makes_them(command: str, reason: str) -> None:
    table = replace(PAPER.tables[0], command=command)
    (figure,) = compare(replace(PAPER, tables=(table,)), {})
    assert figure.ours == undefined(reason, n=0)
