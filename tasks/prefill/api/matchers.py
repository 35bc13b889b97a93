"""Matchers that learn from the campaign's own labels: what there is, training one, using one."""

from dataclasses import asdict
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.jobs.workflow.jobs import start_job
from tasks.models import JobKind, Membership, TrainedMatcher, TrainedMatcherKind
from tasks.prefill.api.jobs import JobSerializer, job_body
from tasks.prefill.forms import TrainForm, UseMatcherForm
from tasks.prefill.queries.matchers import trained_matchers, usable_matchers, when_trained
from tasks.prefill.workflow.matchers import use_matcher
from tasks.votes.all_votes import (
    AllVotesParameters,
    require_asked_for_figures,
    require_asked_to_make,
)
from tasks.votes.labels import label_totals
from tasks.web.calls import Body, ListParameters, asked_of, page_of, read_body, require_valid
from tomahto.matching.trainable import kinds_trainable_here


class LabelTotalsSerializer(serializers.Serializer[Any]):
    """How many items have a correct majority label, an incorrect one, and none."""

    correct = serializers.IntegerField()
    incorrect = serializers.IntegerField()
    ties = serializers.IntegerField()


class MatchersSerializer(serializers.Serializer[Any]):
    """Matchers that can be used and trained here, and the labels to learn from."""

    usable = serializers.ListField(child=serializers.CharField())
    trainable = serializers.ListField(child=serializers.CharField())
    in_use = serializers.CharField(help_text="Matcher whose suggestions the campaign shows.")
    labels = LabelTotalsSerializer()


class TrainedMatcherSerializer(serializers.ModelSerializer[TrainedMatcher]):
    """A matcher that learned from the campaign's labels, with its learning curve."""

    learning_curve = serializers.DictField()

    class Meta:
        model = TrainedMatcher
        fields = [
            *("id", "name", "kind", "digest", "labels", "correct", "ties", "documents", "seed"),
            *("learning_curve", "job", "created_at"),
        ]
        read_only_fields = fields


class TrainedMatchersParameters(ListParameters, AllVotesParameters):
    """A page of what came of all votes."""


class Training(Body):
    """The same seed and labels give the same matcher."""

    kind = serializers.ChoiceField(choices=TrainedMatcherKind.choices)
    seed = serializers.IntegerField(default=0, min_value=0, max_value=2**31 - 1)


class Use(Body):
    name = serializers.CharField(max_length=80, help_text="Of a trained matcher.")


@call_at("v1/campaigns/<slug:slug>/matchers", name="api-matchers")
@get("matchers", RESULTS, asks=AllVotesParameters, gives=MatchersSerializer)
def matchers(request: Request, member: Membership) -> Response:
    """The matchers of this campaign. For researchers and admins.

    Labels of items that the caller may still rate are not counted until they ask for all votes.
    """
    require_asked_for_figures(request, member)
    campaign = member.campaign
    return Response(
        {
            "usable": usable_matchers(campaign),
            "trainable": kinds_trainable_here(),
            "in_use": campaign.suggestion_matcher,
            "labels": asdict(label_totals(campaign)),
        }
    )


@call_at("v1/campaigns/<slug:slug>/matchers/trained", name="api-trained-matchers")
@get(
    "trained_matchers",
    RESULTS,
    rows=TrainedMatcherSerializer,
    asks=TrainedMatchersParameters,
    refuses=(409,),
)
def trained(request: Request, member: Membership) -> Response:
    """The trained matchers, newest first. For researchers and admins. 409 asks who rates in the
    campaign whether they want to see what came of all votes."""
    asked_of(request, TrainedMatchersParameters)
    found = trained_matchers(member.campaign)
    if newest := found.first():
        require_asked_for_figures(request, member, newest.created_at)
    return page_of(request, found, TrainedMatcherSerializer)


@call_at("v1/campaigns/<slug:slug>/matchers/train", name="api-matcher-train")
@post(
    "train_matcher",
    ADMIN,
    asks=AllVotesParameters,
    takes=Training,
    gives={201: JobSerializer},
    refuses=(409,),
)
def training(request: Request, member: Membership) -> Response:
    """Start a training; the job says so if the labels are too few. For admins.

    409 asks who rates in the campaign whether they want to see what comes of all votes.
    """
    given = read_body(request, Training)
    form = TrainForm({"name": given["kind"], "seed": given["seed"]})
    require_valid(form)
    require_asked_to_make(request, member)
    started = start_job(
        campaign=member.campaign,
        kind=JobKind.TRAIN,
        parameters=form.cleaned_data,
        created_by=member.user,
    )
    return Response(job_body(member, started.pk), status=201)


@call_at("v1/campaigns/<slug:slug>/matchers/use", name="api-matcher-use")
@post(
    "use_matcher",
    ADMIN,
    asks=AllVotesParameters,
    takes=Use,
    gives={201: JobSerializer},
    refuses=(409,),
)
def use(request: Request, member: Membership) -> Response:
    """Make a trained matcher the campaign's own; the job scores what it has not scored.

    For admins. 409 as for `train`.
    """
    form = UseMatcherForm(read_body(request, Use), campaign=member.campaign)
    require_valid(form)
    name = form.cleaned_data["name"]
    require_asked_to_make(request, member, when_trained(member.campaign, name))
    job = use_matcher(campaign=member.campaign, name=name, by=member)
    return Response(job_body(member, job.pk), status=201)
