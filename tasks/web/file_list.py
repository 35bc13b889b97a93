"""A file to fetch, as lists of files name it."""

from typing import Any

from rest_framework import serializers


class ReleaseFileSerializer(serializers.Serializer[Any]):
    path = serializers.CharField()
    bytes = serializers.IntegerField()
    url = serializers.URLField()
