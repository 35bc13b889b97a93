"""Acts on many items: looked at before they are done, listed afterwards, and undone."""

import uuid
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN, RESULTS
from tasks.access.guards.pages import WRITE, member_page
from tasks.explorer.forms import listing_of_address
from tasks.explorer.page_forms import ChosenForm, OptionsForm
from tasks.explorer.queries.found import item_ids
from tasks.explorer.queries.history import acts_of, items_named, tags_of
from tasks.explorer.shown.acts import shown_act, shown_plan
from tasks.explorer.workflow.acts import (
    MOST_ITEMS,
    ActKeyReused,
    ActUndone,
    NothingToDo,
    PlanChanged,
    do_act,
    preview,
    undo_act,
)
from tasks.explorer.workflow.refreshing import refresh_before_reading
from tasks.models import ActKind, Membership
from tasks.people.queries import names_of_raters
from tasks.storing.refusals import InTheWay
from tasks.votes.workflow import show_votes
from tasks.web.addresses import page_at

PAGE_SIZE = 50
SHOWN_ITEMS = 8


@page_at(
    "c/<slug:slug>/items/act/",
    name="items-act",
    calls=("api-items-acts", "api-items-acts-preview"),
    tab="items",
    help="explorer.md#acts-on-many-items",
)
@member_page(ADMIN, WRITE)
def act(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The plan of the act on the chosen items; with `confirm`, do it."""
    chosen = ChosenForm(_chosen(request))
    if not chosen.is_valid():
        raise BadRequest("no such act or items")
    kind, back = ActKind(chosen.cleaned_data["act"]), _back(request, membership)
    items = _items(membership, chosen)
    if not items:
        messages.error(request, _("Choose the items first."))
        return redirect(back)
    is_told = "told" in request.POST or not OptionsForm(kind, membership).fields
    form = OptionsForm(kind, membership, request.POST if is_told else None)
    is_planned = is_told and form.is_valid()
    context: dict[str, Any] = {
        "membership": membership,
        "kind": kind,
        "chosen": chosen,
        "numbers": "" if chosen.cleaned_data["everything"] else " ".join(map(str, items)),
        "number": len(items),
        "form": form,
        "back": back,
        "tags": tags_of(membership.campaign),
        "key": chosen.cleaned_data["idempotency_key"] or uuid.uuid4(),
    }
    if is_planned and "confirm" in request.POST:
        try:
            given = chosen.cleaned_data
            done = do_act(
                member=membership,
                kind=kind,
                items=items,
                options=form.options,
                idempotency_key=given["idempotency_key"] or str(uuid.uuid4()),
                looked_at=given["looked_at"],
                asked=given["query"] if given["everything"] else None,
            )
            joint = "&" if "?" in back else "?"
            return redirect(f"{back}{joint}{urlencode({'done': done.act.pk})}")
        except (PlanChanged, NothingToDo, ActKeyReused, InTheWay) as refusal:
            # a key is reused by who comes back to this page and asks for something else
            is_changed = isinstance(refusal, PlanChanged | InTheWay)
            context |= {"is_changed": is_changed, "key": uuid.uuid4()}
    if is_planned:
        if "show" in request.POST:
            plan = preview(member=membership, kind=kind, items=items, options=form.options)
            show_votes(items=plan.withheld, member=membership)
        plan = preview(member=membership, kind=kind, items=items, options=form.options)
        context |= {
            "plan": shown_plan(kind, plan, membership.campaign.annotation_protocol.titles),
            "examples": items_named(plan.items[:SHOWN_ITEMS]),
        }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
    status = HTTPStatus.CONFLICT if "is_changed" in context else status
    return render(request, "explorer/act.html", context, status=status)


@page_at(
    "c/<slug:slug>/items/acts/",
    name="items-acts",
    calls=("api-items-acts",),
    tab="items",
    title=gettext_lazy("Acts on items"),
    help="explorer.md#acts-on-many-items",
)
@member_page(RESULTS)
def acts(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    found = acts_of(membership.campaign)
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    names = names_of_raters(membership)
    shown = [shown_act(each, names) for each in page]
    context = {"membership": membership, "page": page, "acts": shown, "query": ""}
    return render(request, "explorer/acts.html", context)


@page_at(
    "c/<slug:slug>/items/acts/<int:act_id>/",
    name="items-act-undo",
    calls=("api-items-act", "api-items-act-undo"),
)
@member_page(ADMIN, WRITE)
def undo(request: HttpRequest, membership: Membership, act_id: int) -> HttpResponseBase:
    """Undo one act, and go back to where that was asked for."""
    found = get_object_or_404(acts_of(membership.campaign), pk=act_id)
    try:
        undo_act(act=found, by=membership)
    except ActUndone:
        messages.error(request, _("This act had already been undone."))
    except InTheWay:
        messages.error(request, _("Somebody else is working on these items right now. Try again."))
    else:
        shown = shown_act(acts_of(membership.campaign).get(pk=act_id))
        messages.success(request, _("Undone.") + f" {shown.undone if shown else ''}")
    return redirect(_back(request, membership, "items-acts"))


def _chosen(request: HttpRequest) -> dict[str, Any]:
    """Each chosen item comes as a field of its own, or all in one."""
    return {**request.POST.dict(), "items": " ".join(request.POST.getlist("items"))}


def _items(membership: Membership, chosen: ChosenForm) -> list[int]:
    given = chosen.cleaned_data
    if not given["everything"]:
        return list(given["items"])[:MOST_ITEMS]
    listing, wrong = listing_of_address(membership, QueryDict(given["query"]).dict())
    if wrong:
        raise BadRequest("no such filters")
    refresh_before_reading(campaign=membership.campaign)
    return item_ids(membership, listing, MOST_ITEMS)


def _back(request: HttpRequest, membership: Membership, otherwise: str = "items") -> str:
    """The page of the explorer that the form stood on, without what was done last."""
    home = reverse(otherwise, args=[membership.campaign.slug])
    path = str(request.POST.get("back", ""))
    above = reverse("items", args=[membership.campaign.slug])
    is_ours = path.startswith(above) and url_has_allowed_host_and_scheme(path, allowed_hosts=None)
    return path if is_ours else home
