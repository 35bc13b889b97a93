"""Answers of the calls about releases."""

from rest_framework import serializers

from tasks.models import Release, Withdrawal
from tasks.web.file_list import ReleaseFileSerializer


class WithdrawalSerializer(serializers.ModelSerializer[Withdrawal]):
    """Why a release is not given out any more, and who decided that; operators have no role."""

    withdrawn_at = serializers.DateTimeField(source="created_at")

    class Meta:
        model = Withdrawal
        fields = ["reason", "role", "withdrawn_at"]


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A release; one that was withdrawn has no files."""

    splits = serializers.DictField()
    withdrawn = WithdrawalSerializer(allow_null=True)
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
            "withdrawn",
            "files",
        ]
