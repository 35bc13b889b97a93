"""Making a release: what would come of it, and the start of the job. For researchers and admins."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, post
from tasks.access.guards.roles import RESULTS
from tasks.models import Campaign, Membership
from tasks.releases.draft import Preview, ask_for_preview, build, previewed
from tasks.releases.forms import MAX_LEAVE, MAX_SPLIT, ReleaseDraftForm
from tasks.votes.all_votes_asked import (
    AllVotesParameters,
    require_asked,
    require_asked_to_make,
)
from tasks.web.bodies import Body, read_body
from tasks.web.form_errors import require_valid
from tasks.web.started import StartedSerializer, started
from tomahto.releases.dataset.labels import LABEL_CHOICES

_NO_VERSION = "0.0.0"
_NAMES = {"split_by": "split"}  # fields of the page's form that are called otherwise here
MAX_GUIDELINES = 1000


class PreviewBody(Body):
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
    anew = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Compute the preview again; no effect if it is computed at once.",
    )


class ReleaseBody(PreviewBody):
    anew = None  # type: ignore[assignment]  # how DRF takes a field out
    version = serializers.CharField(max_length=40, help_text="Three numbers, such as 1.0.0.")
    requires_datasheet = serializers.BooleanField(required=False, default=False)


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
    """Start a release, unless it is known to fail."""
    draft = _draft(member.campaign, read_body(request, ReleaseBody))
    require_asked_to_make(request, member)
    built = build(draft, member)
    if not isinstance(built, Preview):
        return started(request, member.campaign.slug, built)
    require_valid(draft, _NAMES)
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
    anew = sent.pop("anew")
    draft = _draft(member.campaign, {**sent, "version": _NO_VERSION})
    require_asked(request, member)
    found = previewed(member.campaign, draft)
    if "personal_data_reason" not in draft.errors:  # which is one of the figures
        require_valid(draft, _NAMES)
    if not found.is_live and (anew or found.job is None or not found.job.is_finished):
        return started(request, member.campaign.slug, ask_for_preview(draft, member))
    return Response(_preview_body(found))


def _draft(campaign: Campaign, sent: Mapping[str, Any]) -> ReleaseDraftForm:
    """The page's form, filled in. Raises ValidationError."""
    given = {"seed": campaign.seed, **sent, "split_by": "text"}
    draft = ReleaseDraftForm(given, campaign=campaign)
    require_valid(draft, _NAMES)
    return draft


def _preview_body(found: Preview) -> dict[str, Any]:
    """As ReleasePreviewSerializer describes it."""
    job = found.job
    return {
        "figures": found.figures,
        "refusal": found.refusal or (job.error if job else ""),
        "made_at": job.finished_at if job else None,
    }
