"""The campaign's current ratings, for programs. For researchers and admins."""

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request

from tasks.access.guards.operations import call_at, get
from tasks.access.guards.roles import RESULTS
from tasks.models import Membership
from tasks.rating.workflow.exports import export_ratings
from tasks.votes.all_votes_asked import AllVotesParameters, require_asked
from tasks.web.downloads import JSON_LINES, send_lines


@call_at("v1/campaigns/<slug:slug>/ratings/export", name="api-ratings-export")
@get(
    "export_ratings",
    RESULTS,
    asks=AllVotesParameters,
    gives={(200, JSON_LINES): OpenApiTypes.STR},
    refuses=(409,),
)
def ratings(request: Request, member: Membership) -> HttpResponseBase:
    """Every current rating as a JSON line: the item's fields, rater's pseudonym, label, answers.

    `./run manage import_ratings` reads them back. Comments stay inside the platform. 409 asks who
    judges in the campaign whether they want to see all votes.
    """
    require_asked(request, member)
    campaign = member.campaign
    return send_lines(export_ratings(campaign=campaign), f"{campaign.slug}-ratings.jsonl")
