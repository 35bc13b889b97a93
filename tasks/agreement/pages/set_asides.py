"""Ratings that an admin has set aside: doing it, the list of such acts, and undoing them."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.access.guards.roles import ADMIN, RESULTS
from tasks.agreement.set_aside_forms import SetAsideForm
from tasks.models import Membership
from tasks.people.queries.names import names_of_raters
from tasks.storing.in_the_way import InTheWay
from tasks.votes.set_aside import (
    concerned,
    items_rated_since,
    ratings_to_set_aside,
    set_asides_of,
)
from tasks.votes.workflow.set_aside import (
    NothingToSetAside,
    SetAsideUndone,
    set_aside,
    undo_set_aside,
)
from tasks.web.addresses import page_at

PAGE_SIZE = 50


@page_at(
    "c/<slug:slug>/agreement/set-aside/",
    name="set-asides",
    calls=("api-set-asides",),
    tab="raters",
    title=gettext_lazy("Ratings set aside"),
    help="dashboards.md#ratings-set-aside",
)
@member_page(RESULTS)
def set_asides(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """Every act, newest first; for admins with what undoing it would mean."""
    page = Paginator(set_asides_of(membership.campaign), PAGE_SIZE).get_page(
        request.GET.get("page")
    )
    names = names_of_raters(membership)
    context = {
        "membership": membership,
        "page": page,
        "acts": [
            (act, names[act.rater.pseudonym], 0 if act.undone_at else items_rated_since(act))
            for act in page
        ],
    }
    return render(request, "agreement/set_asides.html", context)


@page_at(
    "c/<slug:slug>/agreement/raters/<text:pseudonym>/set-aside/",
    name="set-aside",
    calls=("api-set-aside",),
    tab="raters",
    help="dashboards.md#ratings-set-aside",
)
@member_page(ADMIN, BOTH)
def set_ratings_aside(
    request: HttpRequest, membership: Membership, pseudonym: str
) -> HttpResponseBase:
    """A preview of what would be set aside; with `confirm`, set it aside."""
    rater = get_object_or_404(Membership, campaign=membership.campaign, pseudonym=pseudonym)
    form = SetAsideForm(request.POST if request.method == "POST" else None)
    is_valid = form.is_bound and form.is_valid()
    asked: dict[str, Any] = form.cleaned_data if form.is_bound else {}
    context: dict[str, Any] = {"membership": membership, "rater": rater, "form": form}
    if is_valid and "confirm" in request.POST:
        try:
            set_aside(rater=rater, by=membership, **asked)
        except (NothingToSetAside, InTheWay) as refusal:
            context["is_in_the_way"] = isinstance(refusal, InTheWay)
        else:
            messages.success(request, _("The ratings are set aside. Others get their places."))
            return redirect("set-asides", membership.campaign.slug)
    context |= {
        "concerned": concerned(ratings_to_set_aside(rater, since=asked.get("since"))),
        "is_previewed": is_valid,
        "shown_name": names_of_raters(membership)[pseudonym],
    }
    return render(request, "agreement/set_aside.html", context, status=_status(form, context))


@page_at(
    "c/<slug:slug>/agreement/set-aside/<int:set_aside_id>/undo/",
    name="set-aside-undo",
    calls=("api-set-aside-undo",),
)
@member_page(ADMIN, WRITE)
def undo(request: HttpRequest, membership: Membership, set_aside_id: int) -> HttpResponseBase:
    act = get_object_or_404(set_asides_of(membership.campaign), pk=set_aside_id)
    try:
        undo_set_aside(act=act, by=membership)
    except SetAsideUndone:
        messages.error(request, _("That had been undone before."))
    except InTheWay:
        messages.error(request, _("Others are working on these items right now. Try again."))
    else:
        messages.success(request, _("The ratings count again."))
    return redirect("set-asides", membership.campaign.slug)


def _status(form: SetAsideForm, context: dict[str, Any]) -> HTTPStatus:
    if "is_in_the_way" in context:
        return HTTPStatus.CONFLICT
    return HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
