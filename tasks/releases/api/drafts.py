"""Before a release: what would come of it, the start of the job, and the datasheet, which only the
campaign's people can answer. For researchers and admins.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.forms import MultipleChoiceField
from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from exporters.planned_release import ReleasePlan
from tasks.access.guards import RESULTS
from tasks.access.guards.operations import call_at, get, patch, post
from tasks.models import Campaign, Membership
from tasks.releases.draft import Preview, ask_for_preview, build, plan_of, previewed
from tasks.releases.forms import MAX_LEAVE, MAX_SPLIT, is_version
from tasks.releases.queries.datasheet import answers_in_force
from tasks.releases.queries.releasable import missing_guidelines
from tasks.releases.workflow.datasheet import MAX_ANSWER, AnswerRefused, answer_datasheet
from tasks.votes.all_votes import AllVotesParameters, require_asked, require_asked_to_make
from tasks.web.calls import Body, StartedSerializer, read_body, started
from tomahto.releases.dataset.choices import SplitError, parse_split_spec
from tomahto.releases.dataset.labels import LABEL_CHOICES
from tomahto.releases.documents.datasheet import QUESTIONS, SECTIONS

_NO_VERSION = "0.0.0"
MAX_GUIDELINES = 1000


class PlanBody(Body):
    """The choices of a release, as `./run manage release` takes them. `seed` is the campaign's
    unless another is given."""

    split = serializers.CharField(
        max_length=MAX_SPLIT, help_text="For example document:dev=30,test=70:keep=train."
    )
    seed = serializers.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    labels = serializers.ChoiceField(LABEL_CHOICES, required=False, default="majority")
    comments = serializers.BooleanField(required=False, default=False)
    personal_data_reason = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=MAX_LEAVE,
        help_text="Reason for releasing comments with personal data.",
    )
    without_controls = serializers.BooleanField(required=False, default=False)
    without_deactivated = serializers.BooleanField(required=False, default=False)
    consented_only = serializers.BooleanField(required=False, default=False)
    guideline_versions = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**31 - 1),
        required=False,
        default=list,
        max_length=MAX_GUIDELINES,
        help_text="Only ratings under these versions; empty for all.",
    )

    def validate_split(self, split: str) -> str:
        try:
            parse_split_spec(split)
        except SplitError as error:
            raise serializers.ValidationError(str(error)) from error
        return split


@extend_schema_serializer(deprecate_fields=["anew"])
class PreviewBody(PlanBody):
    refresh = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Compute the preview again; no effect if it is computed at once.",
    )
    anew = serializers.BooleanField(
        required=False, help_text="Deprecated: the name of `refresh` up to 0.1."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        refresh = attrs.pop("anew", attrs["refresh"])
        if "refresh" in self.initial_data and refresh != attrs["refresh"]:
            raise serializers.ValidationError(
                {"anew": "`anew` and `refresh` differ; send `refresh` alone"}
            )
        return {**attrs, "refresh": refresh}


class ReleaseBody(PlanBody):
    version = serializers.CharField(max_length=40, help_text="Three numbers, such as 1.0.0.")
    requires_datasheet = serializers.BooleanField(required=False, default=False)

    def validate_version(self, version: str) -> str:
        is_version(version)
        return version


class ReleasePreviewSerializer(serializers.Serializer[Any]):
    """The preview of a release. `refusal` is the reason of a refusal, mostly empty."""

    figures = serializers.DictField(
        allow_null=True,
        help_text="Digest, splits, agreement and statistics as in the files; `step` gives the "
        "lowest possible version, `findings` the comments that may contain personal "
        "data.",
    )
    refusal = serializers.CharField()
    made_at = serializers.DateTimeField(allow_null=True, help_text="Null for the current moment.")


class ReleaseRefusal(APIException):
    status_code = 409


def start(request: Request, member: Membership) -> Response:
    plan = _plan(member.campaign, read_body(request, ReleaseBody))
    require_asked_to_make(request, member)
    built = build(plan, member)
    if not isinstance(built, Preview):
        return started(request, member.campaign.slug, built)
    if built.errors:
        raise serializers.ValidationError(built.errors)
    raise ReleaseRefusal(built.refusal)


@call_at("v1/campaigns/<slug:slug>/release-previews", name="api-release-previews")
@post(
    "preview_release",
    RESULTS,
    asks=AllVotesParameters,
    takes=PreviewBody,
    gives={200: ReleasePreviewSerializer, 202: StartedSerializer},
    refuses=(409,),
    while_archived=True,
)
def previews(request: Request, member: Membership) -> Response:
    """The preview of a release. Nothing is made.

    In a large campaign a worker finds out: 202 names the job, and the same call answers once it is
    done. 409 asks who judges in the campaign whether they want to see what comes of all votes.
    """
    sent = read_body(request, PreviewBody)
    refresh = sent.pop("refresh")
    plan = _plan(member.campaign, {**sent, "version": _NO_VERSION})
    require_asked(request, member)
    found = previewed(member.campaign, plan)
    if "split" in found.errors:  # personal data in comments is one of the figures
        raise serializers.ValidationError(found.errors)
    job = found.job
    if not found.is_live and (refresh or job is None or not job.is_finished):
        return started(request, member.campaign.slug, ask_for_preview(plan, member))
    return Response(
        {
            "figures": found.figures,
            "refusal": found.refusal or (job.error if job else ""),
            "made_at": job.finished_at if job else None,
        }
    )


def _plan(campaign: Campaign, sent: Mapping[str, Any]) -> ReleasePlan:
    """Raises ValidationError for a version of the guidelines that the campaign does not have."""
    plan = plan_of({"seed": campaign.seed, **sent})
    for version in missing_guidelines(campaign, plan.selection):
        text = MultipleChoiceField.default_error_messages["invalid_choice"]
        raise serializers.ValidationError({"guideline_versions": text % {"value": version}})
    return plan


class DatasheetQuestionSerializer(serializers.Serializer[Any]):
    """A question and its answer in force, empty where there is none. With `choices` the answer is
    one of them."""

    key = serializers.CharField()
    section = serializers.CharField(help_text=f"One of {', '.join(SECTIONS)}.")
    question = serializers.CharField()
    hint = serializers.CharField()
    choices = serializers.ListField(child=serializers.CharField())
    answer = serializers.CharField()
    answered_at = serializers.DateTimeField(allow_null=True)


class DatasheetSerializer(serializers.Serializer[Any]):
    questions = DatasheetQuestionSerializer(many=True)
    blanks = serializers.IntegerField(help_text="Questions without an answer.")


class DatasheetAnswers(Body):
    """Answers by the key of their question. Those that are not named stay; an empty text takes an
    answer back."""

    answers = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=MAX_ANSWER, trim_whitespace=False)
    )


@call_at("v1/campaigns/<slug:slug>/datasheet", name="api-datasheet")
@get("datasheet", RESULTS, gives=DatasheetSerializer)
@patch("answer_datasheet", RESULTS, takes=DatasheetAnswers, gives=DatasheetSerializer)
def datasheet(request: Request, member: Membership) -> Response:
    """Every question with its answer. All of the answers are stored, or none."""
    campaign = member.campaign
    if request.method == "PATCH":
        answers = read_body(request, DatasheetAnswers)["answers"]
        try:
            answer_datasheet(campaign=campaign, answers=answers, written_by=member.user)
        except AnswerRefused as error:
            text = str(error).removeprefix(f"{error.key}: ")
            raise serializers.ValidationError({"answers": {error.key: text}}) from error
    in_force, questions = answers_in_force(campaign), []
    for question in QUESTIONS:
        answer = in_force.get(question.key)
        questions.append(
            {
                **asdict(question),
                "answer": answer.text if answer else "",
                "answered_at": answer.written_at if answer else None,
            }
        )
    blanks = sum(not question["answer"] for question in questions)
    return Response({"questions": questions, "blanks": blanks})
