"""The items that are asked for as a file. For researchers and admins."""

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.decorators import content_negotiation_class
from rest_framework.request import Request

from tasks.access.guards.operations import call_at, get
from tasks.access.guards.roles import RESULTS
from tasks.explorer.forms import ItemFileParameters, asked_of_items, columns_of
from tasks.explorer.shown.sent import FORMATS, send_items
from tasks.explorer.workflow.exports import export_items
from tasks.models import Membership
from tasks.votes.all_votes_asked import show_if_asked
from tasks.web.lists import asked_of
from tasks.web.parsers import OneKindOfAnswer


@call_at("v1/campaigns/<slug:slug>/items/file", name="api-items-file")
@get(
    "items_file",
    RESULTS,
    asks=ItemFileParameters,
    refuses={409: "Too many items for a workbook."},
    gives={
        (200, each.media_type.partition(";")[0]): OpenApiTypes.BINARY for each in FORMATS.values()
    },
)
@content_negotiation_class(OneKindOfAnswer)
def file(request: Request, member: Membership) -> HttpResponseBase:
    """All items that are found, a row for each, with the parameters of the list.

    Votes that are withheld from the caller in the list are withheld here. With `votes=seen` the
    caller asks for all votes there are, and gets the items that have any neither to rate nor for a
    blind first look after this.
    """
    given = asked_of(request, ItemFileParameters)
    asked, columns = asked_of_items(member, given), columns_of(given.get("columns", ""))
    chosen = given["format"]
    show_if_asked(request, member)
    rows = export_items(member=member, asked=asked, columns=columns, file_format=chosen)
    return send_items(rows, columns, file_format=chosen, name=member.campaign.slug)
