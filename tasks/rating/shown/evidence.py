"""What raters, matchers and flags say of an item, as the API tells it."""

from typing import Any

from rest_framework import serializers

from tasks.models import Item


class EvidenceVoteSerializer(serializers.Serializer[Any]):
    """A rating in its last revision. `counted` is false for a surplus one and one set aside."""

    rating = serializers.IntegerField(source="pk")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    label = serializers.CharField(source="outcome.label")  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField(source="outcome.answers")
    counted = serializers.BooleanField(source="is_counted")
    set_aside = serializers.BooleanField(source="is_set_aside", help_text="By an admin's act.")
    comment = serializers.CharField()
    seconds = serializers.FloatField(allow_null=True)
    rated_at = serializers.DateTimeField(allow_null=True)


class MatcherSuggestionSerializer(serializers.Serializer[Any]):
    matcher = serializers.CharField()
    version = serializers.CharField()
    score = serializers.FloatField()
    is_correct = serializers.BooleanField()
    explanation = serializers.JSONField(allow_null=True)


class FlagOnItemSerializer(serializers.Serializer[Any]):
    flag = serializers.IntegerField(source="pk")
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    reason = serializers.CharField()
    created_at = serializers.DateTimeField()
    settled_at = serializers.DateTimeField(allow_null=True)
    settlement = serializers.CharField()


def item_body(item: Item) -> dict[str, Any]:
    """As ItemSerializer describes it."""
    return {
        "id": item.key,
        "question": item.question.text,
        "context": item.question.context,
        "references": item.references,
        "candidate": item.candidate,
    }
