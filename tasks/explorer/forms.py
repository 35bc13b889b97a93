"""The parameters of the explorer, checked alike for page, API and downloads."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from tasks.explorer.queries.listing import ORDERS, ItemListing, NoSuchCursor, cursor_of
from tasks.explorer.queries.rows import STATES
from tasks.explorer.shown.files import COLUMNS, FORMATS
from tasks.models import Campaign, ItemPurpose, Membership
from tasks.web.calls import FiniteFloat, ListParameters

MAX_SEARCH = 500  # characters
MAX_VERSION = 1_000_000_000
_YES = ["yes"]
_YES_NO = ["yes", "no"]
_NEED_MATCHER = ("score_min", "score_max", "accepted", "differs")


class ItemParameters(ListParameters):
    """Filters of items. They combine: an item has to meet every one of them.

    Those on votes and suggestions find only items whose votes are open to the caller.
    """

    q = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_SEARCH,
        help_text="Words to find in question, references, candidate or passage. All must occur; "
        'the last one may be the beginning of a word. Use "words in quotes" for a '
        "phrase, OR between alternatives and -word to exclude a word.",
    )
    label = serializers.CharField(  # type: ignore[assignment]  # a field named like DRF's own
        required=False, max_length=60, help_text="The label of most votes; a tie has none."
    )
    vote = serializers.CharField(
        required=False,
        max_length=60,
        help_text="A label with at least one vote; with `rater`, the vote of this rater.",
    )
    other_vote = serializers.CharField(
        required=False, max_length=60, help_text="Another label with at least one vote."
    )
    rater = serializers.CharField(
        required=False, max_length=40, help_text="The pseudonym of a rater who voted."
    )
    guideline = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_VERSION,
        help_text="A version of the guidelines with at least one rating of the item.",
    )
    system = serializers.CharField(
        required=False, max_length=255, help_text="Items whose candidate this system produced."
    )
    document = serializers.CharField(required=False, max_length=255)
    question_type = serializers.CharField(required=False, max_length=60)
    split = serializers.CharField(
        required=False, max_length=40, help_text="Split of the question in its source."
    )
    key = serializers.CharField(required=False, max_length=255, help_text="The item's id.")
    purpose = serializers.ChoiceField(required=False, choices=ItemPurpose.choices)
    state = serializers.ChoiceField(
        required=False,
        choices=STATES,
        help_text="Progress of the item: ratings missing (`open`), complete and equal (`rated`), "
        "differing (`disputed`), decided by adjudicators (`decided`), none given or "
        "wanted because the item trains or checks raters (`apart`), dismissed by an "
        "admin (`dismissed`); `complete`: all ratings given, equal or not.",
    )
    tag = serializers.CharField(required=False, max_length=60, help_text="Items with this tag.")
    assigned = serializers.CharField(
        required=False,
        max_length=40,
        help_text="The pseudonym of a rater to whom an open place is assigned.",
    )
    disputed = serializers.ChoiceField(
        required=False, choices=_YES, help_text="Items whose votes differ."
    )
    unfinished = serializers.ChoiceField(
        required=False, choices=_YES, help_text="Items that wait for further ratings."
    )
    flagged = serializers.ChoiceField(
        required=False, choices=["open", "any"], help_text="Items with an open flag, or with any."
    )
    matcher = serializers.CharField(
        required=False, max_length=80, help_text="Items that this matcher has scored."
    )
    score_min = FiniteFloat(
        required=False, help_text="Lower bound of the newest score of `matcher`, which is required."
    )
    score_max = FiniteFloat(
        required=False, help_text="Upper bound of the newest score of `matcher`, which is required."
    )
    accepted = serializers.ChoiceField(
        required=False,
        choices=_YES_NO,
        help_text="True if the newest score of `matcher` reaches its threshold.",
    )
    differs = serializers.ChoiceField(
        required=False,
        choices=_YES,
        help_text="Items on which `matcher` differs from the label of most votes.",
    )
    order = serializers.ChoiceField(
        required=False,
        choices=[f"{sign}{name}" for name in ORDERS for sign in ("", "-")],
        help_text="Order of the items; a leading - reverses it. Newest first by default. "
        "`question` and `candidate` by their first 40 characters; `score` is that of "
        "`matcher`.",
    )


class ItemFileParameters(ItemParameters):
    """Parameters of a file of items: the filters and the order of the list, and these."""

    cursor = None  # type: ignore[assignment]  # so DRF is told that there is none
    limit = None  # type: ignore[assignment]  # as above
    format = serializers.ChoiceField(choices=list(FORMATS), help_text="Format of the file.")
    columns = serializers.CharField(
        required=False,
        max_length=1000,
        help_text=f"Columns, separated by commas; all by default: {', '.join(COLUMNS)}.",
    )
    votes = serializers.ChoiceField(
        choices=["seen"],
        required=False,
        help_text="Include all votes. Callers who judge in the campaign no longer get items with "
        "votes, neither to rate nor for a blind first look.",
    )


def columns_of(names: str) -> list[str]:
    """The columns of a file by their names with commas between, all of them for none.

    Raises ValidationError naming one that there is not.
    """
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    for name in chosen:
        if name not in COLUMNS:
            there_are = ", ".join(COLUMNS)
            raise serializers.ValidationError({"columns": f"no column {name}; known: {there_are}"})
    return list(dict.fromkeys(chosen)) or list(COLUMNS)


def listing_of_parameters(member: Membership, given: Mapping[str, Any]) -> ItemListing:
    """The listing of checked parameters. Raises ValidationError naming one that does not fit."""
    names = ItemListing.__dataclass_fields__
    listing = ItemListing(**{name: value for name, value in given.items() if name in names})
    if errors := _misfits(member.campaign, listing):
        raise serializers.ValidationError(errors)
    return listing


def listing_of_address(
    member: Membership, address: Mapping[str, str]
) -> tuple[ItemListing, dict[str, str]]:
    """The listing of the parameters in a page's address, and by name the errors of those that are
    left out for it. Names that are none of the explorer's are the page's own."""
    fields = [str(name) for name in ItemParameters().fields]
    given = {name: address[name] for name in fields if address.get(name, "") != ""}
    wrong: dict[str, str] = {}
    while True:
        parameters = ItemParameters(data=given)
        if parameters.is_valid():
            listing = ItemListing(**parameters.validated_data)
            errors = _misfits(member.campaign, listing)
        else:
            errors = {name: str(each[0]) for name, each in parameters.errors.items()}
        if not errors:
            return listing, wrong
        wrong |= errors
        given = {name: value for name, value in given.items() if name not in errors}


def _misfits(campaign: Campaign, listing: ItemListing) -> dict[str, str]:
    """The errors of parameters that are right by themselves, by name."""
    errors = {}
    labels = campaign.annotation_protocol.scheme.labels
    for name in ("label", "vote", "other_vote"):
        if (value := getattr(listing, name)) and value not in labels:
            there_are = ", ".join(labels)
            errors[name] = _("no such label; the labels are: %(labels)s") % {"labels": there_are}
    if not listing.matcher:
        needy = {name for name in _NEED_MATCHER if name in listing.filters}
        needy |= {"order"} if listing.column == "score" else set()
        errors |= dict.fromkeys(needy, _("give the matcher for these scores"))
    if not errors:
        try:
            cursor_of(listing)
        except NoSuchCursor:
            errors["cursor"] = _("this is not a cursor of this list")
    return errors
