import pytest

from exporters.paper.table import Column, PaperTable

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
    ],
)
def test_table_refuses_rows_that_do_not_fit(
    row: tuple[str | int | None, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        PaperTable(key="t", title="T", columns=(NAME, COUNT), rows=(row,), notes=(), source="s")
