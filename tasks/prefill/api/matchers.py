"""Matchers that learn from the campaign's own labels: what there is, training one, using one."""

from dataclasses import asdict
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.calls import member_of
from tasks.jobs.workflow.starting import start_job
from tasks.models import JobKind, Role, TrainedMatcher, TrainedMatcherKind
from tasks.prefill.api.jobs import JobSerializer, found_job, job_body
from tasks.prefill.forms import TrainForm, UseMatcherForm
from tasks.prefill.queries.trained_matchers import trained_matchers, usable_matchers
from tasks.prefill.workflow.use import use_matcher
from tasks.votes.label_totals import label_totals
from tasks.web.addresses import call_at
from tasks.web.api_errors import ErrorSerializer
from tasks.web.bodies import Body, read_body, refusal_of
from tasks.web.lists import ListParameters, asked_of, page_of, page_serializer
from tomahto.matching.trainable import kinds_trainable_here

_REFUSALS = {403: ErrorSerializer, 404: ErrorSerializer}


class LabelTotalsSerializer(serializers.Serializer[Any]):
    """How many items have a correct majority label, an incorrect one, and none."""

    correct = serializers.IntegerField()
    incorrect = serializers.IntegerField()
    ties = serializers.IntegerField()


class MatchersSerializer(serializers.Serializer[Any]):
    """What can be used and trained here, and what there is to learn from."""

    usable = serializers.ListField(child=serializers.CharField())
    trainable = serializers.ListField(child=serializers.CharField())
    in_use = serializers.CharField(help_text="Whose suggestions the campaign shows.")
    labels = LabelTotalsSerializer()


class TrainedMatcherSerializer(serializers.ModelSerializer[TrainedMatcher]):
    """A matcher that learned from the campaign's labels, with its learning curve."""

    learning_curve = serializers.DictField()

    class Meta:
        model = TrainedMatcher
        fields = [
            "id",
            "name",
            "kind",
            "digest",
            "labels",
            "correct",
            "ties",
            "documents",
            "seed",
            "learning_curve",
            "job",
            "created_at",
        ]
        read_only_fields = fields


class Training(Body):
    """Equal seeds and labels give equal matchers."""

    kind = serializers.ChoiceField(choices=TrainedMatcherKind.choices)
    seed = serializers.IntegerField(default=0, min_value=0, max_value=2**31 - 1)


class Use(Body):
    name = serializers.CharField(max_length=80, help_text="Of a trained matcher.")


@call_at("v1/campaigns/<slug:slug>/matchers", name="api-matchers")
@extend_schema(operation_id="matchers", responses={200: MatchersSerializer, **_REFUSALS})
@api_view(["GET"])
def matchers(request: Request, slug: str) -> Response:
    """The matchers of this campaign. For researchers and admins."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    return Response(
        {
            "usable": usable_matchers(campaign),
            "trainable": kinds_trainable_here(),
            "in_use": campaign.suggestion_matcher,
            "labels": asdict(label_totals(campaign)),
        }
    )


@call_at("v1/campaigns/<slug:slug>/matchers/trained", name="api-trained-matchers")
@extend_schema(
    operation_id="trained_matchers",
    parameters=[ListParameters],
    responses={200: page_serializer(TrainedMatcherSerializer), 400: ErrorSerializer, **_REFUSALS},
)
@api_view(["GET"])
def trained(request: Request, slug: str) -> Response:
    """What has been trained, newest first. For researchers and admins."""
    campaign = member_of(request, slug, Role.RESEARCHER, Role.ADMIN).campaign
    asked_of(request, ListParameters)
    found = trained_matchers(campaign)
    return page_of(request, found, lambda each: dict(TrainedMatcherSerializer(each).data))


@call_at("v1/campaigns/<slug:slug>/matchers/train", name="api-matcher-train")
@extend_schema(
    operation_id="train_matcher",
    request=Training,
    responses={201: JobSerializer, 400: ErrorSerializer, **_REFUSALS},
)
@api_view(["POST"])
def training(request: Request, slug: str) -> Response:
    """Start a training; the job says so if the labels are too few. For admins."""
    member = member_of(request, slug, Role.ADMIN)
    given = read_body(request, Training)
    form = TrainForm({"name": given["kind"], "seed": given["seed"]})
    if not form.is_valid():
        raise refusal_of(form)
    parameters = {name: form.cleaned_data[name] for name in ("name", "seed")}
    started = start_job(
        campaign=member.campaign,
        kind=JobKind.TRAIN,
        parameters=parameters,
        created_by=member.user,
    )
    return Response(job_body(found_job(member.campaign, started.pk)), status=201)


@call_at("v1/campaigns/<slug:slug>/matchers/use", name="api-matcher-use")
@extend_schema(
    operation_id="use_matcher",
    request=Use,
    responses={201: JobSerializer, 400: ErrorSerializer, **_REFUSALS},
)
@api_view(["POST"])
def use(request: Request, slug: str) -> Response:
    """Make a trained matcher the campaign's own; the job scores what it has not scored.

    For admins.
    """
    member = member_of(request, slug, Role.ADMIN)
    form = UseMatcherForm(read_body(request, Use), campaign=member.campaign)
    if not form.is_valid():
        raise refusal_of(form)
    job = use_matcher(campaign=member.campaign, name=form.cleaned_data["name"], by=member)
    return Response(job_body(found_job(member.campaign, job.pk)), status=201)
