"""Releases: build one, look at it, take it home."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tasks.downloads import OutsideFolder, file_in, send_file, send_folder
from tasks.forms import ReleaseForm
from tasks.jobs import start_job
from tasks.models import UNFINISHED, Job, JobKind, Membership, Release
from tasks.views.access import RESULTS, member_page


@dataclass(frozen=True, slots=True)
class ReleaseFile:
    path: str
    size: int


@require_http_methods(["GET", "HEAD", "POST"])
@member_page(*RESULTS)
def releases(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All releases, newest first; researchers and admins build the next one."""
    found = Release.objects.filter(campaign=membership.campaign)
    form = ReleaseForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and found.filter(version=form.cleaned_data["version"]).exists():
        text = _("There is a release of this version already, and releases never change.")
        form.add_error("version", text)
    if form.is_valid():
        return _build(membership, form.cleaned_data)
    jobs = Job.objects.filter(campaign=membership.campaign, kind=JobKind.RELEASE)
    context = {
        "membership": membership,
        "releases": found,
        "form": form,
        "running": jobs.filter(state__in=UNFINISHED),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    return render(request, "releases/list.html", context, status=status)


@require_safe
@member_page(*RESULTS)
def release(request: HttpRequest, membership: Membership, version: str) -> HttpResponseBase:
    found = _release(membership, version)
    paths = sorted(path for path in found.folder.rglob("*") if path.is_file())
    context = {
        "membership": membership,
        "release": found,
        "files": [
            ReleaseFile(path.relative_to(found.folder).as_posix(), path.stat().st_size)
            for path in paths
        ],
        "parts": _parts(found),
        "archive": _archive_name(found),
    }
    return render(request, "releases/detail.html", context)


@require_safe
@member_page(*RESULTS)
def download(
    request: HttpRequest,  # noqa: ARG001 - a view's signature
    membership: Membership,
    version: str,
) -> HttpResponseBase:
    """The whole release as one ZIP archive."""
    found = _release(membership, version)
    return send_folder(found.folder, _archive_name(found))


@require_safe
@member_page(*RESULTS)
def file(request: HttpRequest, membership: Membership, version: str, path: str) -> HttpResponseBase:
    try:
        return send_file(request, file_in(_release(membership, version).folder, path))
    except OutsideFolder:
        raise Http404 from None


def _build(membership: Membership, fields: dict[str, Any]) -> HttpResponseBase:
    started = start_job(
        campaign=membership.campaign,
        kind=JobKind.RELEASE,
        parameters={name: fields[name] for name in ("version", "split", "seed")},
        created_by=membership.user,
    )
    response = redirect("job", membership.campaign.slug, started.pk)
    response.status_code = HTTPStatus.SEE_OTHER
    return response


def _release(membership: Membership, version: str) -> Release:
    try:
        return Release.objects.select_related("campaign").get(
            campaign=membership.campaign, version=version
        )
    except Release.DoesNotExist:
        raise Http404 from None


def _archive_name(release: Release) -> str:
    return f"{release.campaign.slug}-{release.version}"


def _parts(release: Release) -> list[tuple[str, dict[str, Any]]]:
    """The agreement that the release itself publishes: of the whole, then of each split."""
    text = (release.folder / "agreement.json").read_text(encoding="utf-8")
    agreement = json.loads(text)
    return [(_("whole"), agreement["whole"]), *agreement["splits"].items()]
