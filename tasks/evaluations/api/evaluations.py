"""Evaluations of the lab: their reports with all files, and the start of one. For researchers and
admins."""

import json
from typing import Any

from django.db.models import Max
from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.evaluations.forms import EvaluationForm
from tasks.evaluations.queries.metric_scores import files_of
from tasks.evaluations.workflow.evaluation import start_evaluation
from tasks.models import Evaluation, Job, Membership
from tasks.release_store.files import NoSuchFile
from tasks.votes.all_votes import (
    AllVotesParameters,
    require_asked_for_figures,
    require_asked_to_make,
)
from tasks.web.calls import (
    Body,
    ListParameters,
    ReleaseFileSerializer,
    StartedSerializer,
    asked_of,
    one_of,
    page_of,
    read_body,
    require_valid,
    started,
)
from tasks.web.downloads import send_archive, send_file
from tomahto.lab.judged import UNITS


class EvaluationSerializer(serializers.ModelSerializer[Evaluation]):
    """An evaluation; `release` is a version, null for the campaign at that time."""

    release = serializers.CharField(source="release.version", allow_null=True, default=None)
    parameters = serializers.DictField()

    class Meta:
        model = Evaluation
        fields = ["id", "release", "digest", "parameters", "created_at"]


_MOST_METRICS = 100
_NAMES = {"source": "release"}  # fields of the page's form that are called otherwise here


class EvaluationBody(Body):
    """Whose data, which metrics, and where their thresholds are tuned."""

    metrics = serializers.ListField(
        child=serializers.CharField(), min_length=1, max_length=_MOST_METRICS
    )
    release = serializers.CharField(
        required=False,
        allow_null=True,
        default=None,
        help_text="A version; null for the current state of the campaign.",
    )
    tune_on = serializers.CharField(
        required=False,
        allow_null=True,
        default=None,
        help_text="A split: metrics tuned on it are judged on the others.",
    )
    unit = serializers.ChoiceField(
        choices=UNITS,
        default=UNITS[0],
        help_text="The unit of one judgement when metrics are compared with people.",
    )


class EvaluationsParameters(ListParameters, AllVotesParameters):
    """A page of what came of all votes."""


@call_at("v1/campaigns/<slug:slug>/evaluations", name="api-evaluations")
@get("evaluations", RESULTS, rows=EvaluationSerializer, asks=EvaluationsParameters, refuses=(409,))
@post(
    "evaluate",
    RESULTS,
    asks=AllVotesParameters,
    takes=EvaluationBody,
    gives={202: StartedSerializer},
    refuses=(409,),
)
def evaluations(request: Request, member: Membership) -> Response:
    """The campaign's evaluations, newest first, without their reports; or start one.

    409, here and of one evaluation, asks who rates in the campaign whether they want to see what
    came of all votes.
    """
    if request.method == "POST":
        sent = read_body(request, EvaluationBody)
        require_asked_to_make(request, member)
        return started(request, member.campaign.slug, _start(member, sent))
    asked_of(request, EvaluationsParameters)
    found = Evaluation.objects.filter(campaign=member.campaign).select_related("release")
    if newest := found.aggregate(newest=Max("created_at"))["newest"]:
        require_asked_for_figures(request, member, newest)
    listed = found.defer("report", "release__documents")
    return page_of(request, listed, lambda each: EvaluationSerializer(each).data)


@call_at("v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>", name="api-evaluation")
@get("evaluation", RESULTS, asks=AllVotesParameters, gives=OpenApiTypes.OBJECT, refuses=(409,))
def evaluation(request: Request, member: Membership, evaluation_id: int) -> Response:
    """The report of an evaluation: its signature, and its sections with their tables.

    Cells that are estimates are objects with value, interval, n, replicates and seed.
    """
    return Response(json.loads(_evaluation_or_404(request, member, evaluation_id).report))


@call_at(
    "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/files", name="api-evaluation-files"
)
@get(
    "evaluation_files",
    RESULTS,
    asks=AllVotesParameters,
    gives=ReleaseFileSerializer(many=True),
    refuses=(409,),
)
def files(request: Request, member: Membership, evaluation_id: int) -> Response:
    """The tables and figures of the report as files, in order of their paths."""
    bodies = []
    for each in files_of(_evaluation_or_404(request, member, evaluation_id)).listed():
        names = [member.campaign.slug, evaluation_id, each.path]
        url = request.build_absolute_uri(reverse("api-evaluation-file", args=names))
        bodies.append({"path": each.path, "bytes": each.size, "url": url})
    return Response(bodies)


@call_at(
    "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/files/<path:path>",
    name="api-evaluation-file",
)
@get(
    "evaluation_file",
    RESULTS,
    asks=AllVotesParameters,
    gives={
        (200, "application/octet-stream"): OpenApiTypes.BINARY,
        (206, "application/octet-stream"): OpenApiTypes.BINARY,
        416: "The range is outside the file.",
    },
    refuses=(409,),
)
def file(request: Request, member: Membership, evaluation_id: int, path: str) -> HttpResponseBase:
    """One file of the report; a Range header gets one range of bytes."""
    found = files_of(_evaluation_or_404(request, member, evaluation_id))
    try:
        return send_file(request._request, found, path)
    except NoSuchFile:
        raise NotFound("there is no such file") from None


@call_at(
    "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/archive",
    name="api-evaluation-archive",
)
@get(
    "evaluation_archive",
    RESULTS,
    asks=AllVotesParameters,
    gives={(200, "application/zip"): OpenApiTypes.BINARY},
    refuses=(409,),
)
def archive(request: Request, member: Membership, evaluation_id: int) -> HttpResponseBase:
    """All files of the report as one ZIP archive."""
    found = _evaluation_or_404(request, member, evaluation_id)
    return send_archive(files_of(found), f"{member.campaign.slug}-evaluation-{found.pk}")


def _start(member: Membership, sent: dict[str, Any]) -> Job:
    given = {"source": sent["release"] or "", **sent, "tune_on": sent["tune_on"] or ""}
    form = EvaluationForm(given, campaign=member.campaign)
    require_valid(form, _NAMES)
    if sent["tune_on"] and "tune_on" not in form.fields:
        raise serializers.ValidationError({"tune_on": "these data have no splits"})
    return start_evaluation(plan=form.plan(), by=member)


def _evaluation_or_404(request: Request, member: Membership, evaluation_id: int) -> Evaluation:
    evaluations = Evaluation.objects.filter(campaign=member.campaign, pk=evaluation_id)
    found = one_of(evaluations, "there is no such evaluation")
    require_asked_for_figures(request, member, found.created_at)
    return found
