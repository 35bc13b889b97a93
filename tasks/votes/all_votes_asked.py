"""Calls that come of everybody's votes: asked for by name by those who could still judge them."""

from datetime import datetime

from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from tasks.models import Membership
from tasks.votes.blindness import leaves_out_votes, would_unblind
from tasks.votes.workflow.seen_votes import show_all_votes
from tasks.web.lists import Parameters

SEEN = "seen"


class AllVotesParameters(Parameters):
    """The parameter of everything that comes of all votes."""

    votes = serializers.ChoiceField(
        choices=[SEEN],
        required=False,
        help_text="Required of callers who judge in the campaign: afterwards they no longer get "
        "items with votes, neither to rate nor for a blind first look.",
    )


class NotAskedFor(APIException):
    status_code = 409
    default_detail = (
        "this shows how others judged, and you judge in this campaign yourself: afterwards you no "
        "longer get items that have votes now, neither to rate nor for a blind first look, and an "
        f"item that you hold goes back; add ?votes={SEEN} if you want that (in the client: "
        "votes_seen=True)"
    )


def require_asked(request: Request, member: Membership, until: datetime | None = None) -> None:
    """Note that the caller sees all votes that there were at that moment, by default now.

    Raises NotAskedFor if they would lose something by it and have not said that they want to.
    """
    if not _is_sure(request) and would_unblind(member, until):
        raise NotAskedFor
    if request.method != "HEAD":
        show_all_votes(member=member, until=until)


def require_asked_for_figures(
    request: Request, member: Membership, made_at: datetime | None = None
) -> None:
    """As `require_asked`, for figures of the whole campaign: of who rates alone, and noted alone if
    they said so.

    `made_at` is None for figures of this moment: they leave out what their reader may still rate.
    """
    if _is_sure(request):
        require_asked(request, member, made_at)
    elif made_at and leaves_out_votes(member, made_at):
        raise NotAskedFor


def show_if_asked(request: Request, member: Membership) -> None:
    """Note that the caller sees all votes there are, if they have said that they want to; of what
    withholds them otherwise."""
    if _is_sure(request):
        require_asked(request, member)


def require_asked_to_make(
    request: Request, member: Membership, until: datetime | None = None
) -> None:
    """As `require_asked`, of who rates alone: before what comes of the votes that there were at
    that moment, by default now, is made for them."""
    if leaves_out_votes(member, until):
        require_asked(request, member, until)


def _is_sure(request: Request) -> bool:
    return request.query_params.get("votes") == SEEN
