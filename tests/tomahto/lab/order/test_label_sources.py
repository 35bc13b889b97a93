"""Several labels of the same items."""

from dataclasses import replace

import pytest

from tests.tomahto.lab.classes_of_answers import SCHEME, cap_input
from tests.tomahto.lab.sections import cells_of, number, table_of, values
from tomahto.lab.order.label_sources import Labels, label_sources_section
from tomahto.lab.report import LabInput, Section
from tomahto.ranking.monotonicity import monotonicity


@pytest.fixture(scope="module")
def given() -> LabInput:
    return cap_input()


def section_of(
    given: LabInput, sources: Labels, parts: Labels | None = None, ties: Labels | None = None
) -> Section:
    data = replace(
        given.data, label_sources=sources, part_sources=parts or {}, tie_sources=ties or {}
    )
    return label_sources_section(replace(given, data=data))


def test_sources_are_compared_on_the_items_that_all_label(given: LabInput) -> None:
    majority: list[str | None] = [item.label for item in given.data.items]
    rater = list(majority)
    rater[0] = None
    rater[1:4] = ["invalid" if label != "invalid" else "exact" for label in majority[1:4]]
    section = section_of(given, {"majority": majority, "rater": rater})
    rows = cells_of(section, "label_sources")
    assert [(row["metric"], row["source"], row["n"]) for row in rows] == [
        ("good", "majority", 47),
        ("noise", "majority", 47),
        ("good", "rater", 47),
        ("noise", "rater", 47),
    ]
    good = given.scores[0].scores[1:]
    reports = [
        monotonicity([str(label) for label in labels[1:]], good, SCHEME)
        for labels in (majority, rater)
    ]
    rho = [report.spearman.value for report in reports]
    assert [number(rows[place]["spearman"]) for place in (0, 2)] == rho
    difference = cells_of(section, "label_source_differences")[0]
    assert (difference["second"], difference["first"]) == ("rater", "majority")
    assert number(difference["spearman"]) == pytest.approx(rho[1] - rho[0])  # type: ignore[operator]  # numbers
    [changes] = cells_of(section, "label_source_changes")
    assert (changes["n"], changes["differ"]) == (47, 3)
    means = cells_of(section, "label_source_means")
    exact = next(row for row in means if (row["metric"], row["class"]) == ("good", "exact"))
    assert number(exact["less_rater"]) == pytest.approx(
        number(exact["mean_rater"]) - number(exact["mean_majority"])
    )
    assert "left out are 1 others" in section.tables[0].notes[0]


def test_ties_of_the_majority_are_compared_with_what_others_say_of_them(given: LabInput) -> None:
    """Adjudicators decided three of them; two more are left, of one of which the model is sure."""
    own = [item.label for item in given.data.items]
    other = [next(label for label in SCHEME.labels if label != mine) for mine in own]
    labelings: dict[str, list[str | None]] = {
        "adjudicated": [*own],
        "majority": [None, None, None, other[3], *own[4:]],
        "dawid-skene": [other[0], *own[1:]],
    }
    section = section_of(given, labelings, ties={"dawid-skene": ["exact", None]})
    changes = values(table_of(section, "label_source_changes"))
    assert [tuple(row.values()) for row in changes] == [
        ("adjudicated", "majority", 45, 1, 1 / 45, 2, 5, 50, 4, 4 / 50),
        ("adjudicated", "dawid-skene", 48, 1, 1 / 48, 2, 1, 50, 2, 2 / 50),
        ("majority", "dawid-skene", 45, 1, 1 / 45, 5, 1, 50, 5, 5 / 50),
    ]
    ties = {(row["source"], row["other"]): row for row in cells_of(section, "label_source_ties")}
    assert {names: (row["n"], row["no_label"]) for names, row in ties.items()} == {
        ("adjudicated", "majority"): (2, 2),
        ("adjudicated", "dawid-skene"): (2, 1),
        ("majority", "adjudicated"): (5, 2),
        ("majority", "dawid-skene"): (5, 1),
        ("dawid-skene", "adjudicated"): (1, 1),
        ("dawid-skene", "majority"): (1, 1),
    }
    decided = ties["majority", "adjudicated"]
    assert {label: decided[label] for label in SCHEME.labels} == {
        label: own[:3].count(label) for label in SCHEME.labels
    }


def test_adjudicators_of_ties_stand_beside_the_majority(given: LabInput) -> None:
    own: list[str | None] = [item.label for item in given.data.items]
    ties = {"dawid-skene": ["exact"], "adjudicators": ["invalid"]}
    section = section_of(given, {"majority": own, "dawid-skene": own}, ties=ties)
    rows = cells_of(section, "label_source_ties")
    assert [(row["source"], row["other"], row["exact"], row["invalid"]) for row in rows] == [
        ("majority", "dawid-skene", 1, 0),
        ("majority", "adjudicators", 0, 1),
    ]


def test_sources_without_ties_have_no_table_of_them(given: LabInput) -> None:
    own = [item.label for item in given.data.items]
    section = section_of(given, {"a": own, "b": own})
    assert [table.key for table in section.tables] == [
        "label_sources",
        "label_source_differences",
        "label_source_means",
        "label_source_changes",
    ]


def test_sources_say_why_they_are_not_compared(given: LabInput) -> None:
    labels = [item.label for item in given.data.items]
    none: list[str | None] = [None] * len(labels)
    assert section_of(given, {"a": labels}).reason == (
        "there is one source of labels, with nothing to compare it to"
    )
    assert section_of(given, {"a": labels, "b": none}).reason == (
        "no item is labelled by every source"
    )
    assert section_of(replace(given, scores=()), {"a": labels, "b": labels}).reason == (
        "there is no metric"
    )
    with pytest.raises(ValueError, match="b: 47 labels of 48 items"):
        section_of(given, {"a": labels, "b": labels[1:]})


def test_a_source_of_some_items_is_set_beside_the_items_own_labels(given: LabInput) -> None:
    own: list[str | None] = [item.label for item in given.data.items]
    nobody: list[str | None] = [None] * len(own)
    rater = [*nobody[:20], "exact", *own[21:]]
    parts = {"r1": rater, "r2": nobody}
    section = section_of(given, {"majority": own}, parts)
    assert [table.key for table in section.tables] == [
        "label_source_parts",
        "label_source_part_differences",
        "label_source_part_means",
    ]
    assert section.reason == "there is one source of labels, with nothing to compare it to"
    [good, noise] = cells_of(section, "label_source_parts")
    assert [(row["metric"], row["source"], row["n"]) for row in (good, noise)] == [
        ("good", "r1", 28),
        ("noise", "r1", 28),
    ]
    scores = given.scores[0].scores[20:]
    theirs, ours = (
        monotonicity([str(label) for label in labels[20:]], scores, SCHEME)
        for labels in (rater, own)
    )
    assert number(good["spearman"]) == theirs.spearman.value
    [difference, _] = cells_of(section, "label_source_part_differences")
    expected = theirs.spearman.value - ours.spearman.value  # type: ignore[operator]  # numbers
    assert number(difference["spearman"]) == pytest.approx(expected)
    assert difference["differ"] == pytest.approx((own[20] != "exact") / 28)
    exact = cells_of(section, "label_source_part_means")[0]
    assert (exact["class"], exact["source"]) == ("exact", "r1")
    of_class = [one for one, label in zip(scores, rater[20:], strict=True) if label == "exact"]
    assert number(exact["mean"]) == pytest.approx(sum(of_class) / len(of_class))
