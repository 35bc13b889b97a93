"""What the API gives of evaluations."""

from rest_framework import serializers

from tasks.models import Evaluation


class EvaluationSerializer(serializers.ModelSerializer[Evaluation]):
    """An evaluation; `release` is a version, null for the campaign as it stood."""

    release = serializers.CharField(source="release.version", allow_null=True, default=None)
    parameters = serializers.DictField()

    class Meta:
        model = Evaluation
        fields = ["id", "release", "digest", "parameters", "created_at"]
