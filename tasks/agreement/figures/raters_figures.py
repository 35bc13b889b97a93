"""Each rater's work, speed, agreement with the rest, and where they differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Abs

from tasks.models import (
    Assignment,
    AssignmentState,
    Campaign,
    Item,
    ItemPurpose,
    Membership,
    Rating,
    Role,
)
from tasks.storing.database import is_last_revision, there_is
from tasks.votes.blindness import for_reader
from tasks.votes.item_votes import control_answers
from tasks.votes.patterns import RatingSequence, labels_by_rank, rating_sequence
from tasks.votes.ratings import counted_ratings, for_narrowing, is_counted, is_set_aside
from tomahto.estimates.estimate import estimate_as_json, undefined
from tomahto.raters.agreement_with_others import (
    WINDOW,
    AgreementWindow,
    agreement_windows,
    raters_and_rest,
)
from tomahto.raters.checks import median_with_interval, share_right
from tomahto.types import JsonObject
from tomahto.votes.scheme import LabelScheme


def raters_figures(campaign: Campaign) -> JsonObject:
    """Everybody who rates or has rated, under pseudonyms, most ratings first.

    `is_imported`: files named them as raters, and they have no account.
    `items` counts ratings that count, each in its last revision; `set_aside` those that an admin
    has set aside, which are no `surplus`. `seconds_total` is the active time of all that a rater
    submitted: revisions, surplus and control items included;
    `seconds_median` is that of the ratings that count. Labels of `confusion` are in the order of
    `labels`, from the highest rank to the lowest. Of a narrowed campaign, `skipped` and `controls`
    are those of the whole campaign all the same.
    """
    scheme = campaign.annotation_protocol.scheme
    order = labels_by_rank(scheme)
    votes = _votes(campaign, scheme, order)
    controls = control_answers(campaign)
    raters = [
        work
        | (votes.get(work["rater"]) or _NO_VOTES)
        | {"controls": _controls(*controls.get(work["rater"], (0, 0)))}
        for work in _work(campaign)
    ]
    right, given = (sum(column) for column in zip((0, 0), *controls.values(), strict=True))
    return {
        "labels": order,
        "window": WINDOW,
        "controls": _controls(right, given),
        "raters": sorted(raters, key=lambda each: (-each["items"], each["rater"])),
    }


def _ratings(campaign: Campaign) -> QuerySet[Rating]:
    """All of the campaign, or of a part of it those that its reader may know: of a small part the
    numbers would say who rated which item."""
    ratings = Rating.objects.filter(item__campaign=campaign)
    if campaign.narrowed_to is None or not campaign.narrowed_to.key:
        return ratings
    return for_reader(for_narrowing(ratings, campaign), campaign)


def _work(campaign: Campaign) -> list[JsonObject]:
    stands = is_last_revision(Rating) & Q(item__purpose=ItemPurpose.LIVE)
    done: dict[int, dict[str, Any]] = {
        row["rater"]: dict(row)
        for row in _ratings(campaign)
        .values("rater")
        .annotate(
            counted=Count("id", filter=stands & is_counted()),
            surplus=Count("id", filter=stands & Q(slot__isnull=True) & ~is_set_aside()),
            aside=Count("id", filter=stands & is_set_aside()),
            seconds=Sum("seconds"),
            last=Max("rated_at"),
        )
        .order_by()
    }
    skipped = dict(
        Assignment.objects.filter(item__campaign=campaign, state=AssignmentState.SKIPPED)
        .values_list("rater")
        .annotate(number=Count("id"))
        .order_by()
    )
    members = Membership.objects.filter(campaign=campaign)
    nothing: dict[str, Any] = dict.fromkeys(("counted", "surplus", "aside"), 0)
    nothing |= {"seconds": None, "last": None}
    return [
        {
            "rater": pseudonym,
            "is_imported": user is None,
            "items": row["counted"],
            "surplus": row["surplus"],
            "set_aside": row["aside"],
            "skipped": skipped.get(member, 0),
            "seconds_total": row["seconds"],
            "last_rated_at": row["last"] and row["last"].isoformat(),
        }
        for member, pseudonym, role, user in members.values_list("id", "pseudonym", "role", "user")
        if (row := done.get(member, nothing)) is not nothing or role == Role.RATER
    ]


def _controls(right: int, given: int) -> JsonObject:
    return {
        "right": right,
        "given": given,
        "accuracy": estimate_as_json(share_right(right, given)),
    }


def _votes(campaign: Campaign, scheme: LabelScheme, order: list[str]) -> Mapping[str, JsonObject]:
    """Figures that follow from the votes, for everybody who has given one."""
    sequence = rating_sequence(campaign)
    if sequence is None:
        return {}
    windows = agreement_windows(sequence.rows)
    compared = raters_and_rest(sequence.rows, scheme)
    places = [scheme.index_of[label] for label in order]
    return {
        one.rater: {
            "seconds_median": _median(sequence, rater),
            "agreement": estimate_as_json(one.agreement),
            "kappa": {weights: estimate_as_json(each) for weights, each in one.kappa.items()},
            "windows": [_window(each) for each in windows[rater]],
            "confusion": [[one.table[own][other] for other in places] for own in places],
        }
        for rater, one in enumerate(compared)
    }


def _median(sequence: RatingSequence, rater: int) -> JsonObject:
    own = sequence.seconds[sequence.rows.raters == rater]
    return estimate_as_json(median_with_interval(own[own > 0]))


def _window(window: AgreementWindow) -> JsonObject:
    return {
        "from": window.start + 1,
        "to": window.end,
        "agreement": estimate_as_json(window.agreement),
        "expected": window.expected,
    }


_NO_RATING = estimate_as_json(undefined("no rating counts yet", n=0))
_NO_VOTES: JsonObject = {
    "seconds_median": _NO_RATING,
    "agreement": _NO_RATING,
    "kappa": {"unweighted": _NO_RATING, "linear": _NO_RATING, "quadratic": _NO_RATING},
    "windows": [],
    "confusion": [],
}


@dataclass(frozen=True, slots=True)
class SplitItem:
    """An item that some gave the first label and some the second; `votes` are all its votes."""

    item: Item
    first: int
    second: int
    votes: int


def split_between(
    ratings: QuerySet[Rating], first: str, second: str
) -> QuerySet[Rating, tuple[int, ...]]:
    """Items with votes for both labels, as (item, first, second, all), most evenly split first.

    Among equally even ones those with more such votes come first.
    """
    return (
        ratings.values("item")
        .annotate(
            first=Count("id", filter=Q(outcome__label=first)),
            second=Count("id", filter=Q(outcome__label=second)),
            votes=Count("id"),
        )
        .filter(first__gt=0, second__gt=0)
        .order_by(Abs(F("first") - F("second")), -F("first") - F("second"), "item")
        .values_list("item", "first", "second", "votes")
    )


def as_split_items(rows: list[tuple[int, ...]]) -> list[SplitItem]:
    items = Item.objects.select_related("question").in_bulk([item for item, *_rest in rows])
    return [SplitItem(items[item], first, second, votes) for item, first, second, votes in rows]


def disagreements_of(campaign: Campaign, rater_id: int) -> QuerySet[Rating]:
    """A rater's votes on items to which somebody else gave another label, newest first."""
    others = Rating.objects.filter(
        is_last_revision(Rating), is_counted(), item=OuterRef("item")
    ).exclude(rater=rater_id)
    return (
        counted_ratings(campaign)
        .filter(there_is(others.exclude(outcome__label=OuterRef("outcome__label"))), rater=rater_id)
        .select_related("item__question", "outcome")
        .order_by(F("rated_at").desc(nulls_last=True), "-id")
    )


def other_labels(campaign: Campaign, items: list[int], rater_id: int) -> dict[int, dict[str, int]]:
    """The labels that the others gave to these items, with their numbers, most votes first."""
    counted = (
        counted_ratings(campaign)
        .filter(item__in=items)
        .exclude(rater=rater_id)
        .values_list("item", "outcome__label")
        .annotate(votes=Count("id"))
        .order_by("item", "-votes", "outcome__label")
    )
    found: dict[int, dict[str, int]] = {}
    for item, label, votes in counted:
        found.setdefault(item, {})[label] = votes
    return found
