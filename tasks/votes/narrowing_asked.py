"""Calls for figures of a part of the ratings: its parameters."""

from rest_framework import serializers
from rest_framework.request import Request

from tasks.models import Membership
from tasks.votes.all_votes_asked import AllVotesParameters
from tasks.votes.narrowing import PARAMETERS, SOURCES, NarrowingError, narrowing_of
from tasks.web.lists import asked_of


class NarrowingParameters(AllVotesParameters):
    """The conditions that figures can be narrowed to."""

    system = serializers.CharField(
        required=False, trim_whitespace=False, help_text=PARAMETERS["system"]
    )
    since = serializers.DateField(required=False, help_text=PARAMETERS["since"])
    until = serializers.DateField(required=False, help_text=PARAMETERS["until"])
    guideline = serializers.IntegerField(
        required=False, min_value=0, help_text=PARAMETERS["guideline"]
    )
    source = serializers.ChoiceField(  # type: ignore[assignment]  # declared fields are taken out
        choices=SOURCES, required=False, help_text=PARAMETERS["source"]
    )


def narrow_as_asked(request: Request, member: Membership) -> None:
    """Narrow the member's campaign to what the call asks for. Raises ValidationError naming the
    parameter that is wrong."""
    asked = {name: str(value) for name, value in asked_of(request, NarrowingParameters).items()}
    try:
        member.campaign.narrowed_to = narrowing_of(member.campaign, asked)
    except NarrowingError as error:
        raise serializers.ValidationError({error.parameter: error.reason}) from None
