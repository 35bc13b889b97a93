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

from tasks.api.access import member_of
from tasks.api.errors import ErrorSerializer
from tasks.api.serializers import ReleaseSerializer
from tasks.downloads import OutsideFolder, file_in, send_file
from tasks.models import Release, Role
from tasks.queries.agreement import agreement_of


@extend_schema(
    operation_id="agreement",
    responses={200: OpenApiTypes.OBJECT, 403: ErrorSerializer, 404: ErrorSerializer},
)
@api_view(["GET"])
def agreement(request: Request, slug: str) -> Response:
    """Agreement of the campaign, the same document as `manage.py agreement SLUG --json`."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    return Response(agreement_of(campaign).as_json())


@extend_schema(
    operation_id="releases",
    responses={200: ReleaseSerializer(many=True), 403: ErrorSerializer, 404: ErrorSerializer},
)
@api_view(["GET"])
def releases(request: Request, slug: str) -> Response:
    """The campaign's releases, newest first, with their files."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    found = Release.objects.filter(campaign=campaign)
    return Response([_release(request, slug, release) for release in found])


@extend_schema(
    operation_id="release_file",
    responses={
        (200, "application/octet-stream"): OpenApiTypes.BINARY,
        (206, "application/octet-stream"): OpenApiTypes.BINARY,
        403: ErrorSerializer,
        404: ErrorSerializer,
        416: OpenApiResponse(description="The range lies outside the file."),
    },
)
@api_view(["GET"])
def release_file(request: Request, slug: str, version: str, path: str) -> HttpResponseBase:
    """One file of a release; a Range header gets one range of bytes."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    try:
        release = Release.objects.get(campaign=campaign, version=version)
        return send_file(request._request, file_in(release.folder, path))
    except (Release.DoesNotExist, OutsideFolder):
        raise NotFound("there is no such file") from None


def _release(request: Request, slug: str, release: Release) -> dict[str, Any]:
    files = sorted(path for path in release.folder.rglob("*") if path.is_file())
    paths = {str(path.relative_to(release.folder)): path.stat().st_size for path in files}
    listed = [
        {
            "path": path,
            "bytes": size,
            "url": request.build_absolute_uri(
                reverse("api-release-file", args=[slug, release.version, path])
            ),
        }
        for path, size in paths.items()
    ]
    fields = {
        name: getattr(release, name) for name in ReleaseSerializer.Meta.fields if name != "files"
    }
    return {**fields, "files": listed}
