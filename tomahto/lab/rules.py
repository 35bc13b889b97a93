"""Differences of metrics from people and each other, by the rule that decided (CFMatch, §5)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from tomahto.charts.rows import count, percent, text
from tomahto.charts.table import PaperTable
from tomahto.estimates.estimate import Estimate
from tomahto.lab.report import LabInput, Section, interval_note, lab_table, metric_names
from tomahto.lab.reproduce.comparison import judged_share
from tomahto.types import Flags

KEY, TITLE = "rules", "Rules of correctness"
LEAD = (
    "Which right answers does a metric miss, and which of two metrics that differ is as people, by"
    " the rule that people decided by?"
)
_ALL = "all"
_RULE_NOTE = (
    "An item has the rules that at least half of the ratings with its label chose: it may have"
    " several, or none. Units are items, metrics are at their own thresholds."
)


@dataclass(frozen=True)
class _Row:
    """Of the items that are decided by a rule, `flags` are true (I,)."""

    names: tuple[str, ...]
    rule: str
    flags: Mapping[str, Flags]

    def of(self, key: str) -> int:
        return int(self.flags[key].sum())


def rules_section(given: LabInput) -> Section:
    """Tables `rules_missed`, and `rules_differences` where there are several metrics."""
    if reason := _why_not(given):
        return Section(KEY, TITLE, LEAD, (), reason=reason)
    tables = [_missed(given)]
    if len(given.scores) > 1:
        tables.append(_differences(given))
    return Section(KEY, TITLE, LEAD, tuple(tables))


def _why_not(given: LabInput) -> str:
    if given.data.decided_by is None:
        return "raters were not asked by which rules they decide, or it is not known"
    if not given.data.items:
        return "no item is judged"
    return "" if given.scores else "no metric has scored the items"


def _missed(given: LabInput) -> PaperTable:
    return lab_table(
        given,
        "rules_missed",
        "Answers that metrics take for wrong and people for right, by rule",
        _missed_rows(given),
        text("metric", "Metric", lambda row: row.names[0]),
        text("rule", "Rule", lambda row: row.rule),
        count("n", "n", lambda row: row.of("all")),
        count("right", "Right to people", lambda row: row.of("right")),
        count("missed", "of them wrong to the metric", lambda row: row.of("missed")),
        percent("share", "Missed, of all items", lambda row: _share(given, row.flags["missed"])),
        count("accepted", "Wrong to people, right to the metric", lambda row: row.of("accepted")),
        notes=(
            _RULE_NOTE,
            "n is the number of items with the rule.",
            interval_note(given.bootstrap),
        ),
        after="CFMatch, §5.2",
    )


def _differences(given: LabInput) -> PaperTable:
    return lab_table(
        given,
        "rules_differences",
        "Which of two metrics that differ is as people, by rule",
        _difference_rows(given),
        text("first", "Metric", lambda row: row.names[0]),
        text("second", "and metric", lambda row: row.names[1]),
        text("rule", "Rule", lambda row: row.rule),
        count("n", "n", lambda row: row.of("differ")),
        count("first_right", "First as people", lambda row: row.of("first")),
        count("second_right", "Second as people", lambda row: row.of("differ") - row.of("first")),
        percent(
            "share",
            "First as people, of n",
            lambda row: _share(given, row.flags["first"], row.flags["differ"]),
        ),
        notes=(
            _RULE_NOTE,
            "n is the number of items they differ on.",
            interval_note(given.bootstrap),
        ),
        after="CFMatch, §5.3 and 5.4",
    )


def _missed_rows(given: LabInput) -> Iterator[_Row]:
    right = _right(given)
    for name, accepted in _accepted(given).items():
        for rule, has_rule in _by_rule(given):
            flags = {
                "all": has_rule,
                "right": has_rule & right,
                "missed": has_rule & right & ~accepted,
                "accepted": has_rule & ~right & accepted,
            }
            yield _Row((name,), rule, flags)


def _difference_rows(given: LabInput) -> Iterator[_Row]:
    right = _right(given)
    for (first, accepted), (second, other) in combinations(_accepted(given).items(), 2):
        for rule, has_rule in _by_rule(given):
            differ = has_rule & (accepted != other)
            flags = {"differ": differ, "first": differ & (accepted == right)}
            yield _Row((first, second), rule, flags)


def _by_rule(given: LabInput) -> Iterator[tuple[str, Flags]]:
    """All items, then those of each rule."""
    found = given.data.decided_by
    assert found is not None  # noqa: S101 - `_why_not` has said so
    yield _ALL, np.ones(len(given.data.items), np.bool_)
    for rule in found.rules:
        flags = [rule in found.by_item.get(item.id, ()) for item in given.data.items]
        yield rule, np.array(flags)


def _accepted(given: LabInput) -> dict[str, Flags]:
    names = metric_names(given.scores)
    return {
        name: one.scores >= one.threshold for name, one in zip(names, given.scores, strict=True)
    }


def _right(given: LabInput) -> Flags:
    return np.array([item.is_right for item in given.data.items], np.bool_)


def _share(given: LabInput, flags: Flags, among: Flags | None = None) -> Estimate:
    """Of all items, or of those `among` which they are."""
    questions = [item.question_id for item in given.data.items]
    return judged_share(questions, flags, given.bootstrap, among)
