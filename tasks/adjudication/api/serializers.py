"""Bodies and answers of the calls about adjudications."""

from typing import Any

from rest_framework import serializers

from tasks.adjudication.workflow import MAX_REASON
from tasks.rating.shown.serializers import SubmittedAnswers


class FirstLookSubmission(SubmittedAnswers):
    """The answers of an adjudicator before seeing the votes."""

    item = serializers.CharField(help_text="The item's id.")


class AdjudicationSubmission(FirstLookSubmission):
    """A decision: the answers, and why."""

    reason = serializers.CharField(max_length=MAX_REASON)
    guideline_version = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="Version of the guidelines that the decision follows; refused (409) if it is no "
        "longer in use.",
    )
    settles_flags = serializers.BooleanField(
        default=False,
        help_text="Also settles the open flags on the item, with the reason as explanation.",
    )


class FirstLookSerializer(serializers.Serializer[Any]):
    first_look = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="item.key")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own


class AdjudicationSerializer(serializers.Serializer[Any]):
    """A decision. `first_label` is that of the blind first look, null where there was none."""

    adjudication = serializers.IntegerField(source="pk")
    item = serializers.CharField(source="item.key")
    adjudicator = serializers.CharField(source="adjudicator.pseudonym", help_text="Pseudonym.")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers", child=serializers.CharField())
    first_label = serializers.CharField(source="first_outcome.label", allow_null=True)
    reason = serializers.CharField()
    guideline_version = serializers.IntegerField(source="guideline.version", allow_null=True)
    supersedes = serializers.IntegerField(source="supersedes_id", allow_null=True)
    created_at = serializers.DateTimeField()
