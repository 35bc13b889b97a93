"""The work of one rater, items whose votes differ, and ratings that are set aside."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.operations import call_at, get, post
from tasks.agreement.api.figures import current_figures
from tasks.agreement.figures.raters_figures import (
    as_split_items,
    disagreements_of,
    other_labels,
    split_between,
)
from tasks.models import MAX_SET_ASIDE_REASON, Campaign, Look, Membership, Rating
from tasks.votes.all_votes import AllVotesParameters
from tasks.votes.blindness import is_held_by, known_looks, votes_are_open_to
from tasks.votes.ratings import concerned, counted_ratings, ratings_to_set_aside, set_asides_of
from tasks.votes.workflow import set_aside, show_votes, undo_set_aside
from tasks.web.calls import (
    Body,
    ListParameters,
    NoBody,
    Parameters,
    asked_of,
    one_of,
    page_made_at_once,
    page_of,
    read_body,
)


class RaterLookSerializer(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    ratings = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    findings = serializers.DictField(
        child=serializers.DictField(),
        help_text="Result of each test on the rater, by name of the test.",
    )


class RaterSerializer(serializers.Serializer[Any]):
    """One rater. `disagreements` counts their votes that others contradict; the list leaves
    `withheld` of them out, on items that the caller may still judge blind."""

    rater = serializers.CharField(help_text="Pseudonym.")
    figures = serializers.DictField(
        allow_null=True,
        help_text="The rater's row of the figures `raters`; null until there is one.",
    )
    labels = serializers.ListField(
        child=serializers.CharField(), help_text="The order of labels in `confusion`."
    )
    made_at = serializers.DateTimeField(allow_null=True)
    is_current = serializers.BooleanField()
    looks = RaterLookSerializer(many=True)
    disagreements = serializers.IntegerField()
    withheld = serializers.IntegerField()


class DisagreementSerializer(serializers.Serializer[Any]):
    """A rater's vote that others contradict; `others` are their votes by label."""

    item = serializers.CharField()
    question = serializers.CharField()
    candidate = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    others = serializers.DictField(child=serializers.IntegerField())
    rated_at = serializers.DateTimeField(allow_null=True)


class SplitItemSerializer(serializers.Serializer[Any]):
    """An item to which `first` raters gave the first label and `second` the second."""

    item = serializers.CharField(source="item.key")
    question = serializers.CharField(source="item.question.text")
    candidate = serializers.CharField(source="item.candidate")
    first = serializers.IntegerField()
    second = serializers.IntegerField()
    votes = serializers.IntegerField(help_text="All votes on the item.")


@call_at("v1/campaigns/<slug:slug>/raters/<text:pseudonym>", name="api-rater")
@get("rater", RESULTS, asks=AllVotesParameters, gives=RaterSerializer, refuses=(409,))
def rater_figures(request: Request, member: Membership, pseudonym: str) -> Response:
    """One rater: how much, how fast, agreement over time, confusion, and what looks found."""
    campaign, found = member.campaign, rater_in(member.campaign, pseudonym)
    shown = current_figures(request, member, "raters")
    content = shown.content or {"raters": [], "labels": []}
    everything = disagreements_of(campaign, found.pk).exclude(is_held_by(member))
    total = everything.count()
    return Response(
        {
            "rater": pseudonym,
            "figures": next((one for one in content["raters"] if one["rater"] == pseudonym), None),
            "labels": content["labels"],
            "made_at": shown.made_at,
            "is_current": shown.is_current,
            "looks": [_look(look, pseudonym) for look in known_looks(campaign)],
            "disagreements": total,
            "withheld": total - everything.filter(votes_are_open_to(member)).count(),
        }
    )


@call_at("v1/campaigns/<slug:slug>/raters/<text:pseudonym>/disagreements", name="api-disagreements")
@get("disagreements", RESULTS, rows=DisagreementSerializer)
def rater_disagreements(request: Request, member: Membership, pseudonym: str) -> Response:
    """The rater's votes that others contradict, newest first.

    Items that the caller could still judge by themselves are left out until they are asked for
    (`show_votes`), and those that they are rating until they have.
    """
    found = rater_in(member.campaign, pseudonym)

    def bodies(ratings: list[Rating]) -> Sequence[dict[str, Any]]:
        items = [rating.item_id for rating in ratings]
        others = other_labels(member.campaign, items, found.pk)
        return [_disagreement(rating, others[rating.item_id]) for rating in ratings]

    everything = disagreements_of(member.campaign, found.pk)
    return page_made_at_once(request, everything.filter(votes_are_open_to(member)), bodies)


@call_at("v1/campaigns/<slug:slug>/label-pairs/<text:first>/<text:second>", name="api-label-pair")
@get("label_pair", RESULTS, rows=SplitItemSerializer)
def label_pair(request: Request, member: Membership, first: str, second: str) -> Response:
    """The items to which some gave the one label and some the other.

    Items that the caller could still judge by themselves are left out until they are asked for
    (`show_votes`), and those that they are rating until they have.
    """
    require_two_labels(member.campaign, first, second)
    ratings = counted_ratings(member.campaign).filter(votes_are_open_to(member))
    names = ("item", "first", "second", "votes")
    rows = split_between(ratings, first, second).values(*names)

    def bodies(found: list[dict[str, int]]) -> Sequence[dict[str, Any]]:
        split = as_split_items([tuple(row[name] for name in names) for row in found])
        return [SplitItemSerializer(each).data for each in split]

    return page_made_at_once(request, rows, bodies, order=("item",))


def require_two_labels(campaign: Campaign, first: str, second: str) -> None:
    """Raises NotFound."""
    labels = [label.value for label in campaign.annotation_protocol.labels]
    if first not in labels or second not in labels or first == second:
        raise NotFound(f"no such pair of labels; the labels are: {', '.join(labels)}")


def rater_in(campaign: Campaign, pseudonym: str) -> Membership:
    found = Membership.objects.filter(campaign=campaign, pseudonym=pseudonym)
    return one_of(found, "there is no such rater")


def _look(look: Look, pseudonym: str) -> dict[str, Any]:
    told = look.as_json()
    own = {
        test: each
        for test, found in told.pop("findings").items()
        for each in found.get("raters", [])
        if each["rater"] == pseudonym
    }
    return {name: told[name] for name in ("number", "ratings", "made_at")} | {"findings": own}


def _disagreement(rating: Rating, others: dict[str, int]) -> dict[str, Any]:
    return {
        "item": rating.item.key,
        "question": rating.item.question.text,
        "candidate": rating.item.candidate,
        "label": rating.outcome.label,
        "others": others,
        "rated_at": rating.rated_at,
    }


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


_SINCE = "Only ratings given on this day (YYYY-MM-DD, in the site's time zone) or later."


class SetAsideSerializer(serializers.Serializer[Any]):
    """An admin's act: `ratings` of a rater do not count, `votes` of them did. Undone, they count
    again."""

    id = serializers.IntegerField()
    rater = serializers.CharField(source="rater.pseudonym", help_text="Pseudonym.")
    reason = serializers.CharField()
    ratings = serializers.IntegerField()
    votes = serializers.IntegerField()
    by = serializers.CharField(source="by.pseudonym", help_text="Pseudonym.")
    created_at = serializers.DateTimeField()
    undone_by = serializers.CharField(
        source="undone_by.pseudonym", allow_null=True, help_text="Pseudonym."
    )
    undone_at = serializers.DateTimeField(allow_null=True)


class ConcernedSerializer(serializers.Serializer[Any]):
    """How many ratings would be set aside, and how many of them count now: each of these leaves a
    place to others."""

    ratings = serializers.IntegerField()
    votes = serializers.IntegerField()


class SinceParameters(Parameters):
    since = serializers.DateField(required=False, help_text=_SINCE)


class SetAsideBody(Body):
    reason = serializers.CharField(max_length=MAX_SET_ASIDE_REASON)
    since = serializers.DateField(required=False, help_text=_SINCE)


@call_at("v1/campaigns/<slug:slug>/set-asides", name="api-set-asides")
@get("set_asides", RESULTS, rows=SetAsideSerializer)
def set_asides(request: Request, member: Membership) -> Response:
    """The acts that set ratings aside, newest first, those that were undone included."""
    asked_of(request, ListParameters)
    return page_of(request, set_asides_of(member.campaign), SetAsideSerializer)


@call_at("v1/campaigns/<slug:slug>/raters/<text:pseudonym>/set-aside", name="api-set-aside")
@get("ratings_to_set_aside", ADMIN, asks=SinceParameters, gives=ConcernedSerializer)
@post(
    "set_ratings_aside",
    ADMIN,
    takes=SetAsideBody,
    gives={201: (SetAsideSerializer, "The ratings do not count any more.")},
    refuses=(409,),
)
def rater_set_aside(request: Request, member: Membership, pseudonym: str) -> Response:
    """How many ratings of the rater could be set aside, or set them aside with a reason.

    They stay stored and do not count; other raters get their places. 409 if there are none.
    """
    rater = rater_in(member.campaign, pseudonym)
    if request.method == "GET":
        ratings = ratings_to_set_aside(rater, since=asked_of(request, SinceParameters).get("since"))
        return Response(ConcernedSerializer(concerned(ratings)).data)
    act = set_aside(rater=rater, by=member, **read_body(request, SetAsideBody))
    return Response(SetAsideSerializer(set_asides_of(member.campaign).get(pk=act.pk)).data, 201)


@call_at("v1/campaigns/<slug:slug>/set-asides/<int:set_aside_id>/undo", name="api-set-aside-undo")
@post("undo_set_aside", ADMIN, takes=NoBody, gives=SetAsideSerializer, refuses=(409,))
def undo(_request: Request, member: Membership, set_aside_id: int) -> Response:
    """Count the ratings again. What others have rated in their places stays. 409 if it has been
    undone before."""
    acts = set_asides_of(member.campaign)
    undo_set_aside(act=one_of(acts.filter(pk=set_aside_id), "there is no such act"), by=member)
    return Response(SetAsideSerializer(acts.get(pk=set_aside_id)).data)
