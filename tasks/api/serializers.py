"""What the API takes and gives, field by field: nothing leaves that is not named here."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from tasks.models import Release, Suggestion
from tasks.protocols.definition import AnnotationProtocol

MAX_COMMENT = 5000
MAX_KEY = 100
_OWN_FIELDS = {"answers", "comment", "seconds", "guideline_version"}


class RatingSubmission(serializers.Serializer[Any]):
    """A rating: the protocol's answers, as `answers` or beside the other fields.

    A yes/no question takes true and false (or "yes" and "no"); a question that is not asked is
    absent or null.
    """

    answers = serializers.DictField(
        required=False, help_text="Answers by question key, as in `form.questions` of the claim."
    )
    comment = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_COMMENT, trim_whitespace=False
    )
    seconds = serializers.FloatField(
        required=False, allow_null=True, min_value=0, max_value=86_400, help_text="Active time."
    )
    guideline_version = serializers.IntegerField(
        required=False,
        allow_null=True,
        help_text="Version the rater saw; the rating is refused (409) if it is out of force.",
    )

    @staticmethod
    def answers_in(body: Mapping[str, Any]) -> dict[str, Any]:
        """The answers wherever the body has them."""
        if "answers" in body:
            return dict(body["answers"])
        return {key: value for key, value in body.items() if key not in _OWN_FIELDS}


class ItemSerializer(serializers.Serializer[Any]):
    """What a rater sees of an item: neither its systems nor anybody's opinion of it."""

    id = serializers.CharField()
    question = serializers.CharField()
    context = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    references = serializers.ListField(child=serializers.CharField())
    candidate = serializers.CharField()


class SuggestionSerializer(serializers.ModelSerializer[Suggestion]):
    class Meta:
        model = Suggestion
        fields = ["matcher", "score", "is_correct"]


class ChoiceSerializer(serializers.Serializer[Any]):
    value = serializers.CharField()
    title = serializers.CharField()
    meaning = serializers.CharField()


class QuestionSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    text = serializers.CharField()
    note = serializers.CharField()
    multiple = serializers.BooleanField()
    when = serializers.DictField(
        child=serializers.CharField(), help_text="Asked only after exactly these answers."
    )
    choices = ChoiceSerializer(many=True)


class FormSerializer(serializers.Serializer[Any]):
    protocol = serializers.CharField()
    guideline_version = serializers.IntegerField(allow_null=True)
    questions = QuestionSerializer(many=True)


class ClaimSerializer(serializers.Serializer[Any]):
    """A claimed item. Send `idempotency_key` back as the header `Idempotency-Key`."""

    assignment = serializers.IntegerField()
    idempotency_key = serializers.CharField()
    expires_at = serializers.DateTimeField()
    item = ItemSerializer()
    form = FormSerializer()
    suggestion = SuggestionSerializer(
        allow_null=True, required=False, help_text="Only where the campaign shows suggestions."
    )


class RatingSerializer(serializers.Serializer[Any]):
    """A stored rating. `counted` is false for a surplus one."""

    rating = serializers.IntegerField()
    assignment = serializers.IntegerField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    counted = serializers.BooleanField()
    supersedes = serializers.IntegerField(allow_null=True)


class ReleaseFileSerializer(serializers.Serializer[Any]):
    path = serializers.CharField()
    bytes = serializers.IntegerField()
    url = serializers.URLField()


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    splits = serializers.DictField()
    files = ReleaseFileSerializer(many=True)

    class Meta:
        model = Release
        fields = [
            "version",
            "digest",
            "seed",
            "split",
            "splits",
            "items",
            "ratings",
            "created_at",
            "files",
        ]


def form_of(protocol: AnnotationProtocol, guideline_version: int | None) -> dict[str, Any]:
    """The form as data, for a client that draws it."""
    return {
        "protocol": protocol.name,
        "guideline_version": guideline_version,
        "questions": [
            {
                "key": question.key,
                "text": question.text,
                "note": question.note,
                "multiple": question.multiple,
                "when": dict(question.when),
                "choices": [
                    {"value": choice.value, "title": choice.title, "meaning": choice.meaning}
                    for choice in question.choices
                ],
            }
            for question in protocol.questions
        ],
    }
