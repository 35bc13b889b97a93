"""What a call is told that may not be made yet."""

from typing import get_args

from rest_framework import serializers

from tasks.rating.workflow.admission import Missing
from tasks.web.api_errors import ErrorSerializer


class NotAdmittedSerializer(ErrorSerializer):
    """What has to be done before an item can be claimed, and the page where it is done."""

    missing = serializers.ChoiceField(choices=get_args(Missing))
    url = serializers.URLField()
