"""What raters, matchers and flags say of an item, as the API tells it."""

from typing import Any

from rest_framework import serializers

from tasks.models import Flag, Item, Rating, Suggestion


class EvidenceVoteSerializer(serializers.Serializer[Any]):
    """A rating in its last revision. `counted` is false for a surplus one."""

    rating = serializers.IntegerField()
    rater = serializers.CharField(help_text="Pseudonym.")
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    answers = serializers.DictField()
    counted = serializers.BooleanField()
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
    flag = serializers.IntegerField()
    rater = serializers.CharField(help_text="Pseudonym.")
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


def vote_body(rating: Rating) -> dict[str, Any]:
    """As EvidenceVoteSerializer describes it."""
    return {
        "rating": rating.pk,
        "rater": rating.rater.pseudonym,
        "label": rating.outcome.label,
        "answers": rating.outcome.answers,
        "counted": rating.is_counted,
        "comment": rating.comment,
        "seconds": rating.seconds,
        "rated_at": rating.rated_at,
    }


def suggestion_body(suggestion: Suggestion) -> dict[str, Any]:
    """As MatcherSuggestionSerializer describes it."""
    return {
        "matcher": suggestion.matcher,
        "version": suggestion.version,
        "score": suggestion.score,
        "is_correct": suggestion.is_correct,
        "explanation": suggestion.explanation,
    }


def flag_body(flag: Flag) -> dict[str, Any]:
    """As FlagOnItemSerializer describes it."""
    return {
        "flag": flag.pk,
        "rater": flag.rater.pseudonym,
        "reason": flag.reason,
        "created_at": flag.created_at,
        "settled_at": flag.settled_at,
        "settlement": flag.settlement,
    }
