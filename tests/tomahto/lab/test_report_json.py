"""Reports go out as JSON and come back the same."""

import json

import pytest
from hypothesis import given, settings

from tests.tomahto.lab import samples
from tomahto.lab.data_section import data_section
from tomahto.lab.report import LabReport, report_as_json, report_from_json
from tomahto.lab.sections import make_report


@settings(max_examples=40)
@given(samples.REPORTS)
def test_report_comes_back_as_it_was(report: LabReport) -> None:
    assert report_from_json(json.loads(json.dumps(report_as_json(report)))) == report


def test_report_of_a_real_section_comes_back_as_it_was() -> None:
    report = make_report(samples.given(), registry={"data": data_section})
    content = report_as_json(report)
    assert report_from_json(json.loads(json.dumps(content, allow_nan=False))) == report
    assert (content["format"], content["tune_on"], content["seed"]) == (1, None, 7)
    assert content["metrics"][0] == {"metric": "em", "version": "em|v1", "threshold": 1.0}
    assert content["sections"][0]["charts"][0] == {
        "kind": "columns",
        "table": "labels",
        "title": "Labels of the items",
        "label": "label",
        "series": ["share_dev", "share_dev+test", "share_test"],
        "across": "Label",
        "up": "Share of items",
        "low": 0.0,
        "high": None,
    }


def test_report_of_another_format_is_refused() -> None:
    content = report_as_json(make_report(samples.given(), registry={}))
    with pytest.raises(ValueError, match=r"^a report of format 2; this version reads 1$"):
        report_from_json(content | {"format": 2})
    with pytest.raises(KeyError, match="digest"):
        report_from_json({name: content[name] for name in content if name != "digest"})


def test_chart_of_another_kind_is_refused() -> None:
    content = report_as_json(make_report(samples.given(), registry={"data": data_section}))
    content["sections"][0]["charts"][0]["kind"] = "pie"
    with pytest.raises(ValueError, match=r"^'pie' is not one of points, line, bars, columns$"):
        report_from_json(content)
