"""The start of a campaign, with the form of the chosen protocol to be tried beside it."""

from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from tasks.access.guards.pages import user_page
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.home.forms import NewCampaignForm
from tasks.models import Campaign, Item, Membership, Question, User
from tasks.protocols import protocols
from tasks.protocols.definition import AnnotationProtocol, Answers, AnswersError
from tasks.rating.shown.form_answers import answers_in
from tasks.rating.shown.rating_page import Filling, RatingPage, form_page
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms


class Trial(NamedTuple):
    """The form of a protocol with its example; `label` is the title of the one it ended in."""

    page: RatingPage
    label: str


@page_at(
    "campaigns/new/",
    name="campaign-new",
    calls=("api-campaigns",),
    help="campaigns.md#a-new-campaign",
)
@require_http_methods(["GET", "HEAD", "POST"])
@user_page
def campaign_new(request: HttpRequest, user: User) -> HttpResponseBase:
    """Staff start campaigns and become their admins. The query chooses the protocol that is tried,
    and holds what has been answered in its form."""
    if not user.is_staff:
        raise PermissionDenied
    chosen = request.POST.get("protocol") or request.GET.get("protocol") or ""
    protocol = protocols().get(chosen) or next(iter(protocols().values()))
    form = NewCampaignForm(request.POST or None, initial={"protocol": protocol.name})
    if form.is_valid():
        campaign = create_campaign(**form.cleaned_data, created_by=user)
        return redirect("overview", campaign.slug)
    context = {"form": form, "trial": _trial(protocol, request.GET)}
    return page_with_forms(request, "home/campaign_new.html", context)


def _trial(protocol: AnnotationProtocol, query: QueryDict) -> Trial:
    """As a rater of a campaign sees it that is never stored."""
    example = protocol.example
    item = Item(
        question=Question(text=example.question, context=example.context),
        references=[example.reference],
        candidate=example.candidate,
    )
    answers = _answers(protocol, query)
    member = Membership(campaign=Campaign(protocol=protocol.name))
    page = form_page(member, item, Filling(answers))
    is_sent = query.get("action") == "submit" and page.is_complete
    return Trial(page, protocol.titles[protocol.outcome(answers).label] if is_sent else "")


def _answers(protocol: AnnotationProtocol, query: QueryDict) -> Answers:
    try:
        answers = protocol.cut(answers_in(query, protocol))
    except AnswersError:  # of another protocol, or typed into the address
        return {}
    if query.get("action") == "previous":
        return protocol.before(query.get("asked", ""), answers) or {}
    return answers
