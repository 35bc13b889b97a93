"""Calibration: the start, one item at a time with its verdict, the result.

Every step works as a plain form. What is expected of an item is on no page before it is answered.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from tasks.access.guards import MEMBERS
from tasks.access.guards.pages import BOTH, READ, WRITE, MemberPage, P, member_page
from tasks.models import CalibrationAttempt, Item, Membership
from tasks.protocols.definition import AnnotationProtocol
from tasks.protocols.wording import worded
from tasks.rating.shown.answers import ShownAnswer, shown_answer, wording_for
from tasks.rating.shown.rating_page import Filling, Notice, form_page, in_words_for, turn_of
from tasks.rating.shown.reading import shown_references
from tasks.rating.workflow.admission import what_is_missing
from tasks.training.queries import (
    AnswerCheck,
    Run,
    attempts_left,
    attempts_of,
    calibration_items,
    last_attempt,
    run_of,
)
from tasks.training.workflow import CalibrationRefused, answer_item, start_attempt
from tasks.web.addresses import page_at
from tasks.web.page import View, see_other


def calibration_page(methods: tuple[str, ...] = READ) -> Callable[[MemberPage[P]], View]:
    """A page for members who have consented, in a campaign that has calibration items."""

    def decorate(page: MemberPage[P]) -> View:
        @member_page(MEMBERS, methods)
        @wraps(page)
        def guarded(
            request: HttpRequest, membership: Membership, /, *args: P.args, **kwargs: P.kwargs
        ) -> HttpResponseBase:
            if what_is_missing(membership) == "consent":
                return redirect("consent", membership.campaign.slug)
            if not calibration_items(membership.campaign).exists():
                raise Http404
            return page(request, membership, *args, **kwargs)

        return guarded

    return decorate


@page_at(
    "c/<slug:slug>/calibration/",
    name="calibration",
    calls=("api-calibration",),
    tab="rate",
    help="training.md#calibration",
)
@calibration_page()
def calibration(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The member's step: before an attempt, within one, or after it."""
    last = last_attempt(membership)
    if last is None:
        return _show_start(request, membership, attempts=attempts_left(membership))
    run = run_of(last)
    if last.finished_at is not None:
        return _show_result(request, membership, run)
    if not run.verdicts:
        return _show_start(request, membership, attempts=attempts_left(membership) + 1)
    return _to_next(run)


@page_at(
    "c/<slug:slug>/calibration/start/",
    name="calibration-start",
    calls=("api-calibration",),
    tab="rate",
)
@calibration_page(WRITE)
def start(
    request: HttpRequest,  # noqa: ARG001 - Django's
    membership: Membership,
) -> HttpResponseBase:
    try:
        attempt = start_attempt(membership=membership)
    except CalibrationRefused:
        # the page says how the member stands
        return redirect("calibration", membership.campaign.slug)
    return _to_next(run_of(_own_attempt(membership, attempt.number)))


@page_at(
    "c/<slug:slug>/calibration/<int:number>/<int:item_id>/",
    name="calibration-item",
    calls=("api-calibration-attempt", "api-calibration-answers"),
    tab="rate",
)
@calibration_page(BOTH)
def item(
    request: HttpRequest, membership: Membership, number: int, item_id: int
) -> HttpResponseBase:
    """One item of an attempt: its form when it is its turn, its verdict once it is answered."""
    run = run_of(_own_attempt(membership, number))
    shown = next((each for each in run.items if each.pk == item_id), None)
    if shown is None:
        raise Http404
    is_answered = item_id in run.verdicts
    if not is_answered and (shown != run.next_item or run.attempt.finished_at is not None):
        return redirect("calibration", membership.campaign.slug)
    if request.method == "POST":
        return _see(run, shown) if is_answered else _answer(request, run, shown)
    if is_answered:
        return _show_verdict(request, run, shown)
    return _show_form(request, run, shown, Filling())


def _answer(request: HttpRequest, run: Run, shown: Item) -> HttpResponseBase:
    """Do what the button says with the answers in the form; none is kept before the last."""
    turn = turn_of(request, run.attempt.membership.campaign.annotation_protocol)
    if turn.action == "show":
        return _show_form(request, run, shown, Filling(turn.answers), turn.notice)
    try:
        answer_item(attempt=run.attempt, item=shown, answers=turn.answers)
    except CalibrationRefused:
        # answered in another tab meanwhile, or passed by an admin
        return redirect("calibration", run.attempt.membership.campaign.slug)
    return _see(run, shown)


def _show_start(request: HttpRequest, membership: Membership, *, attempts: int) -> HttpResponse:
    items = calibration_items(membership.campaign).count()
    context = {"membership": membership, "items": items, "attempts": attempts}
    return render(request, "training/start.html", context)


def _show_form(
    request: HttpRequest, run: Run, shown: Item, filling: Filling, notice: Notice | None = None
) -> HttpResponse:
    membership = run.attempt.membership
    context = {
        "membership": membership,
        "run": run,
        "item": shown,
        "page": in_words_for(request, form_page(membership, shown, filling, notice)),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if notice else HTTPStatus.OK
    return render(request, "training/form.html", context, status=status)


def _show_verdict(request: HttpRequest, run: Run, shown: Item) -> HttpResponse:
    membership = run.attempt.membership
    page = in_words_for(request, form_page(membership, shown, Filling()))
    context = {
        "membership": membership,
        "run": run,
        "item": shown,
        "page": page,
        "wording": page.wording,
        "verdict": shown_verdict(run.verdicts[shown.pk], page.protocol),
    }
    return render(request, "training/verdict.html", context)


def _show_result(request: HttpRequest, membership: Membership, run: Run) -> HttpResponse:
    wording = wording_for(request, membership.campaign)
    protocol = worded(membership.campaign.annotation_protocol, wording)
    context = {
        "membership": membership,
        "run": run,
        "wording": wording,
        "protocol": protocol,
        "differences": [shown_verdict(verdict, protocol) for verdict in run.differences],
        "attempts_left": attempts_left(membership),
    }
    return render(request, "training/result.html", context)


def _own_attempt(membership: Membership, number: int) -> CalibrationAttempt:
    attempt = get_object_or_404(attempts_of(membership), number=number)
    attempt.membership = membership
    return attempt


def _to_next(run: Run) -> HttpResponse:
    if run.next_item is None:
        return redirect("calibration", run.attempt.membership.campaign.slug)
    return _see(run, run.next_item)


def _see(run: Run, shown: Item) -> HttpResponse:
    slug = run.attempt.membership.campaign.slug
    return see_other("calibration-item", slug, run.attempt.number, shown.pk)


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    item: Item
    is_as_expected: bool
    given: ShownAnswer
    expected: ShownAnswer
    explanation: str

    @property
    def references(self) -> Sequence[str]:
        return shown_references(self.item.references)


def shown_verdict(verdict: AnswerCheck, protocol: AnnotationProtocol) -> ShownVerdict:
    return ShownVerdict(
        verdict.item,
        verdict.is_as_expected,
        shown_answer(verdict.given, protocol),
        shown_answer(verdict.expected, protocol),
        verdict.explanation,
    )
