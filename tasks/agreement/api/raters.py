"""How one rater works, and where votes differ. For researchers and admins."""

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from tasks.access.guards.operations import call_at, get
from tasks.access.guards.roles import RESULTS
from tasks.agreement.api.figures import current_figures
from tasks.agreement.figures.disagreements import (
    as_split_items,
    disagreements_of,
    other_labels,
    split_between,
)
from tasks.models import Campaign, Look, Membership, Rating
from tasks.votes.all_votes_asked import AllVotesParameters
from tasks.votes.blindness import is_held_by, known_looks, votes_are_open_to
from tasks.votes.ratings import counted_ratings
from tasks.web.lists import one_of, page_made_at_once


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
    """As RaterLookSerializer describes it."""
    told = look.as_json()
    own = {
        test: each
        for test, found in told.pop("findings").items()
        for each in found.get("raters", [])
        if each["rater"] == pseudonym
    }
    return {name: told[name] for name in ("number", "ratings", "made_at")} | {"findings": own}


def _disagreement(rating: Rating, others: dict[str, int]) -> dict[str, Any]:
    """As DisagreementSerializer describes it."""
    return {
        "item": rating.item.key,
        "question": rating.item.question.text,
        "candidate": rating.item.candidate,
        "label": rating.outcome.label,
        "others": others,
        "rated_at": rating.rated_at,
    }
