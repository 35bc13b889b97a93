"""Drafts of models: what an admin approves becomes an item, nothing else does."""

from dataclasses import asdict
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import BOTH, member_page
from tasks.models import Campaign, GeneratedState, Membership
from tasks.prefill.forms import CommonForm
from tasks.prefill.queries.generated import (
    Common,
    choices_of,
    counts_by_state,
    generated_texts,
    pending_ids,
)
from tasks.prefill.workflow.generation import approve, reject
from tasks.web.addresses import page_at
from tasks.web.page import row_number
from tomahto.interchange.reading.records import InputError

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

PAGE_SIZE = 25
# what a button of the page does, and the name of the fields that say to which texts
_FIELDS = {"ticked": "text", "shown": "shown", "common": "newest"}

_TITLES = {
    "target": gettext_lazy("Intended as"),
    "system": gettext_lazy("Written by"),
    "question_type": gettext_lazy("Type of question"),
    "second_verdict": gettext_lazy("Second verdict"),
}
_SHOWN = {"same": gettext_lazy("the same"), "differs": gettext_lazy("another")}
Choice = tuple[str, "StrPromise", list[tuple[str, "StrPromise | str"]], str]
"""The name of a field, its title, its values with what is shown for them, and the chosen one."""


@page_at(
    "c/<slug:slug>/generated/",
    name="generated",
    calls=("api-generated", "api-generated-approve", "api-generated-reject"),
    tab="jobs",
    title=gettext_lazy("Generated texts"),
    help="generate.md#approving",
)
@member_page(ADMIN, BOTH)
def generated(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The texts in one state, pending ones first of all, 25 on a page."""
    if request.method == "POST":
        return _review(request, membership)
    state = request.GET.get("state", GeneratedState.PENDING)
    if state not in GeneratedState.values:
        state = GeneratedState.PENDING
    counts = counts_by_state(membership.campaign)
    common = _common(request.GET)
    texts = generated_texts(membership.campaign, state, common)
    context = {
        "common": common,
        "choices": _choices(membership.campaign, state, common),
        "newest": texts.order_by("-id").values_list("id", flat=True).first(),
        "address": urlencode({"state": state, **_filled_in(common)}),
        "membership": membership,
        "state": state,
        "states": [(value, label, counts[value]) for value, label in GeneratedState.choices],
        "page": Paginator(texts, PAGE_SIZE).get_page(request.GET.get("page")),
    }
    return render(request, "prefill/generated.html", context)


def _review(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    verdict, _separator, which = request.POST.get("action", "").partition("-")
    if verdict not in {"approve", "reject"} or which not in _FIELDS:
        raise BadRequest("action is not one of the page's buttons")
    numbers = map(row_number, request.POST.getlist(_FIELDS[which]))
    ids = [number for number in numbers if number is not None]
    common = _common(request.POST)
    if ids and which == "common":
        ids = pending_ids(membership.campaign, common, until=ids[0])
    if not ids:
        messages.error(request, _("Select the texts first."))
    elif verdict == "approve":
        try:
            new = approve(campaign=membership.campaign, ids=ids, by=membership).items_created
        except InputError as error:
            messages.error(request, str(error))
        else:
            text = ngettext("%(n)d item is new.", "%(n)d items are new.", new)
            messages.success(request, text % {"n": new})
    else:
        count = reject(campaign=membership.campaign, ids=ids, by=membership)
        text = ngettext("%(n)d text is rejected.", "%(n)d texts are rejected.", count)
        messages.success(request, text % {"n": count})
    address = reverse("generated", args=[membership.campaign.slug])
    return redirect(f"{address}?{urlencode(given)}" if (given := _filled_in(common)) else address)


def _choices(campaign: Campaign, state: str, common: Common) -> list[Choice]:
    values, chosen = choices_of(campaign, state), asdict(common)
    return [
        (name, title, [(value, _SHOWN.get(value, value)) for value in values[name]], chosen[name])
        for name, title in _TITLES.items()
        if values[name]
    ]


def _common(given: QueryDict) -> Common:
    form = CommonForm(given)
    if not form.is_valid():
        raise BadRequest("a filter is not a text")
    return Common(**form.cleaned_data)


def _filled_in(common: Common) -> dict[str, str]:
    return {name: value for name, value in asdict(common).items() if value}
