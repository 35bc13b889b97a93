"""The current ratings of a campaign, by pseudonyms. For researchers and admins."""

from collections.abc import Mapping
from typing import Any, get_args

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get
from tasks.access.guards.roles import RESULTS
from tasks.adjudication.queries.decisions import ratings_open_to
from tasks.models import Membership
from tasks.models.ratings.suggestion_view import Ending
from tasks.votes.ratings import is_counted
from tasks.web.lists import ListParameters, asked_of, page_of

_FILTERS: Mapping[str, str] = {
    "rater": "rater__pseudonym",
    "item": "item__key",
    "label": "outcome__label",
}


class RatingParameters(ListParameters):
    rater = serializers.CharField(required=False, max_length=60, help_text="A pseudonym.")
    item = serializers.CharField(required=False, max_length=255, help_text="The item's id.")
    counted = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Votes alone, or those alone that do not count.",
    )
    label = serializers.CharField(  # type: ignore[assignment]  # a field named like DRF's own
        required=False, max_length=60, help_text="A label of the protocol."
    )


class SuggestionViewSerializer(serializers.Serializer[Any]):
    """A suggestion that the rater saw, with the item or after the answer.

    `seconds` is null unless it was closed within half an hour after it was shown.
    """

    matcher = serializers.CharField(source="suggestion.matcher")
    version = serializers.CharField(source="suggestion.version")
    score = serializers.FloatField(source="suggestion.score")
    is_correct = serializers.BooleanField(source="suggestion.is_correct")
    shown_at = serializers.DateTimeField(allow_null=True)
    closed_at = serializers.DateTimeField(allow_null=True)
    ending = serializers.ChoiceField(source="length.ending", choices=get_args(Ending))
    seconds = serializers.FloatField(source="length.seconds", allow_null=True)


class ListedRatingSerializer(serializers.Serializer[Any]):
    """The last revision of a rating. `counted` is false for a surplus one and one set aside."""

    rating = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="item.key")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers", child=serializers.CharField())
    counted = serializers.BooleanField(source="is_counted")
    set_aside = serializers.BooleanField(source="is_set_aside", help_text="By an admin's act.")
    supersedes = serializers.IntegerField(source="supersedes_id", allow_null=True)
    guideline_version = serializers.IntegerField(source="guideline.version", allow_null=True)
    wording = serializers.CharField(
        help_text="The words of the form, as `de-1`; empty for the published ones."
    )
    suggestion_arm = serializers.CharField(help_text="Part of the suggestion that the rater saw.")
    suggestion_view = SuggestionViewSerializer(
        source="assignment.suggestion_view",
        allow_null=True,
        help_text="Null if none was shown or if this is unknown.",
    )
    comment = serializers.CharField()
    seconds = serializers.FloatField(allow_null=True)
    rated_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()
    imported = serializers.BooleanField(
        source="rater.is_imported",
        help_text="True if the rater came from a file and has no account.",
    )


@call_at("v1/campaigns/<slug:slug>/ratings", name="api-ratings")
@get("ratings", RESULTS, rows=ListedRatingSerializer, asks=RatingParameters)
def ratings(request: Request, member: Membership) -> Response:
    """Ratings of live items in their last revision, newest first.

    Those of items that the caller is rating are left out; so are those of items that the caller
    could still judge by themselves, until they ask for the votes.
    """
    asked = asked_of(request, RatingParameters)
    wanted = {path: asked[name] for name, path in _FILTERS.items() if name in asked}
    seen = "assignment__suggestion_view__suggestion"
    found = ratings_open_to(member).select_related(seen).filter(**wanted)
    if asked["counted"] is not None:
        found = found.filter(is_counted() if asked["counted"] else ~is_counted())
    return page_of(request, found, ListedRatingSerializer)
