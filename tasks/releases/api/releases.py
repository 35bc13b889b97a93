"""The results of a campaign: agreement and releases, what changed from one to another, and
withdrawing one. For researchers and admins.
"""

from typing import Any

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.agreement.figures.agreement_figures import agreement_of
from tasks.models import Campaign, Membership, Release, Withdrawal
from tasks.release_store.files import NoSuchFile
from tasks.release_store.released import files_of
from tasks.releases.api.drafts import ReleaseBody, start
from tasks.releases.queries.changes import MOST, SHOWN, changes_between, pair_of
from tasks.releases.shown import found_release
from tasks.releases.workflow.listing import MAX_REASON, withdraw_release
from tasks.votes.all_votes import (
    AllVotesParameters,
    NarrowingParameters,
    narrow_as_asked,
    require_asked,
    require_asked_for_figures,
)
from tasks.web.calls import Body, ReleaseFileSerializer, StartedSerializer, asked_of, read_body
from tasks.web.downloads import send_archive, send_file
from tomahto.releases.records.fields import ReleaseError


class WithdrawalSerializer(serializers.ModelSerializer[Withdrawal]):
    """Why a release is not given out any more, and who decided that; operators have no role."""

    withdrawn_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Withdrawal
        fields = ["reason", "role", "withdrawn_at"]


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A release; one that was withdrawn has no files."""

    splits = serializers.DictField()
    withdrawn = WithdrawalSerializer(allow_null=True)
    files = ReleaseFileSerializer(many=True)

    class Meta:
        model = Release
        fields = [
            "version",
            "digest",
            "seed",
            "split",
            "splits",
            "items",
            "ratings",
            "created_at",
            "withdrawn",
            "files",
        ]


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


@call_at("v1/campaigns/<slug:slug>/agreement", name="api-agreement")
@get("agreement", RESULTS, asks=NarrowingParameters, gives=OpenApiTypes.OBJECT)
def agreement(request: Request, member: Membership) -> Response:
    """Agreement of the campaign, the same document as `./run manage agreement SLUG --json`.

    The figures of the label come first; `questions` has them for each question of the form
    (`q1`) or each value of one with several (`rules.aliasing`), among the raters who were asked.
    Items that the caller may still rate are left out until they ask for all votes. The other
    parameters have the agreement of a part of the ratings.
    """
    narrow_as_asked(request, member)
    require_asked_for_figures(request, member)
    return Response(agreement_of(member.campaign).as_json())


@call_at("v1/campaigns/<slug:slug>/releases", name="api-releases")
@get(
    "releases",
    RESULTS,
    asks=AllVotesParameters,
    gives=ReleaseSerializer(many=True),
    refuses=(409,),
)
@post(
    "make_release",
    RESULTS,
    asks=AllVotesParameters,
    takes=ReleaseBody,
    gives={202: StartedSerializer},
    refuses=(409,),
    while_archived=True,
)
def releases(request: Request, member: Membership) -> Response:
    """The campaign's releases, newest first, with their files; or have a worker make a new one.

    400 names what is wrong with the choices, 409 says why there can be no such release, and asks
    who rates in the campaign whether they want to see what comes of all votes.
    """
    if request.method == "POST":
        return start(request, member)
    found = list(Release.objects.filter(campaign=member.campaign).select_related("withdrawal"))
    if found:
        require_asked_for_figures(request, member, max(each.created_at for each in found))
    return Response([_release(request, member.campaign.slug, release) for release in found])


@call_at("v1/campaigns/<slug:slug>/releases/<text:version>", name="api-release")
@get("release", RESULTS, asks=AllVotesParameters, gives=ReleaseSerializer, refuses=(409,))
def release(request: Request, member: Membership, version: str) -> Response:
    """One release with its files; of one that was withdrawn, why. 409 asks who rates in the
    campaign whether they want to see what came of all votes."""
    found = found_release(member.campaign, version)
    require_asked_for_figures(request, member, found.created_at)
    return Response(_release(request, member.campaign.slug, found))


@call_at("v1/campaigns/<slug:slug>/releases/<text:version>/archive", name="api-release-archive")
@get(
    "release_archive",
    RESULTS,
    asks=AllVotesParameters,
    gives={(200, "application/zip"): OpenApiTypes.BINARY},
    refuses=(409, 410),
)
def archive(request: Request, member: Membership, version: str) -> HttpResponseBase:
    """All files of a release as one ZIP archive. 410 says why a release was withdrawn, 409 asks
    who judges in the campaign whether they want to see all votes."""
    release = release_to_hand_out(member.campaign, version)
    require_asked(request, member, release.created_at)
    return send_archive(files_of(release), f"{member.campaign.slug}-{release.version}")


@call_at(
    "v1/campaigns/<slug:slug>/releases/<text:version>/files/<path:path>", name="api-release-file"
)
@get(
    "release_file",
    RESULTS,
    asks=AllVotesParameters,
    gives={
        (200, "*/*"): OpenApiTypes.BINARY,
        (206, "application/octet-stream"): OpenApiTypes.BINARY,
        416: "The range is outside the file.",
    },
    refuses=(409, 410),
)
def release_file(request: Request, member: Membership, version: str, path: str) -> HttpResponseBase:
    """One file of a release; a Range header gets one range of bytes. 410 says why a release was
    withdrawn, 409 asks who judges in the campaign whether they want to see all votes."""
    release = release_to_hand_out(member.campaign, version)
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
