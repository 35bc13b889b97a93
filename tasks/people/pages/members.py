"""The people of a campaign: who they are, what they may do, and how more of them come in."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.confirmation import asks_again, makes_admin
from tasks.access.guards.pages import WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.campaigns.workflow.campaign import CampaignError, create_member, own_username
from tasks.models import Membership, Role
from tasks.people.forms import AddMemberForm, InvitationForm, NewMemberForm
from tasks.people.queries.invitations import open_invitations
from tasks.people.queries.members import account_to_admit, members_of
from tasks.people.queries.personal_invitations import unanswered_in
from tasks.people.workflow.members import (
    IsMember,
    MemberRefused,
    NoSuchAccount,
    TooManyInvited,
    WasMember,
    admit,
)
from tasks.people.workflow.personal_invitations import invite_person
from tasks.web.addresses import Tab, page_at
from tasks.web.page import page_with_forms

PAGE_SIZE = 100


@page_at(
    "c/<slug:slug>/settings/members/",
    name="members",
    calls=("api-members", "api-invitations"),
    tab=Tab(120, gettext_lazy("People"), ADMIN),
    help="people.md",
)
@member_page(ADMIN)
def members(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    return members_page(request, membership)


@page_at("c/<slug:slug>/settings/members/new/", name="member-new", calls=("api-members",))
@member_page(ADMIN, WRITE)
@asks_again(makes_admin)
def new(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """A new account. Its password and token are on the answer to this request and nowhere else."""
    form = NewMemberForm(request.POST, auto_id="new-%s")
    if not form.is_valid():
        return members_page(request, membership, new_form=form)
    wished = form.cleaned_data["username"]
    try:
        username = wished if _is_operator(membership) else own_username(wished)
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
@asks_again(makes_admin)
def add(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """The account of a name is invited, and may decline. Who invites sees the same if there is
    none. Operators of the site add it unasked."""
    form = AddMemberForm(request.POST, auto_id="add-%s")
    if not form.is_valid():
        return members_page(request, membership, add_form=form)
    try:
        text = (_admit if _is_operator(membership) else _invite)(membership, **form.cleaned_data)
    except MemberRefused as refused:
        form.add_error("username", _WHY[type(refused)])
        return members_page(request, membership, add_form=form)
    messages.success(request, text)
    return redirect("members", membership.campaign.slug)


def _admit(membership: Membership, username: str, role: str) -> str:
    user = account_to_admit(username)
    if user is None:
        raise NoSuchAccount
    added = admit(campaign=membership.campaign, user=user, role=role)
    return _("%(name)s is a member.") % {"name": added.name}


def _invite(membership: Membership, username: str, role: str) -> str:
    invite_person(campaign=membership.campaign, name=username, role=role, by=membership.user)
    text = _("If there is an account %(name)s, it is invited. You see here once it has accepted.")
    return text % {"name": username}


def _is_operator(membership: Membership) -> bool:
    return membership.user is not None and membership.user.is_operator


_WHY = {
    IsMember: gettext_lazy("This account is already a member."),
    WasMember: gettext_lazy("This account was a member. Reactivate it on its page."),
    NoSuchAccount: gettext_lazy("There is no account with this name."),
    TooManyInvited: gettext_lazy("Too many invitations are waiting. Withdraw some first."),
}


def members_page(request: HttpRequest, membership: Membership, **changes: object) -> HttpResponse:
    """The page with all its forms; `changes` replace those that came back with errors."""
    campaign = membership.campaign
    context = {
        "membership": membership,
        "page": Paginator(members_of(campaign), PAGE_SIZE).get_page(request.GET.get("page")),
        "invitations": open_invitations(campaign),
        "invited": unanswered_in(campaign),
        "new_form": NewMemberForm(auto_id="new-%s", initial={"role": Role.RATER}),
        "add_form": AddMemberForm(auto_id="add-%s", initial={"role": Role.RATER}),
        "invitation_form": InvitationForm(auto_id="invite-%s"),
        **changes,
    }
    return page_with_forms(request, "people/members.html", context)
