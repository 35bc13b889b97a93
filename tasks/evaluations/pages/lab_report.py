"""One evaluation: its report as a page, and as files."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, render

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.evaluations.pages.lab_sections import exports, shown_sections
from tasks.evaluations.queries.report_files import files_of, report_of
from tasks.models import Evaluation, Membership
from tasks.release_store.interface import NoSuchFile
from tasks.votes.all_votes import asks_before_figures
from tasks.web.addresses import page_at
from tasks.web.downloads import send_archive, send_file
from tomahto.lab.report_files import report_paths
from tomahto.releases.documents.paper_files import TABLES


@page_at("c/<slug:slug>/lab/<int:evaluation_id>/", name="evaluation", calls=("api-evaluation",))
@member_page(RESULTS)
def evaluation(
    request: HttpRequest, membership: Membership, evaluation_id: int
) -> HttpResponseBase:
    """The report: its signature, then every section with its tables, charts and their files."""
    found = _found(membership, evaluation_id)
    if asked := asks_before_figures(request, membership, found.created_at):
        return asked
    report = report_of(found)
    paths = frozenset(report_paths(report))
    context = {
        "membership": membership,
        "evaluation": found,
        "report": report,
        "sections": shown_sections(report, paths),
        "whole": exports("report", paths),
        "signatures": exports(f"{TABLES}signatures", paths),
        "facts": exports(f"{TABLES}report", paths),
    }
    return render(request, "evaluations/report.html", context)


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
