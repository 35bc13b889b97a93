import json
import math

import pytest
from hypothesis import given

from tests.tomahto.charts.tables import paper_tables
from tomahto.charts.table import Column, PaperTable
from tomahto.estimates.estimate import Estimate

NAME, COUNT = Column("name", "Name", "text"), Column("items", "Items")


@pytest.mark.parametrize(
    ("kind", "cell", "expected"),
    [
        ("count", 12345, "12,345"),
        ("number", 0.71649, "0.716"),
        ("number", -0.0921, "−0.092"),
        ("number", -0.0001, "0.000"),
        ("percent", 0.6606, "66.1"),
        ("percent", 1.0, "100.0"),
        ("percent", None, "–"),
        ("text", " two\nlines\0", "two lines\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_column_shows_cells_as_papers_print_them(
    kind: str, cell: str | float | None, expected: str
) -> None:
    column = Column("c", "C", kind)  # type: ignore[arg-type]  # one of the kinds, above
    assert column.shown(cell) == expected


def test_table_says_below_what_it_rests_on() -> None:
    table = PaperTable(
        key="t",
        title="T",
        columns=(NAME, COUNT),
        rows=(("a", 1), ("b", None)),
        notes=("n = 1.",),
        source="here",
        reasons=("nobody rated", "nothing to rate"),
    )
    assert table.remarks == (
        "n = 1.",
        "– is undefined: nobody rated; nothing to rate.",
        "Source: here.",
    )


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (("a",), "t: 1 cells in 2 columns"),
        ((1, 1), "t, column name: 1 is out of place"),
        (("a", "b"), "t, column items: 'b' is out of place"),
        (("a", None), "t, column items: undefined for no reason"),
        (("a", math.nan), "t, column items: nan is not finite: use None and a reason"),
    ],
)
def test_table_refuses_rows_that_do_not_fit(
    row: tuple[str | float | None, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        PaperTable(key="t", title="T", columns=(NAME, COUNT), rows=(row,), notes=(), source="s")


def test_table_refuses_two_columns_of_one_key() -> None:
    with pytest.raises(ValueError, match=r"^t: two columns have the same"):
        PaperTable(key="t", title="T", columns=(COUNT, COUNT), rows=(), notes=(), source="s")


@given(paper_tables())
def test_table_comes_back_from_json_as_it_was(table: PaperTable) -> None:
    assert PaperTable.from_json(json.loads(json.dumps(table.as_json()))) == table


def test_json_tells_estimates_from_numbers() -> None:
    share = Column("share", "Share", "percent")
    sure = Estimate(value=0.5, n=4, low=0.25, high=0.75, replicates=9, seed=1, confidence=0.9)
    table = PaperTable(
        key="t",
        title="T",
        columns=(NAME, share),
        rows=(("a", 0.5), ("b", sure), ("c", None)),
        notes=("n = 4.",),
        source="s",
        reasons=("nobody rated",),
    )
    estimate = {"value": 0.5, "low": 0.25, "high": 0.75, "n": 4, "replicates": 9, "seed": 1}
    assert table.as_json() == {
        "key": "t",
        "title": "T",
        "columns": [
            {"key": "name", "title": "Name", "kind": "text"},
            {"key": "share", "title": "Share", "kind": "percent"},
        ],
        "rows": [["a", 0.5], ["b", {**estimate, "confidence": 0.9}], ["c", None]],
        "notes": ["n = 4."],
        "source": "s",
        "reasons": ["nobody rated"],
    }


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": [{"key": "a", "title": "A", "kind": "date"}]}, "'date' is not one of text, "),
        ({"rows": [[[1]]]}, r"\[1\] is not a cell"),
        ({"rows": [["a", 1]]}, "t: 2 cells in 1 columns"),
    ],
)
def test_json_of_no_table_is_refused(change: dict[str, object], message: str) -> None:
    table = PaperTable(key="t", title="T", columns=(COUNT,), rows=((1,),), notes=(), source="s")
    with pytest.raises(ValueError, match=f"^{message}"):
        PaperTable.from_json(table.as_json() | change)
