"""The leaderboards of releases: what is compared, handing in predictions, withdrawing them."""

import json
from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.decorators import parser_classes
from rest_framework.exceptions import NotFound
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.evaluations.queries.leaderboard import (
    found_submission,
    leaderboard_json,
    splits_of,
    usual_split_of,
)
from tasks.evaluations.workflow.submissions import (
    MAX_BYTES,
    MAX_DESCRIPTION,
    MAX_NAME,
    MAX_REASON,
    ask_for_leaderboard,
    submit_predictions,
    withdraw_submission,
)
from tasks.models import Membership, Submission
from tasks.releases.shown import found_release
from tasks.votes.all_votes import AllVotesParameters, require_asked
from tasks.web.calls import Body, ShallowJSONParser, TooLarge, asked_of, read_body
from tasks.web.page import row_number
from tomahto.interchange.campaigns.predictions import FORMATS
from tomahto.interchange.reading.records import InputError

_AROUND = 1 << 20  # bytes of a request besides its file
_JSON_NAME = "predictions.json"


class LeaderboardParameters(AllVotesParameters):
    split = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        help_text="`test` by default, if it exists; `*` for everything.",
    )


class _Described(Body):
    system = serializers.CharField(max_length=MAX_NAME)
    description = serializers.CharField(
        max_length=MAX_DESCRIPTION, required=False, allow_blank=True, default=""
    )
    split = serializers.CharField(required=False, allow_blank=True, default="")


class PredictionsFile(_Described):
    """A file, as it is uploaded on the page."""

    file = serializers.FileField()
    format = serializers.ChoiceField(choices=FORMATS, required=False)


class PredictionsBody(_Described):
    """The predictions themselves."""

    predictions = serializers.DictField(
        child=serializers.JSONField(), help_text="Text by question id."
    )


class SubmissionSerializer(serializers.ModelSerializer[Submission]):
    system = serializers.CharField(source="name")
    file_sha256 = serializers.CharField(source="sha256")

    class Meta:
        model = Submission
        fields = [
            *("id", "system", "description", "split", "predictions", "passed_over"),
            *("file_sha256", "job"),
        ]


class _ReasonToWithdraw(Body):
    reason = serializers.CharField(max_length=MAX_REASON)


@call_at("v1/campaigns/<slug:slug>/releases/<text:version>/leaderboard", name="api-leaderboard")
@get(
    "leaderboard",
    RESULTS,
    asks=LeaderboardParameters,
    gives={200: OpenApiTypes.OBJECT, 202: OpenApiTypes.OBJECT},
    refuses=(409,),
)
def leaderboard(request: Request, member: Membership, version: str) -> Response:
    """All submissions to a split, with their scores, intervals and sets of ranks.

    `is_current` is false while newer ones are worked out; 202 stands for the first time they are.
    409 asks who judges in the campaign whether they want to see what comes of all votes.
    """
    release = found_release(member.campaign, version)
    split = asked_of(request, LeaderboardParameters)["split"] or usual_split_of(release)
    if split not in splits_of(release):
        raise NotFound(f"no such split; the splits are {', '.join(splits_of(release))}")
    require_asked(request, member, release.created_at)
    shown = ask_for_leaderboard(release, split)
    return Response(leaderboard_json(shown), status=202 if shown.content is None else 200)


@call_at("v1/campaigns/<slug:slug>/releases/<text:version>/submissions", name="api-submissions")
@post(
    "submit_predictions",
    RESULTS,
    takes={"multipart/form-data": PredictionsFile, "application/json": PredictionsBody},
    gives={201: SubmissionSerializer},
    refuses=(409, 413),
)
@parser_classes([MultiPartParser, ShallowJSONParser])
def submissions(request: Request, member: Membership, version: str) -> Response:
    """Hand in one system's predictions; a worker scores them.

    400 names file, line and field of what is wrong; 409 says why nothing can be submitted.
    """
    release = found_release(member.campaign, version)
    length = row_number(request.META.get("CONTENT_LENGTH") or "0")
    if length is None or length > MAX_BYTES + _AROUND:
        raise TooLarge(f"at most {MAX_BYTES:,} bytes of predictions are accepted")
    is_json = request.content_type.partition(";")[0].strip() == "application/json"
    body = (PredictionsBody if is_json else PredictionsFile)(data=request.data)
    body.is_valid(raise_exception=True)
    chosen: Mapping[str, Any] = body.validated_data
    if "file" in chosen:
        content, file_name = chosen["file"].read(), chosen["file"].name or ""
    else:  # what the file would be: one line for each prediction
        content, file_name = json.dumps(chosen["predictions"], indent=0).encode(), _JSON_NAME
    try:
        submission = submit_predictions(
            release=release,
            name=chosen["system"],
            description=chosen["description"],
            content=content,
            file_name=file_name,
            format=chosen.get("format"),
            split=chosen["split"] or usual_split_of(release),
            by=member,
        )
    except InputError as error:
        return Response({"detail": str(error), "field": "file"}, status=400)
    return Response(SubmissionSerializer(submission).data, status=201)


@call_at(
    "v1/campaigns/<slug:slug>/releases/<text:version>/submissions/<int:number>/withdrawal",
    name="api-submission-withdrawal",
)
@post(
    "withdraw_submission",
    RESULTS,
    takes=_ReasonToWithdraw,
    gives={201: OpenApiTypes.OBJECT},
    refuses=(409,),
)
def withdrawal(request: Request, member: Membership, version: str, number: int) -> Response:
    """Withdraw a submission for good, as who submitted it or as an admin."""
    try:
        submission = found_submission(member, version, number)
    except Submission.DoesNotExist:
        raise NotFound("there is no such submission") from None
    reason = read_body(request, _ReasonToWithdraw)["reason"]
    made = withdraw_submission(submission=submission, reason=reason, by=member)
    return Response({"id": submission.pk, "reason": made.reason, "role": made.role}, status=201)
