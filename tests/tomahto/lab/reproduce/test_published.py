"""The shape of the published figures, and what the papers' figures say about one another."""

from collections.abc import Mapping
from itertools import pairwise

import pytest

from tests.site import ROOT
from tomahto.lab.reproduce.published import (
    PAPERS,
    PublishedError,
    PublishedFigure,
    PublishedTable,
    published_paper,
    read_published,
)

TABLE = """
paper = "P"
title = "T"
[[tables]]
key = "tab1"
place = "Tab. 1"
title = "Sizes"
command = "evaluate reproduce p"
input = "FILE"
units = ["count", "percent"]
columns = ["A", "B"]
[tables.rows]
"one" = ["1,234", ">88.50±0.44"]
"two" = ["", "7"]
"""


def values(paper: str, table: str) -> Mapping[tuple[str, str], float]:
    (found,) = (one for one in published_paper(paper).tables if one.key == table)
    return {(figure.row, figure.column): figure.value for figure in found.figures}


def test_figures_are_read_with_unit_digits_bound_and_margin() -> None:
    (table,) = read_published(TABLE).tables
    assert table.figures == (
        PublishedFigure("tab1", "one", "A", "count", "1,234", 1234.0, 0, "", None),
        PublishedFigure("tab1", "one", "B", "percent", ">88.50±0.44", 88.5, 2, ">", 0.44),
        PublishedFigure("tab1", "two", "B", "percent", "7", 7.0, 0, "", None),
    )


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("1,234", "12,34", "table 'tab1', row 'one', column 'A': '12,34'"),
        ('"7"', "7", "table 'tab1', row 'two', column 'B': 7"),
        ('["", "7"]', '["7"]', "row 'two': 1 figures in 2"),
        ('["count", "percent"]', '["count"]', "not as many units as columns"),
        ('"percent"', '"share"', "'share' is not one of count, percent, value"),
        ('place = "Tab. 1"', "", "table 'tab1': place: missing or unknown"),
        ('place = "Tab. 1"', 'place = "x"\nnote = "y"', "note: missing or unknown"),
        ('place = "Tab. 1"', 'place = "x"\nneeds = "y"', "needs: missing or unknown"),
        ('input = "FILE"', "", "input: missing or unknown"),
        ('units = ["count", "percent"]', "", "units: missing or unknown"),
        ('paper = "P"', "", "the file: paper: missing or unknown"),
        ('title = "T"', "title = ", "Invalid value"),
        ('["1,234", ">88.50±0.44"]\n"two" = ["", "7"]', '["", ""]', "holds no figure"),
    ],
)
def test_figures_are_refused_where_they_are_wrong(before: str, after: str, message: str) -> None:
    with pytest.raises(PublishedError) as caught:
        read_published(TABLE.replace(before, after))
    assert message in str(caught.value)


def test_two_tables_may_not_have_the_same_key() -> None:
    table = TABLE[TABLE.index("[[tables]]") :]
    with pytest.raises(PublishedError, match="same key"):
        read_published(TABLE + table)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_paper_has_its_figures(paper: str) -> None:
    tables = published_paper(paper).tables
    places = [
        (figure.table, figure.row, figure.column) for table in tables for figure in table.figures
    ]
    assert len(set(places)) == len(places) > 0
    for table in tables:
        assert table.input
        assert table.command or table.input.startswith(("texts only", "not made: "))
        for figure in table.figures:
            assert figure.unit != "percent" or figure.value <= 100
            assert figure.unit != "count" or figure.digits == 0


def test_sizes_of_bulian_add_up() -> None:
    splits, systems, dev = (values("bulian_2022", key) for key in ("tab2", "tab10", "sec35"))
    for row in ("AE-examples", "Ratings"):
        parts = [splits[row, f"AE {name}"] for name in ("Train", "Dev", "Test")]
        assert sum(parts) == splits[row, "Total"]
        assert sum(parts[1:]) == systems[row, "Total"] == dev[row, "SQuAD dev"]
    numbers = [
        dev[f"AE-examples with {words}", "SQuAD dev"]
        for words in ("one rating", "two ratings", "three ratings", "four ratings")
    ]
    assert sum(numbers) == dev["AE-examples", "SQuAD dev"]
    ratings = sum(place * number for place, number in enumerate(numbers, start=1))
    assert ratings == dev["Ratings", "SQuAD dev"]


def test_accuracy_of_em_in_bulian_is_that_of_ratings() -> None:
    # EM takes no candidate for equivalent, so it is right where a rating is not.
    accuracy, equivalent = values("bulian_2022", "tab5"), values("bulian_2022", "tab11")
    whole, sizes = values("bulian_2022", "tab6"), values("bulian_2022", "tab10")
    for system in ("BiDAF", "XLNet", "Luke"):
        total = accuracy["EM", system] + equivalent["Equivalent ratings", system]
        assert total == pytest.approx(100)
        rest = 100 * sizes["Non-exact matches", system] / 10_570  # questions of SQuAD 1.1 dev
        assert whole["EM", system] == pytest.approx(100 - rest, abs=0.005)
    # 54.00 % is a share of 4,446 ratings of AE dev, and of no number of its 2,734 AE-examples.
    printed = values("bulian_2022", "tab4")["EM", "Dev Acc"]
    assert printed in {round(100 * right / 4446, 2) for right in range(4447)}
    assert printed not in {round(100 * right / 2734, 2) for right in range(2735)}


def test_systems_of_bulian_are_the_same_in_both_tables() -> None:
    tab6, tab7 = values("bulian_2022", "tab6"), values("bulian_2022", "tab7")
    for system in ("BiDAF", "XLNet", "Luke"):
        for metric in ("F1", "BEM"):
            assert tab6[metric, system] == tab7[system, f"{metric}, all references"]
            assert tab7[system, f"{metric}, 1 reference"] < tab6[metric, system]


def test_prediction_sets_of_bulian_shrink_with_the_target() -> None:
    sizes = values("bulian_2022", "tab8")
    for row in ("SQuAD labels", "+ AE labels", "F1", "BEM"):
        descending = [sizes[row, target] for target in ("99%", "95%", "90%", "80%", "70%")]
        assert all(larger > smaller for larger, smaller in pairwise(descending))


def test_figures_of_cap_agree_with_one_another() -> None:
    headline, ablation, sweep = (values("cap", key) for key in ("tab2", "tab13", "tab11"))
    for column, other in (("Spearman ρ", "Spearman ρ"), ("Pairwise Acc.", "PairAcc")):
        assert headline["CAP", column] == ablation["Full CAP", other]
        assert round(headline["CAP", column], 1) == sweep["α 0.85, λ 0.3", other]
    violations = values("cap", "tab12")
    for metric in ("BLEU", "ROUGE-L", "METEOR", "BERTScore", "COMET", "CAP"):
        rate = 100 * violations[metric, "Violating pairs of 27"] / 27
        assert violations[metric, "Violation rate"] == pytest.approx(rate, abs=0.005)
    assert values("cap", "tab3")["OV > OI", "CAP AUC"] == values("cap", "tab4")["CAP", "OV > OI"]


def test_figures_of_cfmatch_agree_with_one_another() -> None:
    share = values("cfmatch", "sec51")
    assert share["Jeopardy!", "Correct"] + share["Jeopardy!", "Incorrect"] == 100
    # EM takes none of the Jeopardy! answers for right, so it is right where they are wrong.
    assert values("cfmatch", "tab4")["Jeopardy!", "EM O"] == 0
    assert values("cfmatch", "tab5")["EM", "Jeopardy! O"] == share["Jeopardy!", "Incorrect"]


def test_table_of_texts_has_no_figures() -> None:
    head = TABLE[: TABLE.index("units")]
    (table,) = read_published(head.replace("evaluate reproduce p", "")).tables
    assert table == PublishedTable("tab1", "Tab. 1", "Sizes", "", "FILE", ())
    assert not table.is_reproduced


PLACES = {
    "bulian_2022": {"Tab.": 11, "Fig.": 2},
    "cap": {"Tab.": 18, "Fig.": 8},
    "cfmatch": {"Tab.": 6, "Fig.": 2},
    "squad_v2": {"Tab.": 0, "Fig.": 0},
}
"""The number of numbered tables and figures in each paper."""


@pytest.mark.parametrize("paper", PAPERS)
def test_every_table_and_figure_of_a_paper_is_listed(paper: str) -> None:
    places = {table.place for table in published_paper(paper).tables}
    for kind, number in PLACES[paper].items():
        listed = {place for place in places if place.startswith(kind)}
        assert listed == {f"{kind} {place}" for place in range(1, number + 1)}


@pytest.mark.parametrize("paper", PAPERS)
def test_documentation_lists_what_makes_every_table(paper: str) -> None:
    rows = [
        f"| {table.place} | {table.title} "
        f"| {f'`{table.command}`' if table.command else 'none'} | {table.input} |\n"
        for table in published_paper(paper).tables
    ]
    listing = "".join(("| table | title | command | input |\n| --- | --- | --- | --- |\n", *rows))
    assert listing in (ROOT / "docs" / "reproduce.md").read_text(encoding="utf-8")
