"""The explorer's list of items, and what its readers save of it."""

from http import HTTPStatus
from typing import NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.serializers import ValidationError

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.explorer.forms import columns_of as columns_of_file
from tasks.explorer.forms import listing_of_address
from tasks.explorer.page_forms import KNOWN, FilterForm, ViewForm
from tasks.explorer.queries.found import count, items_to_show, page_of_items
from tasks.explorer.queries.history import act_done, removable_views, views_for
from tasks.explorer.queries.listing import ItemListing
from tasks.explorer.queries.rows import ExplorerRow, Score, choices_of
from tasks.explorer.shown.acts import shown_act
from tasks.explorer.shown.address import ListAddress, chips_of
from tasks.explorer.shown.columns import (
    QUESTION,
    Column,
    Mark,
    Marks,
    chosen_columns,
    columns_of,
    state_title,
    usual_columns,
    votes_in_words,
)
from tasks.explorer.shown.files import FORMATS, send_items
from tasks.explorer.workflow.acts import MOST_ITEMS
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.explorer.workflow.views import (
    MOST_IN_WORKBOOK,
    MOST_VIEWS,
    TooManyForWorkbook,
    TooManyViews,
    ViewNameTaken,
    export_items,
    remove_view,
    save_view,
)
from tasks.models import ActKind, Campaign, Membership
from tasks.votes.all_votes import show_all
from tasks.web.addresses import Tab, page_at
from tasks.web.number_texts import count as number_text


class Head(NamedTuple):
    """A column's head; `query` is the address sorted by it, `sorted` how it is now, if it is."""

    column: Column
    query: str
    sorted: str


class Line(NamedTuple):
    """An item as a line of the list: its state and votes in words, marks of the votes, and as many
    places as ratings are missing; a column's `value` is its score."""

    row: ExplorerRow
    state: str
    votes: list[Mark]
    said: str
    missing: range
    label: Mark | None
    decided: Mark | None
    cells: list[tuple[Column, Score | None]]


@page_at(
    "c/<slug:slug>/items/",
    name="items",
    calls=("api-items", "api-item-votes"),
    tab=Tab(gettext_lazy("Data"), RESULTS),
    help="explorer.md",
)
@member_page(RESULTS, BOTH, while_archived=True)
def items(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """A hundred items at a time, as the address asks; what it cannot ask is said above them.

    A POST asks for the votes on this page's items that the member could still judge blind, on all
    items that match where two labels met, or for all votes that there are.
    """
    campaign = membership.campaign
    listing, wrong = listing_of_address(membership, request.GET.dict())
    waiting = refresh_before_reading(campaign=campaign)
    page = page_of_items(membership, listing)
    blind = [row.number for row in page.rows if row.withheld == "blind"]
    if request.method == "POST" and "both" in request.POST and listing.vote and listing.other_vote:
        return show_all(request, membership, items_to_show(membership, listing))
    if request.method == "POST":
        return show_all(request, membership, None if "all" in request.POST else blind)
    choices = choices_of(campaign)
    form = FilterForm(membership, choices, listing)
    address = ListAddress(listing, tuple(_named(request)))
    columns = columns_of(campaign, choices["matchers"])
    shown = chosen_columns(
        address.columns, columns, usual_columns(campaign, columns, listing.matcher)
    )
    marks, found = Marks(campaign), count(membership, listing)
    everything, by_label = ItemListing(), ItemListing(order="label")
    # items are left out, or may be, because the member could still judge them blind
    lacks_blind = listing.tells_votes and count(membership, by_label) != count(
        membership, everything
    )
    call = reverse("api-items", args=[campaign.slug])
    context = {
        "membership": membership,
        "form": form,
        "wrong": [(form.title_of_field(name), text) for name, text in wrong.items()],
        "known_names": [(name, choices[f"{name}s"]) for name in KNOWN],
        "address": address,
        "chips": chips_of(address, form.title_of),
        "columns": [(column, column in shown) for column in columns],
        "files": [(name, _file(campaign, address, shown, name)) for name in FORMATS],
        "call": request.build_absolute_uri("?".join(filter(None, [call, address.for_calls]))),
        "client": f"client.campaign({campaign.slug!r}).items({address.for_client})",
        "question_head": _head(address, QUESTION),
        "heads": [_head(address, column) for column in shown],
        "lines": [_line(row, marks, form, shown) for row in page.rows],
        "blind": len(blind),
        "found": found,
        "all": count(membership, everything) if listing.is_narrow else found,
        "lacks_blind": lacks_blind,
        "next": page.next and address.query(cursor=page.next),
        "previous": page.previous and address.query(cursor=page.previous),
        "waiting": waiting,
        "legend": marks.legend.values(),
        "views": views_for(membership),
        "removable": set(removable_views(membership).values_list("pk", flat=True)),
        "view_form": ViewForm(initial={"query": address.query()}),
        "acts": ActKind.choices,
        "most_items": MOST_ITEMS,
        "done": shown_act(act_done(membership, request.GET.get("done", ""))),
        "done_back": f"{request.path}?{address.here}",
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if wrong else HTTPStatus.OK
    return render(request, "explorer/items.html", context, status=status)


@page_at(
    "c/<slug:slug>/items/file/",
    name="items-file",
    calls=("api-items-file",),
    tab="items",
)
@member_page(RESULTS)
def file(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All items that are found as a file; votes that the list withholds are not in it."""
    listing, wrong = listing_of_address(membership, request.GET.dict())
    chosen = request.GET.get("format", "")
    if wrong or chosen not in FORMATS:
        raise BadRequest("no such list or format")
    try:
        columns = columns_of_file(",".join(_named(request)))
    except ValidationError as error:
        raise BadRequest("no such column") from error
    try:
        rows = export_items(member=membership, listing=listing, columns=columns, file_format=chosen)
    except TooManyForWorkbook:
        text = _(
            "A workbook holds at most %(number)s items. Choose CSV or JSON lines, or filter the"
            " items."
        )
        messages.error(request, text % {"number": number_text(MOST_IN_WORKBOOK)})
        query = ListAddress(listing, tuple(_named(request))).query()
        return redirect(f"{reverse('items', args=[membership.campaign.slug])}?{query}")
    return send_items(rows, columns, file_format=chosen, name=membership.campaign.slug)


def _named(request: HttpRequest) -> list[str]:
    return [name for text in request.GET.getlist("columns") for name in text.split(",") if name]


def _file(campaign: Campaign, address: ListAddress, shown: list[Column], name: str) -> str:
    """The address of the list as a file: with the chosen columns, or all where none is chosen."""
    parameters = dict(ListAddress(address.listing).parts)
    columns = ["number", "question", *(each for column in shown for each in column.in_files)]
    if address.columns:
        parameters["columns"] = ",".join(dict.fromkeys(columns))
    place = reverse("items-file", args=[campaign.slug])
    return f"{place}?{urlencode({'format': name, **parameters})}"


def _head(address: ListAddress, column: Column) -> Head:
    """Numbers and times begin with the highest; a second click turns the order round."""
    listing = address.listing
    if not column.order:
        return Head(column, "", "")
    is_own = column.order == listing.column and column.matcher in ("", listing.matcher)
    is_down = not listing.is_downwards if is_own else column.is_number
    order = f"-{column.order}" if is_down else column.order
    changes = {"order": order} | ({"matcher": column.matcher} if column.matcher else {})
    direction = ("descending" if listing.is_downwards else "ascending") if is_own else ""
    return Head(column, address.query(**changes), direction)


def _line(row: ExplorerRow, marks: Marks, form: FilterForm, shown: list[Column]) -> Line:
    votes = [
        marks.of(vote.label, form.title_of("rater", vote.rater))
        for vote in row.votes
        if vote.is_counted
    ]
    missing = max(0, row.wanted - row.ratings)
    return Line(
        row=row,
        state=state_title(row.state, row.purpose),
        votes=votes,
        said=votes_in_words(votes, missing),
        missing=range(missing),
        label=marks.of(row.label) if row.label else None,
        decided=marks.of(row.decided) if row.decided else None,
        cells=[(column, row.scores.get(column.matcher)) for column in shown],
    )


@page_at("c/<slug:slug>/items/views/", name="items-views", calls=("api-items-views",))
@member_page(RESULTS, WRITE)
def save(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Keep what the page shows under a name, and show it again."""
    form = ViewForm(request.POST)
    query = str(request.POST.get("query", ""))
    if form.is_valid():
        try:
            saved = save_view(member=membership, **form.cleaned_data)
        except ViewNameTaken:
            text = _("You already have a view with this name. Choose another name.")
            messages.error(request, text)
        except TooManyViews:
            text = _("You have %(number)s saved views, the most you can have. Delete one first.")
            messages.error(request, text % {"number": MOST_VIEWS})
        else:
            text = _("The view “%(name)s” has been saved.")
            messages.success(request, text % {"name": saved.name})
    else:
        messages.error(request, _("Enter a name of at most 100 characters."))
    return redirect(f"{reverse('items', args=[membership.campaign.slug])}?{query}")


@page_at(
    "c/<slug:slug>/items/views/<int:view_id>/", name="items-view-remove", calls=("api-items-view",)
)
@member_page(RESULTS, WRITE)
def remove(request: HttpRequest, membership: Membership, view_id: int) -> HttpResponseBase:
    view = get_object_or_404(removable_views(membership), pk=view_id)
    remove_view(view=view)
    messages.success(request, _("The view “%(name)s” has been deleted.") % {"name": view.name})
    return redirect("items", membership.campaign.slug)
