"""Rows of the explorer in the API."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from tasks.explorer.queries.rows import STATES, ExplorerRow
from tasks.models import ItemPurpose


class ListedVoteSerializer(serializers.Serializer[Any]):
    """A rater's current rating; not counted if it is surplus or set aside."""

    rater = serializers.CharField(help_text="The pseudonym.")
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    counted = serializers.BooleanField(source="is_counted")


class ListedScoreSerializer(serializers.Serializer[Any]):
    """A matcher's newest score."""

    score = serializers.FloatField()
    accepted = serializers.BooleanField(
        source="is_accepted", help_text="True if the score reaches the matcher's threshold."
    )


class ListedItemSerializer(serializers.Serializer[Any]):
    """An item without its passage. `number` is what its address has, `id` what files call it.

    `withheld` says why votes, label, share, decision and scores are not shown: the caller is rating
    the item, or could still judge it blind.
    """

    number = serializers.IntegerField()
    id = serializers.CharField(source="key")
    document = serializers.CharField()
    question_id = serializers.CharField(source="question_key")
    question = serializers.CharField()
    question_type = serializers.CharField()
    split = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())
    candidate = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    purpose = serializers.ChoiceField(choices=ItemPurpose.choices)
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(
        choices=STATES,
        help_text="As in the filter; `complete` if votes are withheld.",
    )
    wanted = serializers.IntegerField(help_text="Number of ratings wanted.")
    ratings = serializers.IntegerField(help_text="Number of counted ratings.")
    withheld = serializers.ChoiceField(choices=["rating", "blind"], allow_null=True)
    votes = ListedVoteSerializer(many=True)
    label = serializers.CharField(  # type: ignore[assignment]  # a field named like DRF's own
        help_text="Label of most votes; empty for a tie and without votes."
    )
    tied = serializers.BooleanField(source="is_tied")
    disputed = serializers.BooleanField(source="is_disputed", help_text="True if votes differ.")
    share = serializers.FloatField(
        allow_null=True, help_text="Share of the votes with the most frequent label."
    )
    decided = serializers.CharField(
        help_text="Label on which adjudicators agree; empty if there is none."
    )
    open_flags = serializers.IntegerField()
    flags = serializers.IntegerField()
    skips = serializers.IntegerField(help_text="Number of raters who skipped the item.")
    tags = serializers.ListField(child=serializers.CharField())
    scores = serializers.SerializerMethodField(help_text="Newest score of each matcher.")
    last_rated_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.DictField(child=ListedScoreSerializer()))
    def get_scores(self, row: ExplorerRow) -> Mapping[str, Any]:
        return {matcher: ListedScoreSerializer(score).data for matcher, score in row.scores.items()}


class WholeItemSerializer(ListedItemSerializer):
    context = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
