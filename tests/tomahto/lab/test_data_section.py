"""Facts of the data, counted by hand."""

from dataclasses import replace

from tests.tomahto.lab.samples import DATA, EXACT, WITH_EXACT, given, judged
from tests.tomahto.lab.sections import table_of
from tomahto.charts.table import Cell
from tomahto.lab.data_section import data_section
from tomahto.lab.report import Section


def rows(section: Section, key: str) -> tuple[tuple[Cell, ...], ...]:
    return table_of(section, key).rows


def test_sizes_count_what_there_is_of_each_split() -> None:
    section = data_section(given())
    assert [column.title for column in table_of(section, "data").columns] == [
        *("Split", "Items", "Questions", "Documents", "Systems", "Judged right"),
    ]
    assert rows(section, "data") == (
        ("dev", 2, 1, 1, 2, 1),
        ("dev+test", 1, 1, 1, 1, 0),
        ("test", 2, 2, 2, 1, 2),
        ("Total", 5, 3, 2, 2, 3),
    )
    assert "whose label is one of: equivalent." in table_of(section, "data").notes[0]
    assert table_of(section, "data").source == "demo 1.0.0, digest 0123456789ab"


def test_labels_are_counted_by_split() -> None:
    section = data_section(given())
    assert rows(section, "labels") == (
        ("equivalent", 1, 0.5, 0, 0.0, 2, 1.0, 3, 0.6),
        ("not-equivalent", 1, 0.5, 1, 1.0, 0, 0.0, 2, 0.4),
    )
    assert (
        "(dev: n = 2, dev+test: n = 1, test: n = 2, Total: n = 5)"
        in (table_of(section, "labels").notes[0])
    )


def test_labels_are_counted_by_system() -> None:
    section = data_section(given())
    assert rows(section, "labels_by_system") == (
        ("bidaf", 2, 1, 1),
        ("luke", 3, 2, 1),
        ("Total", 5, 3, 2),
    )
    assert rows(section, "label_shares_by_system") == (
        ("bidaf", 2, 0.5, 0.5),
        ("luke", 3, 2 / 3, 1 / 3),
        ("Total", 5, 0.6, 0.4),
    )


def test_exact_matches_are_counted_where_they_are_known() -> None:
    unknown = table_of(data_section(given()), "data_by_system")
    assert unknown.rows == (("bidaf", 2, 1, None, 0, 1), ("luke", 3, 3, None, 0, 2))
    assert unknown.reasons == ("no answer that is a reference word for word is known",)
    empty = replace(EXACT, question=replace(EXACT.question, id="q2"), candidate="")
    answers = (*WITH_EXACT.all_answers, replace(empty, settled="not-rated"))
    known = data_section(given(replace(DATA, all_answers=answers)))
    assert rows(known, "data_by_system") == (
        ("bidaf", 2, 1, 0, 0, 1),
        ("luke", 3, 3, 0, 0, 2),
        ("xlnet", 0, 0, 1, 1, 0),
    )
    assert rows(known, "label_shares_by_system")[2] == ("xlnet", 0, None, None)


def test_data_without_splits_systems_or_documents_say_so() -> None:
    item = replace(judged("a", right=True), document="")
    section = data_section(given(replace(DATA, items=(item,))))
    assert [table.key for table in section.tables] == ["data", "labels"]
    assert rows(section, "data") == (("Total", 1, 1, None, 0, 1),)
    assert table_of(section, "data").reasons == ("the data name no documents",)
    assert section.charts[0].series == ("share",)


def test_an_item_of_no_split_is_of_a_part_of_its_own() -> None:
    items = (judged("a", right=True, split="dev"), judged("b", right=True))
    section = data_section(given(replace(DATA, items=items)))
    assert [row[0] for row in rows(section, "data")] == ["no split", "dev", "Total"]


def test_no_data_have_no_shares() -> None:
    section = data_section(given(replace(DATA, items=())))
    assert rows(section, "labels") == (("equivalent", 0, None), ("not-equivalent", 0, None))
    assert section.charts == ()
