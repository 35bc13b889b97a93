"""What a campaign has come to: agreement and releases. For researchers and admins."""

from typing import Any

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_of
from tasks.agreement.figures.agreement import agreement_of
from tasks.models import Release, Role
from tasks.rating.shown.all_votes_asked import AllVotesParameters, require_asked
from tasks.release_store.interface import NoSuchFile
from tasks.release_store.released import files_of
from tasks.releases.api.releases import release_to_hand_out
from tasks.releases.api.serializers import ReleaseSerializer, WithdrawalSerializer
from tasks.releases.api.start import REFUSALS, ReleaseBody, start
from tasks.releases.shown.called import found_release
from tasks.votes.blindness import holds_votes
from tasks.web.addresses import call_at
from tasks.web.api_errors import ErrorSerializer
from tasks.web.downloads import send_archive, send_file
from tasks.web.started import StartedSerializer


@call_at("v1/campaigns/<slug:slug>/agreement", name="api-agreement")
@extend_schema(
    operation_id="agreement",
    responses={200: OpenApiTypes.OBJECT, 403: ErrorSerializer, 404: ErrorSerializer},
)
@api_view(["GET"])
def agreement(request: Request, slug: str) -> Response:
    """Agreement of the campaign, the same document as `manage.py agreement SLUG --json`.

    The figures of the label stand at the top; `questions` has them for each question of the form
    (`q1`) or each value of one with several (`rules.aliasing`), among the raters who were asked.
    """
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    return Response(agreement_of(campaign).as_json())


@call_at("v1/campaigns/<slug:slug>/releases", name="api-releases")
@extend_schema(
    methods=["GET"],
    operation_id="releases",
    responses={
        200: ReleaseSerializer(many=True),
        403: ErrorSerializer,
        404: ErrorSerializer,
    },
)
@extend_schema(
    methods=["POST"],
    operation_id="make_release",
    request=ReleaseBody,
    responses={202: StartedSerializer, **REFUSALS},
)
@api_view(["GET", "POST"])
def releases(request: Request, slug: str) -> Response:
    """The campaign's releases, newest first, with their files; or have a worker make a new one.

    400 names what is wrong with the choices, 409 says why there can be no such release.
    """
    membership = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    if request.method == "POST":
        return start(request, slug, membership)
    found = Release.objects.filter(campaign=membership.campaign).select_related("withdrawal")
    return Response([_release(request, slug, release) for release in found])


@call_at("v1/campaigns/<slug:slug>/releases/<str:version>", name="api-release")
@extend_schema(
    operation_id="release",
    responses={
        200: ReleaseSerializer,
        403: ErrorSerializer,
        404: ErrorSerializer,
    },
)
@api_view(["GET"])
def release(request: Request, slug: str, version: str) -> Response:
    """One release with its files; of one that was withdrawn, why."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    return Response(_release(request, slug, found_release(campaign, version)))


@call_at("v1/campaigns/<slug:slug>/releases/<str:version>/archive", name="api-release-archive")
@extend_schema(
    operation_id="release_archive",
    parameters=[AllVotesParameters],
    responses={
        (200, "application/zip"): OpenApiTypes.BINARY,
        403: ErrorSerializer,
        404: ErrorSerializer,
        409: ErrorSerializer,
        410: ErrorSerializer,
    },
)
@api_view(["GET"])
def archive(request: Request, slug: str, version: str) -> HttpResponseBase:
    """All files of a release as one ZIP archive. 410 says why a release was withdrawn, 409 asks
    who judges in the campaign whether they want to see all votes."""
    member = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    release = release_to_hand_out(member.campaign, version)
    require_asked(request, member, release.created_at)
    return send_archive(files_of(release), f"{slug}-{release.version}")


@call_at(
    "v1/campaigns/<slug:slug>/releases/<str:version>/files/<path:path>", name="api-release-file"
)
@extend_schema(
    operation_id="release_file",
    parameters=[AllVotesParameters],
    responses={
        (200, "*/*"): OpenApiTypes.BINARY,  # that of the file
        (206, "application/octet-stream"): OpenApiTypes.BINARY,
        403: ErrorSerializer,
        404: ErrorSerializer,
        409: ErrorSerializer,
        410: ErrorSerializer,
        416: OpenApiResponse(description="The range lies outside the file."),
    },
)
@api_view(["GET"])
def release_file(request: Request, slug: str, version: str, path: str) -> HttpResponseBase:
    """One file of a release; a Range header gets one range of bytes. 410 says why a release was
    withdrawn, 409 asks who judges in the campaign whether they want to see all votes."""
    member = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    release = release_to_hand_out(member.campaign, version)
    if holds_votes(path):
        require_asked(request, member, release.created_at)
    try:
        return send_file(request._request, files_of(release), path)
    except NoSuchFile:
        raise NotFound("there is no such file") from None


def _release(request: Request, slug: str, release: Release) -> dict[str, Any]:
    withdrawn = release.withdrawn
    files = [] if withdrawn else files_of(release).listed()
    listed = [
        {
            "path": file.path,
            "bytes": file.size,
            "url": request.build_absolute_uri(
                reverse("api-release-file", args=[slug, release.version, file.path])
            ),
        }
        for file in files
    ]
    fields = {
        name: getattr(release, name)
        for name in ReleaseSerializer.Meta.fields
        if name not in ("withdrawn", "files")
    }
    why = WithdrawalSerializer(withdrawn).data if withdrawn else None
    return {**fields, "withdrawn": why, "files": listed}
