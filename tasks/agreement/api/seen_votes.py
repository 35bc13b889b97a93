"""Asking for votes that are withheld from who may still judge items by themselves."""

from collections.abc import Iterable, Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, post
from tasks.access.guards.roles import RESULTS
from tasks.agreement.api.raters import rater_in, require_two_labels
from tasks.agreement.figures.disagreements import disagreements_of, split_between
from tasks.models import Campaign, Membership
from tasks.votes.ratings import counted_ratings
from tasks.votes.workflow.seen_votes import show_votes
from tasks.web.bodies import Body, read_body


class VotesAsked(Body):
    """One of these: a rater's disagreements, or two labels that meet on items."""

    rater = serializers.CharField(required=False, help_text="Pseudonym.")
    labels = serializers.ListField(
        child=serializers.CharField(), required=False, min_length=2, max_length=2
    )

    def validate(self, attrs: Any) -> Any:
        if len(attrs) != 1:
            raise serializers.ValidationError("give either rater or labels")
        return attrs


class VotesShownSerializer(serializers.Serializer[Any]):
    items = serializers.IntegerField(help_text="Number of items whose votes are shown from now on.")


@call_at("v1/campaigns/<slug:slug>/seen-votes", name="api-seen-votes")
@post("show_votes", RESULTS, takes=VotesAsked, gives=VotesShownSerializer, while_archived=True)
def seen_votes(request: Request, member: Membership) -> Response:
    """Ask for all votes of a list: the caller gets these items neither to rate nor for a first
    look any more. Items that they are rating stay as they are.
    """
    items = list(_asked_for(member.campaign, read_body(request, VotesAsked)))
    show_votes(items=items, member=member)
    return Response({"items": len(items)})


def _asked_for(campaign: Campaign, sent: Mapping[str, Any]) -> Iterable[int]:
    if "rater" in sent:
        rater = rater_in(campaign, sent["rater"])
        return disagreements_of(campaign, rater.pk).values_list("item", flat=True)
    first, second = sent["labels"]
    require_two_labels(campaign, first, second)
    return (item for item, *_votes in split_between(counted_ratings(campaign), first, second))
