"""Flags of raters, and settling them. For admins."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN
from tasks.models import Membership
from tasks.rating.queries.flags import flags_seen_by
from tasks.rating.workflow.flags import settle_flag
from tasks.web.api_errors import Conflict
from tasks.web.bodies import Body, read_body
from tasks.web.lists import ListParameters, asked_of, one_of, page_of


class FlagParameters(ListParameters):
    open = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Only open flags (true), or only settled ones (false).",
    )


class FlagSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    item = serializers.CharField(source="item.key", help_text="The item's id.")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    settled_by = serializers.CharField(
        source="settled_by.pseudonym", allow_null=True, help_text="Pseudonym."
    )
    settlement = serializers.CharField()


class Settlement(Body):
    settlement = serializers.CharField(max_length=500, help_text="Explanation of the settlement.")


@call_at("v1/campaigns/<slug:slug>/flags", name="api-flags")
@get("flags", ADMIN, rows=FlagSerializer, asks=FlagParameters)
def flags(request: Request, member: Membership) -> Response:
    """The campaign's flags, newest first; without those of others on items that the caller is to
    rate."""
    asked = asked_of(request, FlagParameters)
    found = flags_seen_by(member)
    if asked["open"] is not None:
        found = found.filter(settled_at__isnull=asked["open"])
    return page_of(request, found, FlagSerializer)


@call_at("v1/campaigns/<slug:slug>/flags/<int:flag_id>/settle", name="api-flag-settle")
@post("settle_flag", ADMIN, takes=Settlement, gives=FlagSerializer, refuses=(409,))
def settle(request: Request, member: Membership, flag_id: int) -> Response:
    """Settle a flag for good; 409 if that has been done before."""
    given = read_body(request, Settlement)
    flag = one_of(flags_seen_by(member).filter(pk=flag_id), "there is no such flag")
    if not settle_flag(flag=flag, by=member, settlement=given["settlement"]):
        raise Conflict("the flag was already settled")
    return Response(FlagSerializer(flags_seen_by(member).get(pk=flag_id)).data)
