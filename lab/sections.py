"""The sections of a report by key, and the report that is made of them."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from lab.data import data_section
from lab.judged import JudgedData
from lab.report import LabInput, LabReport, MetricSignature, Section

MakeSection: TypeAlias = Callable[[LabInput], Section]
Progress: TypeAlias = Callable[[int, int, str], None]
"""Told how many sections are done, how many there are, and the key of the next ("" at the end)."""

SECTIONS: Mapping[str, MakeSection] = {
    "data": data_section,
}


def _to_nobody(_done: int, _total: int, _key: str) -> None:
    pass


def make_report(
    given: LabInput,
    sections: Collection[str] | None = None,
    report: Progress = _to_nobody,
    *,
    registry: Mapping[str, MakeSection] = SECTIONS,
) -> LabReport:
    """The sections of these keys, or all, in the order of the registry.

    Raises ValueError if there is no such section, if scores are not of the items or a metric is
    there twice, or if no item is of the split that thresholds are to be tuned on, or every one.
    """
    wanted = _wanted(sections, registry)
    _check(given)
    made = []
    for done, key in enumerate(wanted):
        report(done, len(wanted), key)
        made.append(registry[key](given))
    report(len(wanted), len(wanted), "")
    return LabReport(
        name=given.data.name,
        protocol=given.data.protocol,
        digest=given.data.digest,
        items=len(given.data.items),
        metrics=tuple(
            MetricSignature(each.metric, each.version, each.threshold) for each in given.scores
        ),
        seed=given.bootstrap.seed,
        replicates=given.bootstrap.replicates,
        tune_on=given.tune_on,
        sections=tuple(made),
    )


def check_sections(
    sections: Collection[str] | None, registry: Mapping[str, MakeSection] = SECTIONS
) -> None:
    """Raises ValueError if there is no such section, naming those there are."""
    for key in sections or ():
        if key not in registry:
            raise ValueError(f"no section {key!r}; there are {', '.join(registry)}")


def check_split(data: JudgedData, tune_on: str | None) -> None:
    """Raises ValueError if thresholds cannot be tuned on the split, because no item is of it or
    none is left to judge what was tuned."""
    splits = sorted({item.split for item in data.items})
    if tune_on is None:
        return
    if tune_on not in splits:
        there = ", ".join(filter(None, splits)) or "no splits"
        raise ValueError(f"no item is of the split {tune_on!r} to tune on; there are {there}")
    if len(splits) == 1:
        raise ValueError(f"every item is of the split {tune_on!r}: none is left to judge")


def _wanted(sections: Collection[str] | None, registry: Mapping[str, MakeSection]) -> Sequence[str]:
    check_sections(sections, registry)
    return [key for key in registry if sections is None or key in sections]


def _check(given: LabInput) -> None:
    items, metrics = given.data.items, [scores.metric for scores in given.scores]
    if len(set(metrics)) < len(metrics):
        raise ValueError(f"a metric is there twice: {', '.join(metrics)}")
    for scores in given.scores:
        if len(scores.scores) != len(items):
            found = f"{len(scores.scores):,} scores of {len(items):,} items"
            raise ValueError(f"{scores.metric}: {found}")
    check_split(given.data, given.tune_on)
