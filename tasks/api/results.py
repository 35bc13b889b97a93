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
from tasks.api.releases import release_to_hand_out
from tasks.api.serializers import ReleaseSerializer, WithdrawalSerializer
from tasks.downloads import send_file
from tasks.jobs import ask_for_figures
from tasks.models import Look, Release, Role
from tasks.queries.agreement import agreement_of
from tasks.queries.figures import FIGURES
from tasks.release_store.interface import NoSuchFile
from tasks.release_store.places import release_files
from tasks.workflow.assessment import figures_of


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


@extend_schema(
    operation_id="figures",
    responses={
        200: OpenApiTypes.OBJECT,
        202: OpenApiTypes.OBJECT,
        403: ErrorSerializer,
        404: ErrorSerializer,
    },
)
@api_view(["GET"])
def figures(request: Request, slug: str, name: str) -> Response:
    """The figures of a dashboard, the same as `manage.py figures SLUG NAME --json` prints.

    In a large campaign they are those of `made_at`, null for this moment, and `is_current` is
    false while newer ones are worked out; 202 and null stand for the first time they are.
    """
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    if name not in FIGURES:
        raise NotFound(f"there are no figures {name!r}; there are: {', '.join(FIGURES)}")
    shown = figures_of(campaign, name)
    if not shown.is_current:
        ask_for_figures(campaign)
    answer = {"figures": shown.content, "made_at": shown.made_at, "is_current": shown.is_current}
    return Response(answer, status=202 if shown.content is None else 200)


@extend_schema(
    operation_id="looks",
    responses={200: OpenApiTypes.OBJECT, 403: ErrorSerializer, 404: ErrorSerializer},
)
@api_view(["GET"])
def looks(request: Request, slug: str) -> Response:
    """The looks at the campaign at which statistical tests were made, newest first."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    return Response([look.as_json() for look in Look.objects.filter(campaign=campaign)])


@extend_schema(
    operation_id="releases",
    responses={
        200: ReleaseSerializer(many=True),
        403: ErrorSerializer,
        404: ErrorSerializer,
        503: ErrorSerializer,
    },
)
@api_view(["GET"])
def releases(request: Request, slug: str) -> Response:
    """The campaign's releases, newest first, with their files."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    found = Release.objects.filter(campaign=campaign).select_related("withdrawal")
    return Response([_release(request, slug, release) for release in found])


@extend_schema(
    operation_id="release_file",
    responses={
        (200, "application/octet-stream"): OpenApiTypes.BINARY,
        (206, "application/octet-stream"): OpenApiTypes.BINARY,
        403: ErrorSerializer,
        404: ErrorSerializer,
        410: ErrorSerializer,
        416: OpenApiResponse(description="The range lies outside the file."),
        503: ErrorSerializer,
    },
)
@api_view(["GET"])
def release_file(request: Request, slug: str, version: str, path: str) -> HttpResponseBase:
    """One file of a release; a Range header gets one range of bytes. 410 says why a release was
    withdrawn."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    release = release_to_hand_out(campaign, version)
    try:
        return send_file(request._request, release_files(release.path), path)
    except NoSuchFile:
        raise NotFound("there is no such file") from None


def _release(request: Request, slug: str, release: Release) -> dict[str, Any]:
    withdrawn = release.withdrawn
    files = [] if withdrawn else release_files(release.path).listed()
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
