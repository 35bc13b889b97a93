"""Rating: the next item, one's own earlier ones, drafts. Every step works as a plain form."""

from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
)
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import HttpResponseClientRedirect, replace_url

from tasks.access.guards import MEMBERS
from tasks.access.guards.pages import BOTH, WRITE, is_htmx, member_page
from tasks.models import Assignment, AssignmentState, Membership
from tasks.protocols.definition import AnswersError
from tasks.rating.forms import GoOnForm, SkipForm, SubmissionForm
from tasks.rating.queries.own_work import own_counts, view_to_close, was_submitted
from tasks.rating.shown.answers import answers_in, wording_for
from tasks.rating.shown.rating_page import (
    Filling,
    Notice,
    RatingPage,
    SeenSuggestion,
    in_words_for,
    saved_filling,
    stored_rating,
)
from tasks.rating.workflow.admission import NotAdmitted
from tasks.rating.workflow.assignment import Paused, claim_following, claim_item
from tasks.rating.workflow.rating import (
    GivenBack,
    GuidelineChanged,
    KeyReused,
    save_draft,
    show_before,
    submit_rating,
)
from tasks.rating.workflow.records import close_view, note_shown, note_shown_after
from tasks.votes import items
from tasks.votes.items import quota_of
from tasks.votes.workflow import skip_item
from tasks.web.addresses import Tab, page_at
from tasks.web.page import see_other


@page_at(
    "c/<slug:slug>/rate/",
    name="rate",
    calls=("api-claim", "api-campaign"),
    tab=Tab(gettext_lazy("Rate"), MEMBERS),
    help="rating.md",
)
@member_page(MEMBERS)
def rate(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The rater's next item, or the one they hold already."""
    return _next_item(request, membership, just_rated=request.GET.get("rated", ""))


@page_at(
    "c/<slug:slug>/rate/<int:assignment_id>/",
    name="rate-assignment",
    calls=("api-assignment", "api-rating", "api-draft", "api-skip"),
)
@member_page(MEMBERS, BOTH)
def rate_assignment(
    request: HttpRequest, membership: Membership, assignment_id: int
) -> HttpResponseBase:
    """One assignment of the rater: an open one, or a rated one to revise."""
    try:
        assignment = items.own_assignment(membership, assignment_id)
    except Assignment.DoesNotExist:
        return _given_back(request, membership, assignment_id)
    if request.method != "POST":
        return _show(request, RatingPage(assignment, saved_filling(assignment)))
    action = _ACTIONS.get(request.POST.get("action", ""))
    if action is None:
        raise BadRequest("no such action")
    return action(request, assignment)


@page_at(
    "c/<slug:slug>/rate/<int:assignment_id>/following/", name="following", calls=("api-following",)
)
@member_page(MEMBERS, WRITE)
def following(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponseBase:
    """The item after this one, for the page to show the moment this one is rated."""
    try:
        claim = claim_following(assignment=own_assignment(membership, assignment_id))
    except (Paused, NotAdmitted):
        claim = None
    if claim is None:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    assignment = items.assignment_to_rate(claim.assignment_id)
    page = RatingPage(assignment, saved_filling(assignment), follows=assignment_id)
    context = {"page": in_words_for(request, page), "template": "rating/following.html"}
    return _render(request, membership, context)


@page_at("c/<slug:slug>/rate/<int:assignment_id>/go-on/", name="rate-go-on", calls=("api-go-on",))
@member_page(MEMBERS, WRITE)
def go_on(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponseBase:
    """From the suggestion that followed an answer to the next item."""
    assignment = own_assignment(membership, assignment_id)
    form = GoOnForm(request.POST)
    if not form.is_valid():
        raise BadRequest(form.errors.as_text())
    close_view(assignment_id=assignment.pk)
    return _to_next_item(request, membership, shown=form.cleaned_data["shown"])


@page_at("c/<slug:slug>/rate/<int:assignment_id>/draft/", name="draft", calls=("api-draft",))
@member_page(MEMBERS, WRITE)
def draft(request: HttpRequest, membership: Membership, assignment_id: int) -> HttpResponseBase:
    """Keep what the form holds. A form that has been submitted leaves no draft behind."""
    try:
        assignment = items.own_assignment(membership, assignment_id)
    except Assignment.DoesNotExist:
        return _given_back(request, membership, assignment_id)
    filling = _filling(request, assignment)
    if not was_submitted(assignment, filling.key):
        _keep(assignment, filling)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


def _submit(request: HttpRequest, assignment: Assignment) -> HttpResponseBase:
    filling = _filling(request, assignment)
    page = RatingPage(assignment, filling)
    if filling.was_cut or not page.is_complete:
        _keep(assignment, filling)
        page = _unanswered(page)
        if filling.was_cut:
            text = _(
                "One of your answers rules out questions that you had answered. Those answers have "
                "been removed: check again, then submit."
            )
            page = RatingPage(assignment, filling, Notice(text))
        return _show(request, page, HTTPStatus.UNPROCESSABLE_ENTITY)
    try:
        submit_rating(
            assignment_id=assignment.pk,
            membership=assignment.rater,
            answers=filling.answers,
            idempotency_key=filling.key,
            guideline_version=_meta(request).cleaned_data["guideline_version"],
            seconds=filling.seconds,
            remarks=filling.remarks,
        )
    except GuidelineChanged:
        text = _(
            "The guidelines changed while this form was open. Your answers are kept: please read "
            "the new guidelines, then submit."
        )
        page = RatingPage(assignment, filling, Notice(text, "guidelines"))
        return _show(request, page, HTTPStatus.CONFLICT)
    except KeyReused:
        text = _(
            "You already submitted this form with other answers, and that rating counts. Submit "
            "again to replace it."
        )
        again = Filling(filling.answers, filling.remarks, filling.seconds)
        return _show(request, RatingPage(assignment, again, Notice(text)), HTTPStatus.CONFLICT)
    except GivenBack:
        return _given_back(request, assignment.rater, assignment.pk)
    shown = _meta(request).cleaned_data["shown"]
    return _to_next_item(request, assignment.rater, just_rated=str(assignment.pk), shown=shown)


def _next_question(request: HttpRequest, assignment: Assignment) -> HttpResponseBase:
    """Without JavaScript: keep the answer and show the question that follows from it."""
    filling = _filling(request, assignment)
    _keep(assignment, filling)
    if _meta(request).cleaned_data["asked"] not in filling.answers:
        page = _unanswered(RatingPage(assignment, filling))
        return _show(request, page, HTTPStatus.UNPROCESSABLE_ENTITY)
    return see_other(_address(assignment))


def _previous(request: HttpRequest, assignment: Assignment) -> HttpResponseBase:
    """Ask the question before again; before the first one, go to the rating before this."""
    filling = _filling(request, assignment)
    asked = _meta(request).cleaned_data["asked"]
    answers = assignment.rater.campaign.annotation_protocol.before(asked, filling.answers)
    if answers is not None:
        _keep(assignment, Filling(answers, filling.remarks, filling.seconds))
        return see_other(_address(assignment))
    earlier = RatingPage(assignment, filling).previous
    return see_other(_address(assignment, earlier))


def _skip(request: HttpRequest, assignment: Assignment) -> HttpResponseBase:
    form = SkipForm(request.POST)
    if not form.is_valid():
        page = RatingPage(
            assignment, saved_filling(assignment), Notice(_("Give a short reason for skipping it."))
        )
        return _show(request, page, HTTPStatus.UNPROCESSABLE_ENTITY)
    skip_item(assignment=assignment, reason=form.cleaned_data["reason"])
    return _to_next_item(request, assignment.rater)


_ACTIONS = {"submit": _submit, "next": _next_question, "previous": _previous, "skip": _skip}


def _next_item(
    request: HttpRequest, membership: Membership, *, just_rated: str = "", shown: int | None = None
) -> HttpResponseBase:
    """The next item, or word that it is the one the page shows already; before it, the suggestion
    for the item just rated, if the rater is to see it now."""
    wording = wording_for(request, membership.campaign)
    if view := view_to_close(membership):
        note_shown_after(view)
        seen = SeenSuggestion(view, membership, wording)
        return _render(request, membership, {"fragment": "rating/suggested.html", "seen": seen})
    context: dict[str, object] = {"stored": stored_rating(membership, just_rated, wording)}
    try:
        claim = claim_item(membership=membership)
    except NotAdmitted as refusal:
        address = reverse(refusal.missing, args=[refusal.slug])
        return HttpResponseClientRedirect(address) if is_htmx(request) else redirect(address)
    except Paused:
        return _render(request, membership, {**context, "fragment": "rating/paused.html"})
    if claim is None:
        return _render(request, membership, {**context, "fragment": "rating/done.html"})
    if claim.assignment_id == shown:
        # it was fetched ahead, and now it is its turn
        item_id = claim.item.id
        show_before(membership.campaign, assignment_id=claim.assignment_id, item_id=item_id)
        return _render(request, membership, {**context, "template": "rating/acknowledged.html"})
    assignment = items.assignment_to_rate(claim.assignment_id)
    page = in_words_for(request, RatingPage(assignment, saved_filling(assignment)))
    _note_suggestion(page)
    return _render(request, membership, {**context, "fragment": "rating/item.html", "page": page})


def _to_next_item(
    request: HttpRequest, membership: Membership, *, just_rated: str = "", shown: int | None = None
) -> HttpResponseBase:
    """The next item at once for htmx; for a plain form a redirect, so that reload is harmless."""
    address = reverse("rate", args=[membership.campaign.slug])
    if is_htmx(request):
        response = _next_item(request, membership, just_rated=just_rated, shown=shown)
        assert isinstance(response, HttpResponse)  # noqa: S101 - a rendered fragment
        return replace_url(response, address)
    return see_other(f"{address}?rated={just_rated}" if just_rated else address)


def _show(
    request: HttpRequest, page: RatingPage, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    _note_suggestion(page)
    context = {"fragment": "rating/item.html", "page": in_words_for(request, page)}
    return _render(request, page.membership, context, status)


def _note_suggestion(page: RatingPage) -> None:
    if page.suggestion:
        note_shown(assignment_id=page.assignment.pk, suggestion=page.suggestion)


def _render(
    request: HttpRequest,
    membership: Membership,
    context: dict[str, object],
    status: HTTPStatus = HTTPStatus.OK,
) -> HttpResponse:
    """The fragment alone for htmx, else the page around it, unless a template is named."""
    template = "rating/fragment.html" if is_htmx(request) else "rating/page.html"
    counts = own_counts(membership)
    context |= {
        "membership": membership,
        "mine": counts.rated,
        "unread": counts.unread,
        "quota": quota_of(membership),
    }
    return render(request, str(context.get("template", template)), context, status=status)


def own_assignment(membership: Membership, assignment_id: int) -> Assignment:
    """The member's assignment, open or rated. Raises Http404 for anybody else's."""
    try:
        return items.own_assignment(membership, assignment_id)
    except Assignment.DoesNotExist:
        raise Http404 from None


def _given_back(
    request: HttpRequest, membership: Membership, assignment_id: int
) -> HttpResponseBase:
    """Word that the item went back to the others. Raises Http404 if it never was the member's."""
    own = Assignment.objects.filter(pk=assignment_id, rater=membership)
    if not own.filter(state=AssignmentState.SKIPPED).exists():
        raise Http404
    return _render(request, membership, {"fragment": "rating/gone.html"}, HTTPStatus.CONFLICT)


def _meta(request: HttpRequest) -> SubmissionForm:
    form = SubmissionForm(request.POST)
    if not form.is_valid():
        raise BadRequest(form.errors.as_text())
    return form


def _filling(request: HttpRequest, assignment: Assignment) -> Filling:
    form = _meta(request)
    protocol = assignment.rater.campaign.annotation_protocol
    try:
        given = answers_in(request.POST, protocol)
    except AnswersError as error:
        raise BadRequest(str(error)) from error
    answers = protocol.cut(given)
    return Filling(
        answers,
        form.remarks,
        form.cleaned_data["seconds"],
        form.cleaned_data["idempotency_key"],
        was_cut=answers != given,
    )


def _keep(assignment: Assignment, filling: Filling) -> None:
    save_draft(
        assignment=assignment,
        answers=filling.answers,
        seconds=filling.seconds,
        remarks=filling.remarks,
    )


def _unanswered(page: RatingPage) -> RatingPage:
    notice = Notice(_("Choose an answer to this question first."), question=page.asked.key)
    return RatingPage(page.assignment, page.filling, notice)


def _address(assignment: Assignment, other: int | None = None) -> str:
    return reverse("rate-assignment", args=[assignment.rater.campaign.slug, other or assignment.pk])
