"""The campaign's ratings as they stand, for programs. For researchers and admins."""

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request

from tasks.access.guards.calls import member_of
from tasks.models import Role
from tasks.rating.shown.all_votes_asked import AllVotesParameters, require_asked
from tasks.rating.workflow.exports import export_ratings
from tasks.web.addresses import call_at
from tasks.web.api_errors import ErrorSerializer
from tasks.web.downloads import JSON_LINES, send_lines


@call_at("v1/campaigns/<slug:slug>/ratings/export", name="api-ratings-export")
@extend_schema(
    operation_id="export_ratings",
    parameters=[AllVotesParameters],
    responses={
        (200, JSON_LINES): OpenApiTypes.STR,
        403: ErrorSerializer,
        404: ErrorSerializer,
        409: ErrorSerializer,
    },
)
@api_view(["GET"])
def ratings(request: Request, slug: str) -> HttpResponseBase:
    """Every current rating as a JSON line: the item's fields, rater's pseudonym, label, answers.

    `manage.py import_ratings` reads them back. Comments stay inside the platform. 409 asks who
    judges in the campaign whether they want to see all votes.
    """
    member = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    require_asked(request, member)
    campaign = member.campaign
    return send_lines(export_ratings(campaign=campaign), f"{campaign.slug}-ratings.jsonl")
