"""Ratings that are set aside, setting them aside, and counting them again."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN, RESULTS
from tasks.agreement.api.raters import rater_in
from tasks.models import MAX_SET_ASIDE_REASON, Membership
from tasks.votes.set_aside import concerned, ratings_to_set_aside, set_asides_of
from tasks.votes.workflow.set_aside import set_aside, undo_set_aside
from tasks.web.bodies import Body, NoBody, read_body
from tasks.web.lists import ListParameters, Parameters, asked_of, one_of, page_of

_SINCE = "Only ratings given on this day (YYYY-MM-DD, in the site's time zone) or later."


class SetAsideSerializer(serializers.Serializer[Any]):
    """An admin's act: `ratings` of a rater do not count, `votes` of them did. Undone, they count
    again."""

    id = serializers.IntegerField()
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    reason = serializers.CharField()
    ratings = serializers.IntegerField()
    votes = serializers.IntegerField()
    by = serializers.CharField(source="by.pseudonym", help_text="Pseudonym.")
    created_at = serializers.DateTimeField()
    undone_by = serializers.CharField(
        source="undone_by.pseudonym", allow_null=True, help_text="Pseudonym."
    )
    undone_at = serializers.DateTimeField(allow_null=True)


class ConcernedSerializer(serializers.Serializer[Any]):
    """How many ratings would be set aside, and how many of them count now: each of these leaves a
    place to others."""

    ratings = serializers.IntegerField()
    votes = serializers.IntegerField()


class SinceParameters(Parameters):
    since = serializers.DateField(required=False, help_text=_SINCE)


class SetAsideBody(Body):
    reason = serializers.CharField(max_length=MAX_SET_ASIDE_REASON)
    since = serializers.DateField(required=False, help_text=_SINCE)


@call_at("v1/campaigns/<slug:slug>/set-asides", name="api-set-asides")
@get("set_asides", RESULTS, rows=SetAsideSerializer)
def set_asides(request: Request, member: Membership) -> Response:
    """The acts that set ratings aside, newest first, those that were undone included."""
    asked_of(request, ListParameters)
    return page_of(request, set_asides_of(member.campaign), SetAsideSerializer)


@call_at("v1/campaigns/<slug:slug>/raters/<text:pseudonym>/set-aside", name="api-set-aside")
@get("ratings_to_set_aside", ADMIN, asks=SinceParameters, gives=ConcernedSerializer)
@post(
    "set_ratings_aside",
    ADMIN,
    takes=SetAsideBody,
    gives={201: (SetAsideSerializer, "The ratings do not count any more.")},
    refuses=(409,),
)
def rater_set_aside(request: Request, member: Membership, pseudonym: str) -> Response:
    """How many ratings of the rater could be set aside, or set them aside with a reason.

    They stay stored and do not count; other raters get their places. 409 if there are none.
    """
    rater = rater_in(member.campaign, pseudonym)
    if request.method == "GET":
        ratings = ratings_to_set_aside(rater, since=asked_of(request, SinceParameters).get("since"))
        return Response(ConcernedSerializer(concerned(ratings)).data)
    act = set_aside(rater=rater, by=member, **read_body(request, SetAsideBody))
    return Response(SetAsideSerializer(set_asides_of(member.campaign).get(pk=act.pk)).data, 201)


@call_at("v1/campaigns/<slug:slug>/set-asides/<int:set_aside_id>/undo", name="api-set-aside-undo")
@post("undo_set_aside", ADMIN, takes=NoBody, gives=SetAsideSerializer, refuses=(409,))
def undo(request: Request, member: Membership, set_aside_id: int) -> Response:
    """Count the ratings again. What others have rated in their places stays. 409 if it has been
    undone before."""
    read_body(request, NoBody)
    acts = set_asides_of(member.campaign)
    undo_set_aside(act=one_of(acts.filter(pk=set_aside_id), "there is no such act"), by=member)
    return Response(SetAsideSerializer(acts.get(pk=set_aside_id)).data)
