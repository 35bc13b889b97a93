from dataclasses import replace

from tests.tomahto.lab.answer_data import Said, judged_data, lab_input
from tests.tomahto.lab.sections import estimates, table_of, values
from tomahto.lab.judged import DecidedBy
from tomahto.lab.report import LabInput
from tomahto.lab.rules import rules_section

SAID = [
    Said("a", "q1", "x", "r", True),
    Said("a", "q2", "y", "r", True),
    Said("a", "q3", "x", "r", False),
    Said("a", "q4", "y", "r", False),
]
EM = [0.0, 1.0, 0.0, 1.0]  # misses q1, accepts q4
OTHER = [1.0, 1.0, 1.0, 1.0]  # accepts all


def given(metrics: dict[str, list[float]]) -> LabInput:
    data = judged_data(SAID)
    one, two, three, _ = (item.id for item in data.items)
    rules = {one: ("aliasing", "semantic"), two: ("semantic",), three: ("aliasing",)}
    decided_by = DecidedBy(("aliasing", "numerical", "semantic"), rules)
    return lab_input(replace(data, decided_by=decided_by), metrics, threshold=0.5)


def test_missed_answers_are_counted_by_rule() -> None:
    section = rules_section(given({"em": EM}))
    assert [table.key for table in section.tables] == ["rules_missed"]
    table = table_of(section, "rules_missed")
    keys = ("metric", "rule", "n", "right", "missed", "share", "accepted")
    assert values(table) == [
        dict(zip(keys, row, strict=True))
        for row in (
            ("em", "all", 4, 2, 1, 0.25, 1),
            ("em", "aliasing", 2, 1, 1, 0.25, 0),
            ("em", "numerical", 0, 0, 0, 0.0, 0),
            ("em", "semantic", 2, 2, 1, 0.25, 0),
        )
    ]
    assert {estimate.n for estimate in estimates(table, "share")} == {4}


def test_who_is_right_where_two_metrics_differ_is_counted_by_rule() -> None:
    # They differ on q1, where the other is as people, and on q3, where em is.
    table = table_of(rules_section(given({"em": EM, "other": OTHER})), "rules_differences")
    keys = ("first", "second", "rule", "n", "first_right", "second_right", "share")
    assert values(table) == [
        dict(zip(keys, ("em", "other", *row), strict=True))
        for row in (
            ("all", 2, 1, 1, 0.5),
            ("aliasing", 2, 1, 1, 0.5),
            ("numerical", 0, 0, 0, None),
            ("semantic", 1, 0, 1, 0.0),
        )
    ]


def test_section_says_why_it_is_empty() -> None:
    plain = lab_input(judged_data(SAID), {"em": EM}, threshold=0.5)
    assert rules_section(plain).reason == (
        "raters were not asked by which rules they decide, or it is not known"
    )
    with_rules = given({})
    assert rules_section(with_rules).reason == "no metric has scored the items"
    nothing = replace(with_rules, data=replace(with_rules.data, items=()))
    assert rules_section(nothing).reason == "no item is judged"
