"""The tables of the sample release, whose figures can be computed by hand."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from exporters.planned_release import ReleaseContent
from tests.exporters.builders import build_dataset
from tests.exporters.samples import CAP_CONTENT, CONTENT
from tests.tomahto.charts.reading import texts
from tomahto.charts.table import MINUS, UNDEFINED, PaperTable
from tomahto.releases.documents.document_files import agreement_chart, figure_charts, kappa_chart
from tomahto.releases.documents.release_tables import MAX_PAIRS, paper_tables
from tomahto.releases.figures.figures import release_agreement
from tomahto.releases.figures.statistics import release_statistics
from tomahto.releases.records.records import AdjudicationRecord


def tables_of(content: ReleaseContent) -> dict[str, PaperTable]:
    statistics = release_statistics(build_dataset(content))
    agreement = release_agreement(build_dataset(content))
    return {table.key: table for table in paper_tables(statistics, agreement)}


@pytest.fixture(scope="module")
def tables() -> dict[str, PaperTable]:
    return tables_of(CONTENT)


def test_sizes_are_those_of_every_split(tables: dict[str, PaperTable]) -> None:
    assert [column.key for column in tables["sizes"].columns] == [
        *("split", "documents", "questions", "candidates", "items", "ratings")
    ]
    assert tables["sizes"].rows == (
        ("dev", 1, 1, 1, 1, 4),
        ("test", 3, 3, 3, 4, 7),
        ("Total", 4, 4, 4, 5, 11),
    )
    assert tables["ratings_per_item"].rows == ((1, 2, 0.4), (2, 1, 0.2), (3, 1, 0.2), (4, 1, 0.2))


def test_systems_have_their_candidates_items_and_ratings(tables: dict[str, PaperTable]) -> None:
    # bidaf: a1, a2 and d1; luke: b1; xlnet: a1, a2 and c1. a1 and a2 are one candidate.
    assert tables["sizes_by_system"].rows == (
        ("bidaf", 2, 3, 8),
        ("luke", 1, 1, 2),
        ("xlnet", 2, 3, 5),
        ("Total", 4, 5, 11),
    )


def test_labels_by_system_are_shares_of_candidates_items_and_ratings(
    tables: dict[str, PaperTable],
) -> None:
    # bidaf: a1 is equivalent, so its candidate is; a2 and d1 are not. Its ratings: 2 of 3, 0 of 1
    # and 0 of 4 say equivalent. luke: b1, a tie.
    assert tables["labels_by_system"].rows[:6] == (
        ("bidaf", "candidates", 0, 2, 0.5, 0.5),
        ("bidaf", "items", 0, 3, 1 / 3, 2 / 3),
        ("bidaf", "ratings", 0, 8, 0.25, 0.75),
        ("luke", "candidates", 1, 0, None, None),
        ("luke", "items", 1, 0, None, None),
        ("luke", "ratings", 0, 2, 0.5, 0.5),
    )
    assert tables["labels_by_system"].reasons == (
        "a tie or an unrated item leaves all labels open",
    )


def test_histogram_counts_items_by_f1_and_reading(tables: dict[str, PaperTable]) -> None:
    # b1 0, a2 1/3, a1 1/2, c1 4/5, d1 1; b1 is a tie, drawn as equivalent; a2 and d1 are
    # completely different to all who rated them
    table = tables["f1_histogram"]
    assert [column.key for column in table.columns] == [
        *("f1", "equivalent", "removes-or-adds", "completely-different")
    ]
    rows = {row[0]: row[1:] for row in table.rows}
    assert {name: counts for name, counts in rows.items() if counts != (0, 0, 0)} == {
        "0.0 to below 0.1": (1, 0, 0),
        "0.3 to below 0.4": (0, 0, 1),
        "0.5 to below 0.6": (1, 0, 0),
        "0.8 to below 0.9": (1, 0, 0),
        "0.9 to 1.0": (0, 0, 1),
    }
    assert tables["f1_histogram"].notes[0].startswith("n = 5 items.")


def test_agreement_has_n_intervals_and_why_it_is_undefined(tables: dict[str, PaperTable]) -> None:
    whole, dev, _test = tables["agreement"].rows
    # as in test_card: alpha 1/9; one of three items in full, pairs (1/3 + 0 + 1)/3 and 7 of 10
    assert whole[:2] == ("All", 3)
    assert whole[2] == pytest.approx(1 / 9)
    assert list(whole[8:]) == pytest.approx([1 / 3, 4 / 9, 0.7])
    # all four ratings of d1 say the same
    assert dev[:3] == ("dev", 1, None)
    assert dev[8:] == (1.0, 1.0, 1.0)
    assert tables["agreement"].reasons == (
        "only one label occurs, so no disagreement can be expected by chance",
        "one question cannot be resampled into an interval",
    )


def test_kappa_has_the_pairs_with_most_items_in_common(tables: dict[str, PaperTable]) -> None:
    kappa = tables["kappa"]
    assert kappa.rows[0] == ("r1", "r2", 3, 0.4, 0.4, 0.4)
    assert kappa.rows[-1] == ("r3", "r4", 1, None, None, None)
    assert kappa.reasons[0].startswith("expected agreement is 1: both used one label only")


def test_kappa_of_many_raters_says_how_many_pairs_are_left_out() -> None:
    statistics: dict[str, Any] = release_statistics(build_dataset(CONTENT))
    agreement = release_agreement(build_dataset(CONTENT))
    pair = agreement["whole"]["kappa"][0]
    agreement["whole"]["kappa"] = [{**pair, "raters": ["a", f"b{n:02}"]} for n in range(30)]
    kappa = {table.key: table for table in paper_tables(statistics, agreement)}["kappa"]
    assert len(kappa.rows) == MAX_PAIRS
    assert kappa.notes[1].startswith("Pairs with an item in common: 30;")


def test_tables_of_another_protocol_have_its_labels() -> None:
    tables = tables_of(CAP_CONTENT)
    assert [column.title for column in tables["labels_by_system"].columns] == [
        *("System", "Of its", "Open", "n", "exact", "partial", "invalid")
    ]
    assert "kappa" not in tables  # one rater alone


def test_types_of_question_have_a_table_where_there_are_any() -> None:
    statistics: dict[str, Any] = release_statistics(build_dataset(CONTENT))
    statistics["labels_by_question_type"] = {"short": {"equivalent": 1, "not-equivalent": 3}}
    (table,) = (
        table
        for table in paper_tables(statistics, release_agreement(build_dataset(CONTENT)))
        if table.key == "labels_by_question_type"
    )
    assert table.rows == (("short", 4, 0.25, 0.75),)


def test_a_system_named_total_has_a_row_of_its_own() -> None:
    statistics: dict[str, Any] = release_statistics(build_dataset(CONTENT))
    statistics["sizes_by_system"]["Total"] = {"candidates": 1, "items": 1, "ratings": 1}
    tables = paper_tables(statistics, release_agreement(build_dataset(CONTENT)))
    (table,) = (table for table in tables if table.key == "sizes_by_system")
    assert table.rows[-2:] == (("Total", 1, 1, 1), ("Total", 4, 5, 11))


def test_there_are_no_figures_of_what_there_is_not() -> None:
    agreement: dict[str, Any] = release_agreement(build_dataset(CONTENT))
    statistics: dict[str, Any] = release_statistics(build_dataset(CONTENT))
    statistics["f1_readings"]["labels"] = {"equivalent": [0] * 10}
    agreement["whole"]["kappa"] = []
    assert figure_charts(statistics, agreement).keys() == {"figures/agreement"}


def test_figures_of_agreement_are_those_of_the_page() -> None:
    agreement: dict[str, Any] = release_agreement(build_dataset(CONTENT))
    whole = agreement["whole"]
    drawn = texts(agreement_chart(agreement))
    assert f"{whole['alpha']['value']:.2f}" in drawn
    assert {"All labels", *agreement["splits"], "Q1", "Q2", "Q3", "Q4"} <= set(drawn)
    pairs = kappa_chart(whole)
    assert {rater for pair in whole["kappa"] for rater in pair["raters"]} <= set(texts(pairs))
    assert [spot.text for spot in pairs.spots] == [
        UNDEFINED if pair["unweighted"] is None else f"{pair['unweighted']:.2f}".replace("-", MINUS)
        for pair in whole["kappa"]
    ]


def test_the_histogram_counts_what_has_no_reading() -> None:
    # the only rating of c1 is equivalent
    decisions = [AdjudicationRecord("c1", "x1", "not-equivalent")]
    content = replace(CONTENT, adjudications=decisions, labels="adjudicated")
    (note,) = tables_of(content)["f1_histogram"].notes
    assert note.startswith("n = 4 items.")
    assert note.endswith("all of their ratings are, have no reading and are left out: 1.")
    (note,) = tables_of(CONTENT)["f1_histogram"].notes
    assert note.startswith("n = 5 items.")
    assert "no reading" not in note


def test_files_have_labels_that_latex_takes(written: Path) -> None:
    assert (
        "\\label{tab:demo-sizes-by-system}" in (written / "tables/sizes_by_system.tex").read_text()
    )
    rows = json.loads((written / "manifest.json").read_text())["files"]
    assert {file["path"]: file["rows"] for file in rows if "tables/sizes." in file["path"]} == {
        "tables/sizes.csv": 3,
        "tables/sizes.md": None,
        "tables/sizes.tex": None,
    }
