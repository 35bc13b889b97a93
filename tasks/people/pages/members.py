"""The people of a campaign, and each of them: role, quota, pause, leaving, password."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest, PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards import ADMIN
from tasks.access.guards.pages import BOTH, WRITE, member_page
from tasks.campaigns.workflow.campaign import CampaignError, create_member
from tasks.models import Membership, Role
from tasks.people.forms import (
    AddMemberForm,
    DeactivationForm,
    InvitationForm,
    MemberForm,
    NewMemberForm,
)
from tasks.people.queries import members_of, open_invitations
from tasks.people.workflow import members as workflow
from tasks.people.workflow.members import IsMember, admit
from tasks.storing.refusals import InTheWay
from tasks.votes.items import ratings_by
from tasks.votes.ratings import set_aside_of
from tasks.web.addresses import Section, Tab, page_at
from tasks.web.outgoing import public_address
from tasks.web.page import page_with_forms

PAGE_SIZE = 100


@page_at(
    "c/<slug:slug>/settings/members/",
    name="members",
    calls=("api-members", "api-invitations"),
    tab=Tab(gettext_lazy("People"), ADMIN),
    sections=[Section("invitations", gettext_lazy("Invite raters"))],
    help="people.md",
)
@member_page(ADMIN)
def members(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    return members_page(request, membership)


@page_at("c/<slug:slug>/settings/members/new/", name="member-new", calls=("api-members",))
@member_page(ADMIN, WRITE)
def new(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """A new account. Its password and token are on the answer to this request and nowhere else."""
    form = NewMemberForm(request.POST, auto_id="new-%s")
    if not form.is_valid():
        return members_page(request, membership, new_form=form)
    username = form.cleaned_data["username"]
    try:
        password, token = create_member(
            campaign=membership.campaign, username=username, role=form.cleaned_data["role"]
        )
    except (CampaignError, ValidationError) as error:
        text = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
        form.add_error("username", text)
        return members_page(request, membership, new_form=form)
    secrets = {"username": username, "password": password, "token": token}
    return members_page(request, membership, secrets=secrets)


@page_at("c/<slug:slug>/settings/members/add/", name="member-add", calls=("api-members",))
@member_page(ADMIN, WRITE)
def add(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """An account that exists becomes a member, unasked."""
    # others than operators of the site would learn by it who has an account here
    if membership.user is None or not membership.user.is_operator:
        raise PermissionDenied
    form = AddMemberForm(request.POST, auto_id="add-%s")
    if not form.is_valid():
        return members_page(request, membership, add_form=form)
    user, role = form.cleaned_data["user"], form.cleaned_data["role"]
    try:
        added = admit(campaign=membership.campaign, user=user, role=role)
    except IsMember:
        form.add_error("username", _("This account is already a member."))
        return members_page(request, membership, add_form=form)
    messages.success(request, _("%(name)s is a member.") % {"name": added.name})
    return redirect("members", membership.campaign.slug)


def members_page(request: HttpRequest, membership: Membership, **changes: object) -> HttpResponse:
    """The page with all its forms; `changes` replace those that came back with errors."""
    campaign = membership.campaign
    context = {
        "membership": membership,
        "page": Paginator(members_of(campaign), PAGE_SIZE).get_page(request.GET.get("page")),
        "invitations": open_invitations(campaign).filter(address=""),
        "new_form": NewMemberForm(auto_id="new-%s", initial={"role": Role.RATER}),
        "add_form": AddMemberForm(auto_id="add-%s", initial={"role": Role.RATER}),
        "invitation_form": InvitationForm(auto_id="invite-%s"),
        **changes,
    }
    return page_with_forms(request, "people/members.html", context)


_REFUSALS: dict[type[Exception], Any] = {
    InTheWay: gettext_lazy("Others are working on these items right now. Try again."),
    workflow.LastAdmin: gettext_lazy(
        "A campaign needs at least one active admin. Make somebody else an admin first."
    ),
    workflow.VisitorStaysRater: gettext_lazy("Visitors of a crowd service can only be raters."),
    workflow.NoStandingToReset: gettext_lazy(
        "You cannot make a link for this account, because it can open more than the campaigns you"
        " administer."
    ),
    workflow.OwnPassword: gettext_lazy(
        "This is your own account. Change its password under My account, with the old one."
    ),
}


@page_at("c/<slug:slug>/settings/members/<int:member_id>/", name="member", calls=("api-member",))
@member_page(ADMIN, BOTH, while_archived=True)
def member(request: HttpRequest, membership: Membership, member_id: int) -> HttpResponseBase:
    """A member of the admin's own campaign; a POST does the one action it names."""
    person = get_object_or_404(members_of(membership.campaign), pk=member_id, user__isnull=False)
    if request.method != "POST":
        return _page(request, membership, person)
    name = request.POST.get("action", "")
    if name not in _ACTIONS and name not in _SIMPLE_ACTIONS:
        raise BadRequest("no such action")
    try:
        if name in _ACTIONS:
            return _ACTIONS[name](request, membership, person)
        act, text = _SIMPLE_ACTIONS[name]
        act(member=person)
        return _done(request, membership, person, str(text))
    except (workflow.MemberRefused, InTheWay) as refusal:
        person.refresh_from_db()
        text = str(_REFUSALS[type(refusal)])
        return _page(request, membership, person, refusal=text, status=HTTPStatus.CONFLICT)


def _change(request: HttpRequest, membership: Membership, person: Membership) -> HttpResponseBase:
    # the form works on a copy: the workflow compares with what is there
    form = MemberForm(request.POST, instance=Membership.objects.get(pk=person.pk))
    if not form.is_valid():
        return _page(request, membership, person, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    fields = form.cleaned_data
    workflow.change_member(member=person, role=fields["role"], quota=fields["quota"])
    return _done(request, membership, person, _("%(name)s has been changed."))


def _deactivate(
    request: HttpRequest, membership: Membership, person: Membership
) -> HttpResponseBase:
    form = DeactivationForm(request.POST)
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, membership, person, deactivation_form=form, status=status)
    reason = form.cleaned_data["reason"] if form.cleaned_data["set_aside"] else ""
    wanted = {"active": False, "set_aside": reason}
    workflow.update_member(member=person, wanted=wanted, by=membership)
    return _done(request, membership, person, _("%(name)s can no longer open the campaign."))


def _reset_password(
    request: HttpRequest, membership: Membership, person: Membership
) -> HttpResponseBase:
    """The link is on the answer to this request and nowhere else."""
    uid, token = workflow.password_reset(member=person, by=membership)
    link = public_address(reverse("password_reset_confirm", args=[uid, token]), request)
    return _page(request, membership, person, reset_link=link)


_ACTIONS = {
    "change": _change,
    "deactivate": _deactivate,
    "reset-password": _reset_password,
}
_SIMPLE_ACTIONS: dict[str, tuple[Callable[..., None], Any]] = {
    "pause": (
        partial(workflow.set_paused, is_paused=True),
        gettext_lazy("%(name)s gets no new items."),
    ),
    "resume": (
        partial(workflow.set_paused, is_paused=False),
        gettext_lazy("%(name)s gets items again."),
    ),
    "reactivate": (workflow.reactivate, gettext_lazy("%(name)s can open the campaign again.")),
}


def _page(
    request: HttpRequest,
    membership: Membership,
    person: Membership,
    status: HTTPStatus = HTTPStatus.OK,
    **changes: object,
) -> HttpResponse:
    context = {
        "membership": membership,
        "member": person,
        "ratings": ratings_by(person),
        "set_aside": set_aside_of(person),
        "form": MemberForm(instance=person),
        "deactivation_form": DeactivationForm(),
        **changes,
    }
    return render(request, "people/member.html", context, status=status)


def _done(
    request: HttpRequest, membership: Membership, person: Membership, text: str
) -> HttpResponseBase:
    messages.success(request, text % {"name": person.name})
    if person == membership and not (person.is_active and person.role == membership.role):
        return redirect("home")  # an admin who left or stepped down may not see the page
    return redirect("member", membership.campaign.slug, person.pk)
