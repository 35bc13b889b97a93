"""Files with everybody's votes: asked for by name by those who could still judge items blind."""

from datetime import datetime

from django.http import HttpRequest
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from tasks.models import Membership
from tasks.rating.workflow.seen_votes import show_all_votes
from tasks.votes.blindness import would_unblind
from tasks.web.lists import Parameters

SEEN = "seen"  # ?votes=seen says that they want to see them
_OWN = ("same-origin", "")  # a program or an old browser does not say where a request comes from


class AllVotesParameters(Parameters):
    """What may be asked of everything that holds all votes."""

    votes = serializers.ChoiceField(
        choices=[SEEN],
        required=False,
        help_text="Needed of callers who judge in the campaign themselves: they get the items that "
        "have votes neither to rate nor for a blind first look after this.",
    )


class NotAskedFor(APIException):
    status_code = 409
    default_detail = (
        "you judge in this campaign: who sees all votes gets these items neither to rate nor for a "
        f"blind first look; add ?votes={SEEN} if you want that"
    )


def wants_all_votes(request: HttpRequest | Request) -> bool:
    """Whether the caller says so themselves: a link on a page of somebody else's does not count."""
    is_own = request.headers.get("Sec-Fetch-Site", "") in _OWN
    return is_own and request.GET.get("votes") == SEEN


def require_asked(request: Request, member: Membership, until: datetime | None = None) -> None:
    """Note that the caller sees all votes that there were at that moment, by default now.

    Raises NotAskedFor if they would lose something by it and have not said that they want to.
    """
    if not wants_all_votes(request) and would_unblind(member, until):
        raise NotAskedFor
    if request.method == "GET":
        show_all_votes(member=member, until=until)
