"""Releases that are out: what changed from one to another, and withdrawing one."""

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get, post
from tasks.access.guards.roles import ADMIN, RESULTS
from tasks.models import Campaign, Membership, Release
from tasks.releases.api.serializers import WithdrawalSerializer
from tasks.releases.queries.changes import MOST, SHOWN, changes_between, pair_of
from tasks.releases.shown.called import found_release
from tasks.releases.workflow.withdrawal import MAX_REASON, withdraw_release
from tasks.votes.all_votes_asked import AllVotesParameters, require_asked
from tasks.web.bodies import Body, read_body
from tasks.web.lists import asked_of
from tomahto.releases.records.errors import ReleaseError


class ReleaseGone(APIException):
    """The files of a withdrawn release are not given out any more."""

    status_code = 410

    def __init__(self, release: Release) -> None:
        reason = release.withdrawn.reason if release.withdrawn else ""
        super().__init__(f"release {release.version} was withdrawn: {reason}")


class CannotCompare(APIException):
    status_code = 409


class ChangesParameters(AllVotesParameters):
    to = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        help_text="Version to compare with; by default the next lower one.",
    )
    limit = serializers.IntegerField(
        required=False,
        default=SHOWN,
        min_value=0,
        max_value=MOST,
        help_text="Number of changes listed of each kind.",
    )


class WithdrawalReason(Body):
    reason = serializers.CharField(max_length=MAX_REASON)


def release_to_hand_out(campaign: Campaign, version: str) -> Release:
    """Raises Http404, and ReleaseGone if the release was withdrawn."""
    release = found_release(campaign, version)
    if release.withdrawn:
        raise ReleaseGone(release)
    return release


@call_at("v1/campaigns/<slug:slug>/releases/<text:version>/changes", name="api-release-changes")
@get(
    "release_changes",
    RESULTS,
    asks=ChangesParameters,
    gives=OpenApiTypes.OBJECT,
    refuses=(409, 410),
)
def changes(request: Request, member: Membership, version: str) -> Response:
    """Changes between two releases, the lower version first: the document that
    `./run manage diff_releases --json` prints, with every kind of change counted and the first
    listed.

    409 says why a folder cannot be read any more, and asks who judges in the campaign whether they
    want to see how others did.
    """
    release = release_to_hand_out(member.campaign, version)
    asked = asked_of(request, ChangesParameters)
    pair = pair_of(release, asked["to"])
    if pair is None:
        raise NotFound("no such release to compare with")
    require_asked(request, member, max(each.created_at for each in pair))
    try:
        diff = changes_between(pair, asked["limit"])
    except ReleaseError as error:
        raise CannotCompare(str(error)) from error
    return Response(diff.as_json())


@call_at(
    "v1/campaigns/<slug:slug>/releases/<text:version>/withdrawal", name="api-release-withdrawal"
)
@post(
    "withdraw_release",
    ADMIN,
    takes=WithdrawalReason,
    gives={201: WithdrawalSerializer},
    refuses=(409,),
    while_archived=True,
)
def withdrawal(request: Request, member: Membership, version: str) -> Response:
    """Withdraw a release for good: its files answer 410 with the reason. For admins.

    409 if it was withdrawn before.
    """
    release = found_release(member.campaign, version)
    reason = read_body(request, WithdrawalReason)["reason"]
    made = withdraw_release(release=release, reason=reason, by=member)
    return Response(WithdrawalSerializer(made).data, status=201)
