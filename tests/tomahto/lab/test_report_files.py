"""A report as files, the same whether made together or alone."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.tomahto.lab.samples import given
from tomahto.charts.chart_data import TableChart
from tomahto.charts.table import Column, PaperTable
from tomahto.estimates.estimate import Estimate
from tomahto.lab.data_section import data_section
from tomahto.lab.report import LabReport, Section, report_from_json
from tomahto.lab.report_files import report_file, report_files, report_paths, write_files
from tomahto.lab.sections import make_report

SCORES = PaperTable(
    key="scores",
    title="Metrics [all]",
    columns=(Column("metric", "Metric", "text"), Column("auc", "AUC", "number")),
    rows=(("em", Estimate(value=0.75, low=0.5, high=1.0, n=4)),),
    notes=("n = 4 items.",),
    source="demo",
)
CHART = TableChart("points", "scores", "AUC of <metrics>", "metric", ("auc",), "AUC", "Metric")
SECTION = Section("auc", "Area *under*", "Which?", (SCORES,), (CHART, replace(CHART, kind="bars")))
EMPTY = Section("none", "Nothing", "What?", (), reason="The data name no systems.")


@pytest.fixture(scope="module")
def report() -> LabReport:
    registry = {"auc": lambda _: SECTION, "none": lambda _: EMPTY}
    return make_report(given(tune_on="dev"), registry=registry)


def test_report_has_a_text_a_document_tables_and_figures(report: LabReport) -> None:
    files = {file.path: file for file in report_files(report)}
    assert list(files) == [
        "report.md",
        "report.json",
        *(f"tables/report.{kind}" for kind in ("md", "tex", "csv")),
        *(f"tables/signatures.{kind}" for kind in ("md", "tex", "csv")),
        *(f"tables/scores.{kind}" for kind in ("md", "tex", "csv")),
        *(f"figures/scores.{kind}" for kind in ("svg", "png", "pdf")),
        *(f"figures/scores_2.{kind}" for kind in ("svg", "png", "pdf")),
    ]
    assert report_paths(report) == tuple(files)
    assert files["tables/scores.csv"].rows == 1
    assert files["tables/scores.csv"].content == (
        b"metric,auc,auc_low,auc_high,auc_n\r\nem,0.75,0.5,1.0,4\r\n"
    )
    assert b"\\label{tab:demo-1-0-0-scores}" in files["tables/scores.tex"].content
    assert b"<title>AUC of &lt;metrics&gt;</title>" in files["figures/scores.svg"].content
    assert files["figures/scores_2.png"].content.startswith(b"\x89PNG")
    assert files["figures/scores_2.pdf"].content.startswith(b"%PDF-")
    assert report_from_json(json.loads(files["report.json"].content)) == report


def test_a_file_made_alone_is_the_same(report: LabReport) -> None:
    for file in report_files(report):
        assert report_file(report, file.path) == file
    with pytest.raises(KeyError, match="tables/other"):
        report_file(report, "tables/other.md")


def test_the_text_says_all_and_links_the_figures(report: LabReport) -> None:
    text = report_file(report, "report.md").content.decode()
    assert text.startswith("# Report on demo 1.0.0\n\n**Basis of this report**\n\n")
    assert "| Digest | 0123456789abcdef |\n| Items | 5 |\n" in text
    assert "| Thresholds tuned on | the split dev, and judged on the others |\n" in text
    assert "| Bootstrap | 20 replicates over questions, seed 7 |\n" in text
    assert "| em | em\\|v1 | 1.000 |\n" in text
    assert text.endswith(
        "## Area \\*under\\*\n\n"
        "Which?\n\n"
        "**Metrics \\[all\\]**\n\n"
        "| Metric | AUC |\n"
        "| --- | ---: |\n"
        "| em | 0.750 \\[0.500, 1.000\\] |\n\n"
        "n = 4 items.\n\n"
        "Source: demo.\n\n"
        "![AUC of \\<metrics\\>](figures/scores.svg)\n\n"
        "![AUC of \\<metrics\\>](figures/scores_2.svg)\n\n"
        "## Nothing\n\n"
        "What?\n\n"
        "The data name no systems.\n"
    )


def test_the_text_says_where_thresholds_were_tuned_on_what_is_judged() -> None:
    text = report_file(make_report(given(), registry={}), "report.md").content.decode()
    assert "| Thresholds tuned on | the very items they are judged on |\n" in text


@pytest.mark.parametrize(
    ("section", "message"),
    [
        (replace(SECTION, tables=(SCORES, SCORES)), "two tables have the key scores"),
        (
            replace(SECTION, tables=(replace(SCORES, key="report"),)),
            "two tables have the key report",
        ),
        (replace(SECTION, tables=(replace(SCORES, key="../up"),)), "'../up' cannot name a file"),
        (replace(SECTION, tables=()), "a chart refers to the missing table scores"),
    ],
)
def test_files_need_names_of_their_own(section: Section, message: str) -> None:
    report = make_report(given(), registry={"auc": lambda _: section})
    with pytest.raises(ValueError, match=message):
        report_paths(report)


def test_a_report_is_written_into_a_new_or_empty_folder(report: LabReport, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for folder in (empty, tmp_path / "some" / "new"):
        write_files(report_files(report), folder)
        for file in report_files(report):
            assert (folder / file.path).read_bytes() == file.content
    assert sorted(place.name for place in tmp_path.iterdir()) == ["empty", "some"]


def test_a_report_never_overwrites(report: LabReport, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    for place in (tmp_path, tmp_path / "notes.txt"):
        with pytest.raises(ValueError, match="already exists and is not an empty folder"):
            write_files(report_files(report), place)
    assert [place.name for place in tmp_path.iterdir()] == ["notes.txt"]


def test_a_report_that_fails_leaves_nothing(tmp_path: Path) -> None:
    broken = replace(SECTION, charts=(CHART, replace(CHART, series=("other",))))
    report = make_report(given(), registry={"data": data_section, "auc": lambda _: broken})
    with pytest.raises(KeyError, match="scores has no column other"):
        write_files(report_files(report), tmp_path / "report")
    assert list(tmp_path.iterdir()) == []
