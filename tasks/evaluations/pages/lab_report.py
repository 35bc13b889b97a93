"""One evaluation: its progress, its report as pages, one for each section, and as files."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from tasks.access.guards.pages import is_htmx, member_page
from tasks.access.guards.roles import RESULTS
from tasks.evaluations.pages.lab_sections import ShownChart, exports, shown_section
from tasks.evaluations.queries.report_files import files_of, report_of
from tasks.models import Evaluation, Job, JobKind, Membership
from tasks.release_store.interface import NoSuchFile
from tasks.votes.all_votes import asks_before_figures
from tasks.votes.told_jobs import told_jobs
from tasks.web.addresses import page_at
from tasks.web.downloads import send_archive, send_file
from tomahto.estimates.bootstrap import FEW
from tomahto.lab.report import LabReport
from tomahto.lab.report_files import report_paths
from tomahto.lab.summary import summary_of
from tomahto.releases.documents.paper_files import TABLES


@page_at(
    "c/<slug:slug>/lab/running/<int:job_id>/",
    name="evaluation-progress",
    calls=("api-job",),
    help="lab-pages.md#start-an-evaluation",
)
@member_page(RESULTS)
def progress(request: HttpRequest, membership: Membership, job_id: int) -> HttpResponseBase:
    """How far an evaluation is; the report, once there is one. htmx asks for the progress alone."""
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
    found = _found(membership, evaluation_id)
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
    found = _found(membership, evaluation_id)
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
    """All files of the report as one ZIP archive."""
    found = _found(membership, evaluation_id)
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
    found = _found(membership, evaluation_id)
    if asked := asks_before_figures(request, membership, found.created_at):
        return asked
    try:
        return send_file(request, files_of(found), path)
    except NoSuchFile:
        raise Http404 from None


def _found(membership: Membership, evaluation_id: int) -> Evaluation:
    mine = Evaluation.objects.filter(campaign=membership.campaign)
    return get_object_or_404(
        mine.select_related("campaign", "release__withdrawal", "created_by"), pk=evaluation_id
    )


def _first_chart(report: LabReport, key: str) -> ShownChart | None:
    """Of the section, if it has one."""
    for each in report.sections:
        if each.key == key:
            tables = shown_section(report, each, frozenset()).tables
            return next((chart for table in tables for chart in table.charts), None)
    return None
