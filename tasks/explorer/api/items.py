"""The items of a campaign as the explorer finds them, files of them, and saved views."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import content_negotiation_class
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from tasks.access.guards import RESULTS
from tasks.access.guards.operations import call_at, delete, get, post
from tasks.explorer.forms import (
    ItemFileParameters,
    ItemParameters,
    columns_of,
    listing_of_parameters,
)
from tasks.explorer.page_forms import ViewForm
from tasks.explorer.queries.found import page_of_items
from tasks.explorer.queries.history import removable_views, views_for
from tasks.explorer.queries.rows import STATES, ExplorerRow
from tasks.explorer.shown.files import FORMATS, send_items
from tasks.explorer.workflow.refreshing import refresh_before_reading, row_of_item
from tasks.explorer.workflow.views import export_items, remove_view, save_view
from tasks.models import Item, ItemPurpose, Membership
from tasks.rating.shown.serializers import (
    EvidenceVoteSerializer,
    FlagOnItemSerializer,
    SuggestionSerializer,
)
from tasks.votes.all_votes import show_if_asked
from tasks.votes.blindness import withheld_from
from tasks.votes.item_votes import item_in, votes_on
from tasks.votes.workflow import show_votes
from tasks.web.calls import (
    Body,
    ListParameters,
    NoBody,
    OneKindOfAnswer,
    asked_of,
    one_of,
    page_of,
    read_body,
    require_valid,
)


class ItemVotesSerializer(serializers.Serializer[Any]):
    """The votes on an item. `withheld` gives the reason if nothing is shown: the caller is rating
    it, or could still judge it blind, as a rater or in a first look."""

    withheld = serializers.ChoiceField(choices=["rating", "blind"], allow_null=True)
    votes = EvidenceVoteSerializer(many=True)
    suggestions = SuggestionSerializer(many=True)
    flags = FlagOnItemSerializer(many=True)
    expected = serializers.CharField(
        allow_null=True, help_text="The known label of an item that trains or checks raters."
    )
    intended = serializers.CharField(
        help_text="Target of the generation; empty if the candidate was not generated."
    )


class ListedVoteSerializer(serializers.Serializer[Any]):
    """A rater's current rating; not counted if it is surplus or set aside."""

    rater = serializers.CharField(help_text="The pseudonym.")
    label = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own
    counted = serializers.BooleanField(source="is_counted")


class ListedScoreSerializer(serializers.Serializer[Any]):
    """A matcher's newest score."""

    score = serializers.FloatField()
    accepted = serializers.BooleanField(
        source="is_accepted", help_text="True if the score reaches the matcher's threshold."
    )


class ListedItemSerializer(serializers.Serializer[Any]):
    """An item without its passage. `number` is what its address has, `id` what files call it.

    `withheld` says why votes, label, share, decision and scores are not shown: the caller is rating
    the item, or could still judge it blind.
    """

    number = serializers.IntegerField()
    id = serializers.CharField(source="key")
    document = serializers.CharField()
    question_id = serializers.CharField(source="question_key")
    question = serializers.CharField()
    question_type = serializers.CharField()
    split = serializers.CharField()
    references = serializers.ListField(child=serializers.CharField())
    candidate = serializers.CharField()
    systems = serializers.ListField(child=serializers.CharField())
    purpose = serializers.ChoiceField(choices=ItemPurpose.choices)
    created_at = serializers.DateTimeField()
    state = serializers.ChoiceField(
        choices=STATES,
        help_text="As in the filter; `complete` if votes are withheld.",
    )
    wanted = serializers.IntegerField(help_text="Number of ratings wanted.")
    ratings = serializers.IntegerField(help_text="Number of counted ratings.")
    withheld = serializers.ChoiceField(choices=["rating", "blind"], allow_null=True)
    votes = ListedVoteSerializer(many=True)
    label = serializers.CharField(  # type: ignore[assignment]  # a field named like DRF's own
        help_text="Label of most votes; empty for a tie and without votes."
    )
    tied = serializers.BooleanField(source="is_tied")
    disputed = serializers.BooleanField(source="is_disputed", help_text="True if votes differ.")
    share = serializers.FloatField(
        allow_null=True, help_text="Share of the votes with the most frequent label."
    )
    decided = serializers.CharField(
        help_text="Label on which adjudicators agree; empty if there is none."
    )
    open_flags = serializers.IntegerField()
    flags = serializers.IntegerField()
    skips = serializers.IntegerField(help_text="Number of raters who skipped the item.")
    tags = serializers.ListField(child=serializers.CharField())
    scores = serializers.SerializerMethodField(help_text="Newest score of each matcher.")
    last_rated_at = serializers.DateTimeField(allow_null=True)

    @extend_schema_field(serializers.DictField(child=ListedScoreSerializer()))
    def get_scores(self, row: ExplorerRow) -> Mapping[str, Any]:
        return {matcher: ListedScoreSerializer(score).data for matcher, score in row.scores.items()}


@call_at("v1/campaigns/<slug:slug>/items", name="api-items")
@get("items", RESULTS, rows=ListedItemSerializer, asks=ItemParameters)
def items(request: Request, member: Membership) -> Response:
    """The campaign's items by text, filters and order, newest first by default.

    `X-Items-Waiting` says of how many items the summaries, by which filters and orders go, are not
    up to date yet; as a rule of none.
    """
    listing = listing_of_parameters(member, asked_of(request, ItemParameters))
    waiting = refresh_before_reading(campaign=member.campaign)
    page = page_of_items(member, listing)
    here = request.build_absolute_uri()
    cursors = {"next": page.next, "previous": page.previous}
    neighbours = {
        name: replace_query_param(here, "cursor", cursor) if cursor else None
        for name, cursor in cursors.items()
    }
    body = {**neighbours, "results": ListedItemSerializer(page.rows, many=True).data}
    return Response(body, headers={"X-Items-Waiting": str(waiting)})


class WholeItemSerializer(ListedItemSerializer):
    context = serializers.CharField()  # type: ignore[assignment]  # a field named like DRF's own


@call_at("v1/campaigns/<slug:slug>/items/<int:item_id>", name="api-item")
@get("item", RESULTS, gives=WholeItemSerializer)
def item(_request: Request, member: Membership, item_id: int) -> Response:
    """One item with its passage."""
    found = _item(member, item_id)
    row = row_of_item(member=member, item=found)
    listed = ListedItemSerializer(row).data
    return Response({**listed, "context": found.question.context})


@call_at("v1/campaigns/<slug:slug>/items/<int:item_id>/votes", name="api-item-votes")
@get("item_votes", RESULTS, gives=ItemVotesSerializer)
@post("ask_for_votes", RESULTS, takes=NoBody, gives=ItemVotesSerializer, while_archived=True)
def item_votes(request: Request, member: Membership, item_id: int) -> Response:
    """Votes, suggestions and flags; withheld from who is rating the item or may judge it blind.

    POST asks for them: the caller sees them from then on, and gets the item neither to rate nor
    for a first look any more.
    """
    found = _item(member, item_id)
    if request.method == "POST":
        show_votes(items=[found.pk], member=member)
    if withheld := withheld_from(member, found):
        nothing: dict[str, Any] = {"votes": [], "suggestions": [], "flags": [], "expected": None}
        return Response({"withheld": withheld, **nothing, "intended": ""})
    votes = votes_on(found, member)
    return Response(
        {
            "withheld": None,
            "votes": EvidenceVoteSerializer(votes.ratings, many=True).data,
            "suggestions": SuggestionSerializer(votes.suggestions, many=True).data,
            "flags": FlagOnItemSerializer(votes.flags, many=True).data,
            "expected": votes.expected.outcome.label if votes.expected else None,
            "intended": found.intended,
        }
    )


def _item(member: Membership, item_id: int) -> Item:
    try:
        return item_in(member.campaign, item_id)
    except Item.DoesNotExist:
        raise NotFound("there is no such item") from None


@call_at("v1/campaigns/<slug:slug>/items/file", name="api-items-file")
@get(
    "items_file",
    RESULTS,
    asks=ItemFileParameters,
    refuses={409: "Too many items for a workbook."},
    gives={
        (200, each.media_type.partition(";")[0]): OpenApiTypes.BINARY for each in FORMATS.values()
    },
)
@content_negotiation_class(OneKindOfAnswer)
def file(request: Request, member: Membership) -> HttpResponseBase:
    """All items that are found, a row for each, with the parameters of the list.

    Votes that are withheld from the caller in the list are withheld here. With `votes=seen` the
    caller asks for all votes there are, and gets the items that have any neither to rate nor for a
    blind first look after this.
    """
    given = asked_of(request, ItemFileParameters)
    listing, columns = listing_of_parameters(member, given), columns_of(given.get("columns", ""))
    chosen = given["format"]
    show_if_asked(request, member)
    rows = export_items(member=member, listing=listing, columns=columns, file_format=chosen)
    return send_items(rows, columns, file_format=chosen, name=member.campaign.slug)


class ViewSerializer(serializers.Serializer[Any]):
    """`query` is what the address of the page has after the question mark."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    query = serializers.CharField()
    is_shared = serializers.BooleanField()
    member = serializers.CharField(source="member.pseudonym", help_text="Pseudonym.")
    created_at = serializers.DateTimeField()


class ViewSubmission(Body):
    name = serializers.CharField()
    query = serializers.CharField(required=False, allow_blank=True)
    is_shared = serializers.BooleanField(required=False, default=False)


@call_at("v1/campaigns/<slug:slug>/items/views", name="api-items-views")
@get("item_views", RESULTS, rows=ViewSerializer)
@post("save_item_view", RESULTS, takes=ViewSubmission, gives={201: ViewSerializer}, refuses=(409,))
def views(request: Request, member: Membership) -> Response:
    """The caller's saved views and those that others share, newest first; or save one. 409 where
    the caller has one of that name."""
    if request.method == "GET":
        asked_of(request, ListParameters)
        return page_of(request, views_for(member), ViewSerializer)
    form = ViewForm(read_body(request, ViewSubmission))
    require_valid(form)
    saved = save_view(member=member, **form.cleaned_data)
    return Response(ViewSerializer(saved).data, status=201)


@call_at("v1/campaigns/<slug:slug>/items/views/<int:view_id>", name="api-items-view")
@delete("remove_item_view", RESULTS, gives={204: "Removed."})
def view(_request: Request, member: Membership, view_id: int) -> Response:
    """Remove a saved view: one's own, or as an admin one that is shared."""
    remove_view(view=one_of(removable_views(member).filter(pk=view_id), "there is no such view"))
    return Response(status=204)
