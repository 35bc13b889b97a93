"""Evaluations of the lab: their reports with all files, and the start of one. For researchers and
admins."""

import json
from typing import Any

from django.http import HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_of
from tasks.evaluations.api.serializers import EvaluationSerializer
from tasks.evaluations.evaluation_forms import EvaluationForm
from tasks.evaluations.queries.report_files import ReportFiles
from tasks.jobs.workflow.starting import start_job
from tasks.models import Campaign, Evaluation, Job, JobKind, Membership, Role
from tasks.release_store.interface import NoSuchFile
from tasks.web.addresses import call_at
from tasks.web.api_errors import ErrorSerializer
from tasks.web.bodies import Body, read_body
from tasks.web.downloads import send_archive, send_file
from tasks.web.file_list import ReleaseFileSerializer
from tasks.web.form_errors import require_valid
from tasks.web.lists import ListParameters, asked_of, page_of, page_serializer
from tasks.web.started import StartedSerializer, started
from tomahto.lab.judged_units import UNITS
from tomahto.lab.report_json import report_from_json

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}
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
        help_text="A version; null for the campaign as it stands.",
    )
    tune_on = serializers.CharField(
        required=False,
        allow_null=True,
        default=None,
        help_text="A split: what was tuned on it is judged on the others.",
    )
    unit = serializers.ChoiceField(
        choices=UNITS,
        default=UNITS[0],
        help_text="What counts as one judgement when metrics are set against people.",
    )


@call_at("v1/campaigns/<slug:slug>/evaluations", name="api-evaluations")
@extend_schema(
    methods=["GET"],
    operation_id="evaluations",
    parameters=[ListParameters],
    responses={200: page_serializer(EvaluationSerializer), 400: ErrorSerializer, **_REFUSALS},
)
@extend_schema(
    methods=["POST"],
    operation_id="evaluate",
    request=EvaluationBody,
    responses={202: StartedSerializer, 400: ErrorSerializer, **_REFUSALS},
)
@api_view(["GET", "POST"])
def evaluations(request: Request, slug: str) -> Response:
    """The campaign's evaluations, newest first, without their reports; or start one."""
    member = member_of(request, slug, Role.RESEARCHER, Role.ADMIN)
    if request.method == "POST":
        return started(request, slug, _start(member, read_body(request, EvaluationBody)))
    asked_of(request, ListParameters)
    found = Evaluation.objects.filter(campaign=member.campaign).select_related("release")
    listed = found.defer("report", "release__documents")
    return page_of(request, listed, lambda each: EvaluationSerializer(each).data)


@call_at("v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>", name="api-evaluation")
@extend_schema(operation_id="evaluation", responses={200: OpenApiTypes.OBJECT, **_REFUSALS})
@api_view(["GET"])
def evaluation(request: Request, slug: str, evaluation_id: int) -> Response:
    """The report of an evaluation: its signature, and its sections with their tables.

    Cells that are estimates are objects with value, interval, n, replicates and seed.
    """
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    return Response(json.loads(_found(campaign, evaluation_id).report))


@call_at(
    "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/files", name="api-evaluation-files"
)
@extend_schema(
    operation_id="evaluation_files",
    responses={200: ReleaseFileSerializer(many=True), **_REFUSALS},
)
@api_view(["GET"])
def files(request: Request, slug: str, evaluation_id: int) -> Response:
    """The tables and figures of the report as files, in order of their paths."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    listed = _files(_found(campaign, evaluation_id)).listed()
    return Response(
        [
            {
                "path": each.path,
                "bytes": each.size,
                "url": request.build_absolute_uri(
                    reverse("api-evaluation-file", args=[slug, evaluation_id, each.path])
                ),
            }
            for each in listed
        ]
    )


@call_at(
    "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/files/<path:path>",
    name="api-evaluation-file",
)
@extend_schema(
    operation_id="evaluation_file",
    responses={
        (200, "application/octet-stream"): OpenApiTypes.BINARY,
        (206, "application/octet-stream"): OpenApiTypes.BINARY,
        **_REFUSALS,
        416: OpenApiResponse(description="The range lies outside the file."),
    },
)
@api_view(["GET"])
def file(request: Request, slug: str, evaluation_id: int, path: str) -> HttpResponseBase:
    """One file of the report; a Range header gets one range of bytes."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    found = _files(_found(campaign, evaluation_id))
    try:
        return send_file(request._request, found, path)
    except NoSuchFile:
        raise NotFound("there is no such file") from None


@call_at(
    "v1/campaigns/<slug:slug>/evaluations/<int:evaluation_id>/archive",
    name="api-evaluation-archive",
)
@extend_schema(
    operation_id="evaluation_archive",
    responses={(200, "application/zip"): OpenApiTypes.BINARY, **_REFUSALS},
)
@api_view(["GET"])
def archive(request: Request, slug: str, evaluation_id: int) -> HttpResponseBase:
    """All files of the report as one ZIP archive."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    found = _found(campaign, evaluation_id)
    return send_archive(_files(found), f"{slug}-evaluation-{found.pk}")


def _start(member: Membership, sent: dict[str, Any]) -> Job:
    given = {"source": sent["release"] or "", **sent, "tune_on": sent["tune_on"] or ""}
    form = EvaluationForm(given, campaign=member.campaign)
    require_valid(form, _NAMES)
    if sent["tune_on"] and "tune_on" not in form.fields:
        raise serializers.ValidationError({"tune_on": "these data have no splits"})
    return start_job(
        campaign=member.campaign,
        kind=JobKind.EVALUATE,
        parameters=form.plan().as_json(),
        created_by=member.user,
    )


def _found(campaign: Campaign, evaluation_id: int) -> Evaluation:
    found = Evaluation.objects.filter(campaign=campaign, pk=evaluation_id).first()
    if found is None:
        raise NotFound("there is no such evaluation")
    return found


def _files(found: Evaluation) -> ReportFiles:
    return ReportFiles(report_from_json(json.loads(found.report)))
