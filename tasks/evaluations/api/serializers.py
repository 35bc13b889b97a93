"""Answers of the calls about evaluations."""

from rest_framework import serializers

from tasks.models import Evaluation


class EvaluationSerializer(serializers.ModelSerializer[Evaluation]):
    """An evaluation; `release` is a version, null for the campaign at that time."""

    release = serializers.CharField(source="release.version", allow_null=True, default=None)
    parameters = serializers.DictField()

    class Meta:
        model = Evaluation
        fields = ["id", "release", "digest", "parameters", "created_at"]
