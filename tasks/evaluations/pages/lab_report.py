"""One evaluation: its progress, its report as pages, one for each section, and as files."""

from collections.abc import Set
from dataclasses import dataclass
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import is_htmx, member_page
from tasks.evaluations.queries.metric_scores import files_of, report_of
from tasks.models import Evaluation, Job, JobKind, Membership
from tasks.release_store.files import NoSuchFile
from tasks.votes.all_votes import asks_before_figures
from tasks.votes.item_votes import told_jobs
from tasks.web.addresses import page_at
from tasks.web.downloads import send_archive, send_file
from tasks.web.number_texts import count, decimals, percent
from tomahto.charts.chart_data import chart_data
from tomahto.charts.picture import Picture
from tomahto.charts.series_charts import series_chart
from tomahto.charts.svg import svg_of
from tomahto.charts.table import UNDEFINED, Cell, Column, PaperTable
from tomahto.estimates.bootstrap import FEW
from tomahto.estimates.estimate import Estimate
from tomahto.lab.report import LabReport, Section
from tomahto.lab.report_files import figure_keys, report_paths
from tomahto.lab.summary import summary_of
from tomahto.releases.documents.document_files import FIGURES, TABLES


@page_at(
    "c/<slug:slug>/lab/running/<int:job_id>/",
    name="evaluation-progress",
    calls=("api-job",),
    help="lab-pages.md#start-an-evaluation",
)
@member_page(RESULTS)
def progress(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:
    """The progress of an evaluation; the report, once there is one. htmx asks for the progress
    alone."""
    campaign, asks_htmx = membership.campaign, is_htmx(request)
    job = get_object_or_404(Job, campaign=campaign, kind=JobKind.EVALUATE, pk=job_id)
    if made := Evaluation.objects.filter(job=job).only("pk").first():
        report = reverse("evaluation", args=[campaign.slug, made.pk])
        return HttpResponse(headers={"HX-Redirect": report}) if asks_htmx else redirect(report)
    told_jobs([job], membership)
    template = "evaluations/progress_state.html" if asks_htmx else "evaluations/progress.html"
    return render(request, template, {"membership": membership, "job": job})


@page_at(
    "c/<slug:slug>/lab/<int:evaluation_id>/",
    name="evaluation",
    calls=("api-evaluation",),
    help="lab-pages.md#read-the-report",
)
@member_page(RESULTS)
def evaluation(
    request: HttpRequest, membership: Membership, evaluation_id: int
) -> HttpResponseBase:
    """The summary of the report, its foundations, its sections, and all of it as files."""
    found = _evaluation_or_404(membership, evaluation_id)
    if asked := asks_before_figures(request, membership, found.created_at):
        return asked
    report = report_of(found)
    paths = frozenset(report_paths(report))
    context = {
        "membership": membership,
        "evaluation": found,
        "report": report,
        "summary": summary_of(report),
        "few": FEW,
        "pictures": {key: _first_chart(report, key) for key in ("metric_quality", "systems")},
        "whole": exports("report", paths),
        "signatures": exports(f"{TABLES}signatures", paths),
        "facts": exports(f"{TABLES}report", paths),
    }
    return render(request, "evaluations/report.html", context)


@page_at(
    "c/<slug:slug>/lab/<int:evaluation_id>/<slug:section>/",
    name="evaluation-section",
    calls=("api-evaluation",),
    help="lab-pages.md#read-the-report",
)
@member_page(RESULTS)
def section(
    request: HttpRequest, membership: Membership, evaluation_id: int, section: str
) -> HttpResponseBase:
    """One section of the report: its tables with their charts, and the files of both."""
    found = _evaluation_or_404(membership, evaluation_id)
    if asked := asks_before_figures(request, membership, found.created_at):
        return asked
    report = report_of(found)
    keys = [each.key for each in report.sections]
    if section not in keys:
        raise Http404
    place = keys.index(section)
    context = {
        "membership": membership,
        "evaluation": found,
        "report": report,
        "shown": shown_section(report, report.sections[place], frozenset(report_paths(report))),
        "before": report.sections[place - 1] if place else None,
        "after": next(iter(report.sections[place + 1 :]), None),
    }
    return render(request, "evaluations/report_section.html", context)


@page_at(
    "c/<slug:slug>/lab/<int:evaluation_id>/download",
    name="evaluation-download",
    calls=("api-evaluation-files",),
)
@member_page(RESULTS)
def download(request: HttpRequest, membership: Membership, evaluation_id: int) -> HttpResponseBase:
    found = _evaluation_or_404(membership, evaluation_id)
    if asked := asks_before_figures(request, membership, found.created_at):
        return asked
    return send_archive(files_of(found), f"{found.campaign.slug}-evaluation-{found.pk}")


@page_at(
    "c/<slug:slug>/lab/<int:evaluation_id>/files/<path:path>",
    name="evaluation-file",
    calls=("api-evaluation-file",),
)
@member_page(RESULTS)
def file(
    request: HttpRequest, membership: Membership, evaluation_id: int, path: str
) -> HttpResponseBase:
    found = _evaluation_or_404(membership, evaluation_id)
    if asked := asks_before_figures(request, membership, found.created_at):
        return asked
    try:
        return send_file(request, files_of(found), path)
    except NoSuchFile:
        raise Http404 from None


def _evaluation_or_404(membership: Membership, evaluation_id: int) -> Evaluation:
    mine = Evaluation.objects.filter(campaign=membership.campaign)
    return get_object_or_404(
        mine.select_related("campaign", "release__withdrawal", "created_by"), pk=evaluation_id
    )


class Export(NamedTuple):
    format: str
    path: str


def exports(path: str, paths: Set[str]) -> tuple[Export, ...]:
    """The files among `paths` that have this path but for its ending."""
    named = {f"{path}.{ending}": title for ending, title in _FORMATS.items()}
    return tuple(Export(title, each) for each, title in named.items() if each in paths)


@dataclass(frozen=True, slots=True)
class ShownChart:
    picture: Picture
    exports: tuple[Export, ...]

    @property
    def svg(self) -> SafeString:
        return mark_safe(svg_of(self.picture))  # noqa: S308 - escapes every text  # nosec


def _first_chart(report: LabReport, key: str) -> ShownChart | None:
    sections = (each for each in report.sections if each.key == key)
    tables = (
        table for each in sections for table in shown_section(report, each, frozenset()).tables
    )
    return next((chart for table in tables for chart in table.charts), None)


_FORMATS = {
    "md": "Markdown",
    "tex": "LaTeX",
    "csv": "CSV",
    "json": "JSON",
    "svg": "SVG",
    "png": "PNG",
    "pdf": "PDF",
}
_LONG = 15  # rows


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell in words; `interval` has the ends of an estimate's."""

    content: Cell
    text: str
    is_text: bool
    interval: tuple[str, str] | None = None

    @property
    def drawn(self) -> float | Estimate | None:
        return None if isinstance(self.content, str) else self.content


@dataclass(frozen=True, slots=True)
class ShownTable:
    """`place` is unique on the page."""

    place: str
    table: PaperTable
    rows: tuple[tuple[ShownCell, ...], ...]
    charts: tuple[ShownChart, ...]
    exports: tuple[Export, ...]

    @property
    def is_long(self) -> bool:
        """Whether its numbers would keep readers from what comes after its charts."""
        return len(self.rows) > _LONG


@dataclass(frozen=True, slots=True)
class ShownSection:
    section: Section
    tables: tuple[ShownTable, ...]


def shown_section(report: LabReport, section: Section, paths: Set[str]) -> ShownSection:
    """With the files among `paths` that each table and chart can be taken away as."""
    figures = figure_keys(report.sections)
    return ShownSection(
        section,
        tuple(
            ShownTable(
                place=f"{section.key}-{table.key}",
                table=table,
                rows=tuple(tuple(map(_cell, table.columns, row)) for row in table.rows),
                charts=tuple(
                    ShownChart(
                        series_chart(chart_data(chart, table)), exports(f"{FIGURES}{key}", paths)
                    )
                    for key, chart in figures.items()
                    if chart.table == table.key
                ),
                exports=exports(f"{TABLES}{table.key}", paths),
            )
            for table in section.tables
        ),
    )


def _cell(column: Column, cell: Cell) -> ShownCell:
    if not isinstance(cell, Estimate):
        return ShownCell(cell, _text(column, cell), column.is_text)
    interval = None
    if cell.low is not None:
        interval = (_text(column, cell.low), _text(column, cell.high))
    return ShownCell(cell, _text(column, cell.value), column.is_text, interval)


def _text(column: Column, cell: str | float | None) -> str:
    """As readers of the page's language write it, with as many decimals as in the files."""
    if cell is None:
        return UNDEFINED
    if isinstance(cell, str):
        return cell
    if column.kind == "count":
        return count(round(cell))
    return percent(cell, 1) if column.kind == "percent" else decimals(cell, 3)
