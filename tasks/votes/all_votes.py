"""Pages, files and calls that come of everybody's votes: asked for by those who could still judge
them, of a page by a question, of a call by name."""

from collections.abc import Iterable
from datetime import datetime
from http import HTTPStatus

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    QueryDict,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from rest_framework import serializers
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from tasks.access.guards.pages import is_htmx
from tasks.models import Membership
from tasks.votes.blindness import leaves_out_votes, would_unblind
from tasks.votes.ratings import PARAMETERS, SOURCES, NarrowingError, narrowing_of
from tasks.votes.workflow import show_all_votes, show_votes
from tasks.web.calls import Parameters, asked_of

SEEN = "seen"  # ?votes=seen says that they want to see them
ASKED = "asked"  # ?votes=asked that they want to know what it costs


def votes_warning_page(
    request: HttpRequest, membership: Membership, until: datetime | None = None
) -> HttpResponseBase | None:
    """The page that says what it costs the member to see all votes that there were at that
    moment, by default now; None if they said yes, or have nothing to lose. That is noted then."""
    is_shown = _is_shown(request.method, request.GET, membership, until)
    return None if is_shown else _question(request, membership)


def asks_before_figures(
    request: HttpRequest, membership: Membership, made_at: datetime | None = None
) -> HttpResponseBase | None:
    """As `votes_warning_page`, for figures of the whole campaign: of who rates alone, and noted
    alone if they said yes.

    `made_at` is None for figures of this moment: they leave out what their reader may still rate.
    """
    asked = request.GET.get("votes")
    if asked == SEEN:
        show_all_votes(member=membership, until=made_at)
        return redirect(_without_votes(request))
    if asked == ASKED or (made_at and leaves_out_votes(membership, made_at)):
        return _question(request, membership)
    return None


def asks_at(
    page: str, membership: Membership, until: datetime | None = None
) -> HttpResponseBase | None:
    """To the question on the page of this name, which calls `asks_before_figures`, of who rates:
    before a form makes something of the votes there were at that moment, by default now."""
    if not leaves_out_votes(membership, until):
        return None
    return redirect(f"{reverse(page, args=[membership.campaign.slug])}?votes={ASKED}")


def _is_shown(
    method: str | None, given: QueryDict, member: Membership, until: datetime | None
) -> bool:
    """Note that the member sees all votes there were at that moment; false if they would lose
    something by it and have not said that they want to."""
    if given.get("votes") != SEEN and would_unblind(member, until):
        return False
    if method != "HEAD":
        show_all_votes(member=member, until=until)
    return True


def _without_votes(request: HttpRequest) -> str:
    asked = request.GET.copy()
    asked.pop("votes", None)
    return f"{request.path}?{asked.urlencode()}" if asked else request.path


def _question(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    if is_htmx(request):  # a part of a page, which asks anew as a whole
        return HttpResponse(headers={"HX-Redirect": _without_votes(request)})
    given = [(name, value) for name, value in request.GET.items() if name != "votes"]
    is_undone = request.method == "POST"
    context = {"membership": membership, "given": given, "seen": SEEN, "is_undone": is_undone}
    status = HTTPStatus.OK if request.method == "GET" else HTTPStatus.CONFLICT
    return render(request, "rating/all_votes.html", context, status=status)


class AllVotesParameters(Parameters):
    """The parameter of everything that comes of all votes."""

    votes = serializers.ChoiceField(
        choices=[SEEN],
        required=False,
        help_text="Required of callers who judge in the campaign: afterwards they no longer get "
        "items with votes, neither to rate nor for a blind first look.",
    )


class ConfirmationRequired(APIException):
    status_code = 409
    default_detail = (
        "this shows how others judged, and you judge in this campaign yourself: afterwards you no "
        "longer get items that have votes now, neither to rate nor for a blind first look, and an "
        f"item that you hold goes back; add ?votes={SEEN} if you want that (in the client: "
        "votes_seen=True)"
    )


def require_asked(request: Request, member: Membership, until: datetime | None = None) -> None:
    """Note that the caller sees all votes that there were at that moment, by default now.

    Raises ConfirmationRequired if they would lose something by it and have not agreed to.
    """
    if not _is_shown(request.method, request.query_params, member, until):
        raise ConfirmationRequired


def require_asked_for_figures(
    request: Request, member: Membership, made_at: datetime | None = None
) -> None:
    """As `require_asked`, for figures of the whole campaign: of who rates alone, and noted alone if
    they said so.

    `made_at` is None for figures of this moment: they leave out what their reader may still rate.
    """
    if request.query_params.get("votes") == SEEN:
        require_asked(request, member, made_at)
    elif made_at and leaves_out_votes(member, made_at):
        raise ConfirmationRequired


def show_if_asked(request: Request, member: Membership) -> None:
    """Note that the caller sees all votes there are, if they have said that they want to; of what
    withholds them otherwise."""
    if request.query_params.get("votes") == SEEN:
        require_asked(request, member)


def require_asked_to_make(
    request: Request, member: Membership, until: datetime | None = None
) -> None:
    """As `require_asked`, of who rates alone: before what comes of the votes that there were at
    that moment, by default now, is made for them."""
    if leaves_out_votes(member, until):
        require_asked(request, member, until)


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


def show_all(
    request: HttpRequest, membership: Membership, items: Iterable[int] | None
) -> HttpResponseBase:
    """Note that the member wants to see the votes on these items, or all there are; and show the
    page again."""
    if items is None:
        show_all_votes(member=membership)
    else:
        show_votes(items=items, member=membership)
    return HttpResponseRedirect(request.get_full_path(), status=303)
