"""Adjudication: what waits and why, what is decided, how far adjudicators agree; and one item
before an adjudicator, the blind first look, then the votes and the decision.

Every step works as a plain form. Where looks are blind, nothing that others have said about the
item is read from the database before the look is stored.
"""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from http import HTTPStatus
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import RESULTS
from tasks.access.guards.pages import BOTH, member_page
from tasks.adjudication.forms import AdjudicationForm
from tasks.adjudication.queries.decisions import (
    adjudication_report_of,
    current_adjudications,
    decisions_open_to,
    evidence_on,
    first_look_at,
    item_to_adjudicate,
    own_decision,
)
from tasks.adjudication.queries.queue import Queue, Reason, Shelf, next_item, shelves_of
from tasks.adjudication.workflow import (
    FirstLookRefused,
    OwnItem,
    ReasonMissing,
    adjudicate,
    asks_for_first_look,
    leave_item,
    require_no_part,
    store_first_look,
)
from tasks.models import Adjudication, FirstLook, Flag, Item, Membership, Rating, Suggestion
from tasks.protocols.definition import AnnotationProtocol
from tasks.rating.shown.answers import ShownAnswer, shown_answer
from tasks.rating.shown.rating_page import Filling, Notice, form_page, turn_of
from tasks.rating.workflow.rating import GuidelineChanged, KeyReused
from tasks.votes.workflow import reveal_votes_for_decision
from tasks.web.addresses import Tab, page_at
from tasks.web.page import see_other
from tomahto.votes.majority import LOW_CONFIDENCE

PAGE_SIZE = 25
SHOWN = (Shelf.WAITING, Shelf.UNFINISHED, Shelf.SECOND, Shelf.LEFT)


@page_at(
    "c/<slug:slug>/adjudicate/",
    name="adjudicate",
    calls=("api-adjudication-agreement",),
    tab=Tab(gettext_lazy("Adjudicate"), RESULTS),
    help="adjudication.md",
)
@member_page(RESULTS)
def overview(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The queue, most valuable first: one shelf of it, for one reason if one is chosen."""
    shelves = shelves_of(membership)
    wanted, why = request.GET.get("show", ""), request.GET.get("reason", "")
    shelf = Shelf(wanted) if wanted in SHOWN else Shelf.WAITING
    reason = Reason(why) if why in Reason.values else None
    queue = Queue(membership, shelf, reason, shelves[shelf].number(reason))
    context = {
        "membership": membership,
        "page": Paginator(queue, PAGE_SIZE).get_page(request.GET.get("page")),
        "query": urlencode({"show": shelf.value, "reason": reason.value if reason else ""}) + "&",
        "shelf": shelf,
        "reason": reason,
        "waiting": shelves[Shelf.WAITING].items,
        "own": shelves[Shelf.OWN].items,
        "reasons": [(each, shelves[shelf].reasons[each]) for each in Reason],
        "shelves": [(each, shelves[each].items) for each in SHOWN],
        "low_confidence": LOW_CONFIDENCE,
        "report": adjudication_report_of(membership.campaign),
    }
    return render(request, "adjudication/overview.html", context)


@page_at(
    "c/<slug:slug>/adjudicate/decided/",
    name="adjudicate-decided",
    calls=("api-adjudications",),
    title=gettext_lazy("Decided items"),
)
@member_page(RESULTS)
def decided(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """All decisions with their reasons, newest first; without those that the member should judge
    unseen."""
    campaign = membership.campaign
    decisions = decisions_open_to(membership)
    page = Paginator(decisions, PAGE_SIZE).get_page(request.GET.get("page"))
    protocol = campaign.annotation_protocol
    context = {
        "membership": membership,
        "page": page,
        "rows": [(each, shown_answer(each.outcome, protocol)) for each in page],
        "hidden": current_adjudications(campaign).count() - page.paginator.count,
        "query": "",
    }
    return render(request, "adjudication/decided.html", context)


@dataclass(frozen=True, slots=True)
class ShownVote:
    rating: Rating
    answer: ShownAnswer


@dataclass(frozen=True, slots=True)
class ShownDecision:
    adjudication: Adjudication
    answer: ShownAnswer


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """The votes and decisions of others on the item. Made only for those who may see them."""

    votes: list[ShownVote]
    tally: list[tuple[str, int]]
    flags: list[Flag]
    suggestion: Suggestion | None
    explanation: list[tuple[str, str]]
    decisions: list[ShownDecision]
    look: ShownAnswer | None


def shown_evidence(item: Item, adjudicator: Membership) -> ShownEvidence:
    protocol = adjudicator.campaign.annotation_protocol
    evidence = evidence_on(item, adjudicator.campaign)
    look = first_look_at(item, adjudicator)
    return ShownEvidence(
        votes=[ShownVote(each, shown_answer(each.outcome, protocol)) for each in evidence.votes],
        tally=list(_tally(evidence.votes, protocol)),
        flags=evidence.flags,
        suggestion=evidence.suggestion,
        explanation=list(_explanation(evidence.suggestion)),
        decisions=[
            ShownDecision(each, shown_answer(each.outcome, protocol))
            for each in evidence.decisions
            if each.adjudicator_id != adjudicator.pk
        ],
        look=shown_answer(look.outcome, protocol) if look else None,
    )


def first_filling(item: Item, adjudicator: Membership) -> tuple[Filling, str]:
    """The form of a decision as it is opened, and the reason in it.

    It holds the decision as it stands, else the first look.
    """
    known: Adjudication | FirstLook | None
    known = decision = own_decision(item, adjudicator)
    known = known or first_look_at(item, adjudicator)
    answers = dict(known.outcome.answers) if known else {}
    return Filling(answers), decision.reason if decision else ""


def _tally(votes: list[Rating], protocol: AnnotationProtocol) -> Iterator[tuple[str, int]]:
    """The number of counted votes of each label, those without any left out."""
    labels = [rating.outcome.label for rating in votes if rating.is_counted]
    for label in protocol.labels:
        if number := labels.count(label.value):
            yield label.title, number


def _explanation(suggestion: Suggestion | None) -> Iterator[tuple[str, str]]:
    """The sources of the matcher's score, one line for each part that it names."""
    if suggestion is None or suggestion.explanation is None:
        return
    parts = suggestion.explanation
    for name, value in parts.items() if isinstance(parts, dict) else [("", parts)]:
        yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@page_at(
    "c/<slug:slug>/adjudicate/<int:item_id>/",
    name="adjudicate-item",
    calls=("api-first-looks", "api-adjudications", "api-item-votes"),
)
@member_page(RESULTS, BOTH)
def item(request: HttpRequest, membership: Membership, item_id: int) -> HttpResponseBase:
    """The form of the first look or of the decision, whichever is due."""
    try:
        open_item = item_to_adjudicate(membership.campaign, item_id)
        require_no_part(item=open_item, adjudicator=membership)
    except Item.DoesNotExist:
        raise Http404 from None
    except OwnItem:
        text = _("You have rated this item or are rating it, so somebody else has to decide.")
        messages.error(request, text)
        return redirect("adjudicate", membership.campaign.slug)
    is_blind = asks_for_first_look(item=open_item, adjudicator=membership)
    if request.method != "POST":
        filling, reason = (Filling(), "") if is_blind else first_filling(open_item, membership)
        return _show(request, DecisionPage(open_item, membership, is_blind, filling, reason))
    return _act(request, open_item, membership, is_blind=is_blind)


def _act(
    request: HttpRequest, open_item: Item, membership: Membership, *, is_blind: bool
) -> HttpResponseBase:
    turn = turn_of(request, membership.campaign.annotation_protocol, "leave")
    fields = _meta(request).cleaned_data
    filling = Filling(turn.answers, key=fields["idempotency_key"])
    more = (fields["reason"], fields["settles_flags"], turn.notice)
    desk = DecisionPage(open_item, membership, is_blind, filling, *more)
    if turn.action == "leave":
        leave_item(item=open_item, adjudicator=membership)
        messages.success(request, _("You have passed the item on."))
        return see_other("adjudicate-next", desk.adjudicator.campaign.slug)
    if turn.action == "show":
        return _show(request, desk)
    # a form of the first look that is sent again finds the votes: it must not become a decision
    if is_blind or "reason" not in request.POST:
        return _look(desk)
    return _decide(request, desk)


@dataclass(frozen=True, slots=True)
class DecisionPage:
    """An item before an adjudicator, and what their form holds.

    `is_blind` while they have still to judge it without the others.
    """

    item: Item
    adjudicator: Membership
    is_blind: bool
    filling: Filling
    reason: str = ""
    settles_flags: bool = False
    notice: Notice | None = None


@page_at("c/<slug:slug>/adjudicate/next/", name="adjudicate-next", calls=("api-adjudication-next",))
@member_page(RESULTS)
def next_(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    item_id = next_item(membership)
    if item_id is not None:
        return redirect("adjudicate-item", membership.campaign.slug, item_id)
    messages.success(request, _("Nothing left for you to decide."))
    return redirect("adjudicate", membership.campaign.slug)


def _look(desk: DecisionPage) -> HttpResponseBase:
    # if it was stored in another tab meanwhile, the page shows what was answered there
    with suppress(FirstLookRefused):
        store_first_look(item=desk.item, adjudicator=desk.adjudicator, answers=desk.filling.answers)
    return see_other("adjudicate-item", desk.adjudicator.campaign.slug, desk.item.pk)


def _decide(request: HttpRequest, desk: DecisionPage) -> HttpResponseBase:
    try:
        decided = adjudicate(
            item=desk.item,
            adjudicator=desk.adjudicator,
            answers=desk.filling.answers,
            reason=desk.reason,
            idempotency_key=desk.filling.key,
            guideline_version=_meta(request).cleaned_data["guideline_version"],
            settles_flags=desk.settles_flags,
        )
    except ReasonMissing:
        notice = Notice(_("Give a short reason."), "reason")
        return _show(request, replace(desk, notice=notice))
    except GuidelineChanged:
        text = _("The guidelines changed while this form was open. Read them, then submit.")
        return _show(request, replace(desk, notice=Notice(text)), HTTPStatus.CONFLICT)
    except KeyReused:
        text = _(
            "You already submitted this form with other answers, and that decision counts. Submit "
            "again to replace it."
        )
        again = replace(desk, filling=Filling(desk.filling.answers), notice=Notice(text))
        return _show(request, again, HTTPStatus.CONFLICT)
    titles = desk.adjudicator.campaign.annotation_protocol.titles
    messages.success(request, _("Decided: %(label)s") % {"label": titles[decided.label]})
    return see_other("adjudicate-next", desk.adjudicator.campaign.slug)


def _show(
    request: HttpRequest, desk: DecisionPage, status: HTTPStatus | None = None
) -> HttpResponse:
    context = {
        "membership": desk.adjudicator,
        "desk": desk,
        "item": desk.item,
        "page": form_page(desk.adjudicator, desk.item, desk.filling, desk.notice),
    }
    if not desk.is_blind:
        reveal_votes_for_decision(item=desk.item, member=desk.adjudicator)
        context["evidence"] = shown_evidence(desk.item, desk.adjudicator)
        context["revised"] = own_decision(desk.item, desk.adjudicator)
    refused = HTTPStatus.UNPROCESSABLE_ENTITY if desk.notice else HTTPStatus.OK
    return render(request, "adjudication/item.html", context, status=status or refused)


def _meta(request: HttpRequest) -> AdjudicationForm:
    form = AdjudicationForm(request.POST)
    if not form.is_valid():
        raise BadRequest(form.errors.as_text())
    return form
