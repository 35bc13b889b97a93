"""The answer to what a worker does: which job it is, and where to ask how far it is."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.models import Job


class StartedSerializer(serializers.Serializer[Any]):
    """A job that a worker does. Starting what is under way already gives the same job."""

    job = serializers.IntegerField()
    url = serializers.URLField(help_text="Address of the job, to follow its progress.")


def started(request: Request, slug: str, job: Job) -> Response:
    """202, as StartedSerializer describes it."""
    url = request.build_absolute_uri(reverse("api-job", args=[slug, job.pk]))
    return Response({"job": job.pk, "url": url}, status=202, headers={"Location": url})
