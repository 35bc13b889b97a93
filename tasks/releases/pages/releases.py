"""Releases: all of them, and their files."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import member_page
from tasks.access.guards.roles import RESULTS
from tasks.models import UNFINISHED, Job, JobKind, Membership, Release
from tasks.rating.workflow.exports import export_ratings
from tasks.release_store.interface import NoSuchFile
from tasks.release_store.released import files_of
from tasks.releases.pages.withdrawal import withdrawn_page
from tasks.releases.shown.called import found_release
from tasks.releases.workflow.withdrawal import note_download
from tasks.votes.all_votes import asks_first
from tasks.web.addresses import Tab, page_at
from tasks.web.downloads import send_archive, send_file, send_lines
from tasks.web.error_pages import told_while_store_is_down


@page_at(
    "c/<slug:slug>/releases/",
    name="releases",
    calls=("api-releases",),
    tab=Tab(350, gettext_lazy("Releases"), RESULTS),
    help="releases.md",
)
@told_while_store_is_down
@member_page(RESULTS)
def releases(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All releases, newest first, and those that are being built."""
    campaign = membership.campaign
    jobs = Job.objects.filter(campaign=campaign, kind=JobKind.RELEASE, state__in=UNFINISHED)
    context = {
        "membership": membership,
        "releases": Release.objects.filter(campaign=campaign).select_related("withdrawal"),
        "running": jobs,
    }
    return render(request, "releases/list.html", context)


@page_at(
    "c/<slug:slug>/releases/ratings.jsonl", name="ratings-export", calls=("api-ratings-export",)
)
@member_page(RESULTS)
def ratings(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The ratings as they stand, for who cannot wait for a release."""
    if asked := asks_first(request, membership):
        return asked
    campaign = membership.campaign
    return send_lines(export_ratings(campaign=campaign), f"{campaign.slug}-ratings.jsonl")


def archive_name(release: Release) -> str:
    return f"{release.campaign.slug}-{release.version}"


@page_at(
    "c/<slug:slug>/releases/<text:version>/download",
    name="release-download",
    calls=("api-releases", "api-release-file"),
)
@told_while_store_is_down
@member_page(RESULTS)
def download(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    """The whole release as one ZIP archive."""
    found = found_release(membership.campaign, version)
    if found.withdrawn:
        return withdrawn_page(request, membership, found, is_download=True)
    if asked := asks_first(request, membership, found.created_at):
        return asked
    files = files_of(found)
    if request.method == "GET":
        note_download(release=found, by=membership)
    return send_archive(files, archive_name(found))


@page_at(
    "c/<slug:slug>/releases/<text:version>/files/<path:path>",
    name="release-file",
    calls=("api-release-file",),
)
@told_while_store_is_down
@member_page(RESULTS)
def file(request: HttpRequest, membership: Membership, version: str, path: str) -> HttpResponseBase:
    found = found_release(membership.campaign, version)
    if found.withdrawn:
        return withdrawn_page(request, membership, found, is_download=True)
    if asked := asks_first(request, membership, found.created_at):
        return asked
    try:
        return send_file(request, files_of(found), path)
    except NoSuchFile:
        raise Http404 from None
