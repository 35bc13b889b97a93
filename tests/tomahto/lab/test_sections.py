"""A report is made of the sections of a registry; here of small ones."""

from dataclasses import replace

import pytest

from tests.tomahto.lab.samples import DATA, given
from tomahto.charts.table import Column, PaperTable
from tomahto.estimates.estimate import Estimate
from tomahto.lab.report import LabInput, LabReport, MetricSignature, Section
from tomahto.lab.sections import SECTIONS, check_sections, make_report


def first(data: LabInput) -> Section:
    return Section("first", "First", f"{len(data.data.items)} items", ())


def second(_data: LabInput) -> Section:
    return Section("second", "Second", "", (), reason="nothing to say")


REGISTRY = {"first": first, "second": second}


def test_report_has_its_sections_and_what_they_rest_on() -> None:
    assert make_report(given(tune_on="dev"), registry=REGISTRY) == LabReport(
        name="demo 1.0.0",
        protocol="ae",
        digest="0123456789abcdef",
        items=5,
        metrics=(MetricSignature("em", "em|v1", 1.0), MetricSignature("f1", "f1|v1", 0.5)),
        seed=7,
        replicates=20,
        tune_on="dev",
        sections=(
            Section("first", "First", "5 items", ()),
            Section("second", "Second", "", (), reason="nothing to say"),
        ),
    )


def test_sections_come_in_the_order_of_the_registry() -> None:
    chosen = make_report(given(), ["second", "first", "second"], registry=REGISTRY)
    assert [section.key for section in chosen.sections] == ["first", "second"]
    assert make_report(given(), [], registry=REGISTRY).sections == ()


def test_progress_is_told_before_each_section_and_at_the_end() -> None:
    told: list[tuple[int, int, str]] = []
    make_report(given(), report=lambda *progress: told.append(progress), registry=REGISTRY)
    assert told == [(0, 2, "first"), (1, 2, "second"), (2, 2, "")]


def test_an_interval_without_width_is_left_out_with_the_reason() -> None:
    certain = Estimate(value=1.0, low=1.0, high=1.0, n=3, replicates=20, seed=7)
    table = PaperTable(
        key="t", title="T", columns=(Column("a", "A", "percent"),), rows=((certain,),), notes=(),
        source="s",
    )  # fmt: skip
    section = Section("one", "One", "", (table,))
    ((cell,),) = (
        make_report(given(), registry={"one": lambda _: section}).sections[0].tables[0].rows
    )
    assert isinstance(cell, Estimate)
    assert (cell.value, cell.low, cell.reason) == (
        1.0,
        None,
        "all that is judged is alike: resampling it shows no uncertainty",
    )


def test_every_registered_section_has_its_key() -> None:
    report = make_report(given())
    assert [section.key for section in report.sections] == list(SECTIONS)
    assert next(iter(SECTIONS)) == "data"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (given(tune_on="train"), "no item is of the split 'train' to tune on; known: dev, dev"),
        (
            given(replace(DATA, items=DATA.items[:2]), "dev"),
            "every item is of the split 'dev': none is left to judge",
        ),
        (
            replace(given(), data=replace(DATA, items=DATA.items[:2])),
            "em: 5 scores of 2 items",
        ),
        (
            replace(given(), scores=(given().scores[0], given().scores[0])),
            "the same metric is named twice: em, em",
        ),
    ],
)
def test_report_refuses_what_it_cannot_be_made_of(data: LabInput, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        make_report(data, registry=REGISTRY)


def test_report_names_the_sections_there_are() -> None:
    with pytest.raises(ValueError, match=r"^no section 'third'; known: first, second$"):
        make_report(given(), ["third"], registry=REGISTRY)
    with pytest.raises(ValueError, match=r"^no section 'third'; known: data"):
        check_sections(["third"])
