"""The people of a campaign: who they are, what they may do, and how more of them come in."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import WRITE, member_page
from tasks.access.guards.roles import ADMIN
from tasks.campaigns.workflow.campaign import CampaignError, create_member
from tasks.models import Membership, Role
from tasks.people.forms import AddMemberForm, InvitationForm, NewMemberForm
from tasks.people.queries.invitations import open_invitations
from tasks.people.queries.members import members_of
from tasks.people.workflow.members import IsMember, admit
from tasks.web.addresses import Section, Tab, page_at
from tasks.web.page import page_with_forms

PAGE_SIZE = 100


@page_at(
    "c/<slug:slug>/settings/members/",
    name="members",
    calls=("api-members", "api-invitations"),
    tab=Tab(120, gettext_lazy("People"), ADMIN),
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
    """An account that exists becomes a member, unasked: operators of the site alone may do that.

    Others would learn by it who has an account here.
    """
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
