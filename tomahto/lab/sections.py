"""The sections of a report by key, and the report that is made of them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TypeAlias

from tomahto.conformal.trials import TrialPlan, conformal_trials
from tomahto.estimates.estimate import Estimate, with_width
from tomahto.lab import answer_sets
from tomahto.lab.data_section import data_section
from tomahto.lab.judged import JudgedData
from tomahto.lab.metric_quality import metric_quality_section
from tomahto.lab.more_references import more_references_section
from tomahto.lab.order.cap_sweep import cap_sweep_section
from tomahto.lab.order.classes import classes_section
from tomahto.lab.order.label_sources import label_sources_section
from tomahto.lab.order.section import order_section
from tomahto.lab.report import LabInput, LabReport, MetricSignature, Section
from tomahto.lab.rules import rules_section
from tomahto.lab.systems import systems_section

MakeSection: TypeAlias = Callable[[LabInput], Section]
Progress: TypeAlias = Callable[[int, int, str], None]
"""Told how many sections are done, how many there are, and the key of the next ("" at the end)."""


def _answer_sets(given: LabInput) -> Section:
    """50 trials with 80 % of the questions for calibration, as in the paper."""
    found = given.candidates
    if found is None:
        return answer_sets.no_answer_sets("no system's ranked answers are known")
    plan = TrialPlan(seed=given.bootstrap.seed)
    source = f"{given.data.name}, answers of {found.system}"
    try:
        trials = conformal_trials(found.labels, answer_sets.CURVE_TARGETS, plan)
    except ValueError as error:
        return answer_sets.no_answer_sets(str(error))
    section = answer_sets.answer_sets_section(
        trials, targets=answer_sets.TABLE_8_TARGETS, source=source
    )
    return replace(
        section, tables=(*section.tables, *answer_sets.admission_tables(found, plan, source))
    )


SECTIONS: Mapping[str, MakeSection] = {
    "data": data_section,
    "metric_quality": metric_quality_section,
    "rules": rules_section,
    "systems": systems_section,
    "more_references": more_references_section,
    "order": order_section,
    "classes": classes_section,
    "label_sources": label_sources_section,
    "cap_sweep": cap_sweep_section,
    "answer_sets": _answer_sets,
}


def make_report(
    given: LabInput,
    sections: Collection[str] | None = None,
    report: Progress = lambda _done, _total, _key: None,
    *,
    registry: Mapping[str, MakeSection] = SECTIONS,
) -> LabReport:
    """The sections of these keys, or all, in the order of the registry.

    Raises ValueError if there is no such section, if scores are not of the items or a metric is
    there twice, or if no item is of the split that thresholds are to be tuned on, or every one.
    """
    check_sections(sections, registry)
    wanted = [key for key in registry if sections is None or key in sections]
    _check(given)
    made = []
    for done, key in enumerate(wanted):
        report(done, len(wanted), key)
        made.append(_without_widthless(registry[key](given)))
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


def _without_widthless(section: Section) -> Section:
    """Without intervals that have no width, which would claim a certainty that there is not."""
    tables = tuple(
        replace(
            table,
            rows=tuple(
                tuple(with_width(cell) if isinstance(cell, Estimate) else cell for cell in row)
                for row in table.rows
            ),
        )
        for table in section.tables
    )
    return replace(section, tables=tables)


def check_sections(
    sections: Collection[str] | None, registry: Mapping[str, MakeSection] = SECTIONS
) -> None:
    """Raises ValueError if there is no such section, naming those there are."""
    for key in sections or ():
        if key not in registry:
            raise ValueError(f"no section {key!r}; known: {', '.join(registry)}")


def check_split(data: JudgedData, tune_on: str | None) -> None:
    """Raises ValueError if thresholds cannot be tuned on the split, because no item is of it or
    none is left to judge what was tuned."""
    splits = sorted({item.split for item in data.items})
    if tune_on is None:
        return
    if tune_on not in splits:
        there = ", ".join(filter(None, splits)) or "no splits"
        raise ValueError(f"no item is of the split {tune_on!r} to tune on; known: {there}")
    if len(splits) == 1:
        raise ValueError(f"every item is of the split {tune_on!r}: none is left to judge")


def _check(given: LabInput) -> None:
    items, metrics = given.data.items, [scores.metric for scores in given.scores]
    if len(set(metrics)) < len(metrics):
        raise ValueError(f"the same metric is named twice: {', '.join(metrics)}")
    for scores in given.scores:
        if len(scores.scores) != len(items):
            found = f"{len(scores.scores):,} scores of {len(items):,} items"
            raise ValueError(f"{scores.metric}: {found}")
    check_split(given.data, given.tune_on)
