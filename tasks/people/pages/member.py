"""One member: role, quota, pause, leaving and coming back, a way back to a lost password."""

from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tasks.access.guards.pages import BOTH, member_page
from tasks.access.guards.roles import ADMIN
from tasks.models import Membership
from tasks.people.forms import DeactivationForm, MemberForm
from tasks.people.queries.members import members_of
from tasks.people.workflow import members as workflow
from tasks.storing.in_the_way import InTheWay
from tasks.votes.progress import ratings_by
from tasks.votes.set_aside import set_aside_of
from tasks.web.addresses import page_at
from tasks.web.public_address import public_address

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
    found = get_object_or_404(members_of(membership.campaign), pk=member_id, user__isnull=False)
    if request.method != "POST":
        return _page(request, membership, found)
    action = _ACTIONS.get(request.POST.get("action", ""))
    if action is None:
        raise BadRequest("no such action")
    try:
        return action(request, membership, found)
    except (workflow.MemberRefused, InTheWay) as refusal:
        found.refresh_from_db()
        text = str(_REFUSALS[type(refusal)])
        return _page(request, membership, found, refusal=text, status=HTTPStatus.CONFLICT)


def _change(request: HttpRequest, membership: Membership, found: Membership) -> HttpResponseBase:
    # the form works on a copy: the workflow compares with what is there
    form = MemberForm(request.POST, instance=Membership.objects.get(pk=found.pk))
    if not form.is_valid():
        return _page(request, membership, found, form=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    fields = form.cleaned_data
    workflow.change_member(member=found, role=fields["role"], quota=fields["quota"])
    return _done(request, membership, found, _("%(name)s has been changed."))


def _pause(request: HttpRequest, membership: Membership, found: Membership) -> HttpResponseBase:
    workflow.set_paused(member=found, is_paused=True)
    return _done(request, membership, found, _("%(name)s gets no new items."))


def _resume(request: HttpRequest, membership: Membership, found: Membership) -> HttpResponseBase:
    workflow.set_paused(member=found, is_paused=False)
    return _done(request, membership, found, _("%(name)s gets items again."))


def _deactivate(
    request: HttpRequest, membership: Membership, found: Membership
) -> HttpResponseBase:
    form = DeactivationForm(request.POST)
    if not form.is_valid():
        status = HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, membership, found, deactivation_form=form, status=status)
    reason = form.cleaned_data["reason"] if form.cleaned_data["set_aside"] else ""
    wanted = {"active": False, "set_aside": reason}
    workflow.update_member(member=found, wanted=wanted, by=membership)
    return _done(request, membership, found, _("%(name)s can no longer open the campaign."))


def _reactivate(
    request: HttpRequest, membership: Membership, found: Membership
) -> HttpResponseBase:
    workflow.reactivate(member=found)
    return _done(request, membership, found, _("%(name)s can open the campaign again."))


def _reset_password(
    request: HttpRequest, membership: Membership, found: Membership
) -> HttpResponseBase:
    """The link is on the answer to this request and nowhere else."""
    uid, token = workflow.password_reset(member=found, by=membership)
    link = public_address(reverse("password_reset_confirm", args=[uid, token]), request)
    return _page(request, membership, found, reset_link=link)


_ACTIONS = {
    "change": _change,
    "pause": _pause,
    "resume": _resume,
    "deactivate": _deactivate,
    "reactivate": _reactivate,
    "reset-password": _reset_password,
}


def _page(
    request: HttpRequest,
    membership: Membership,
    found: Membership,
    status: HTTPStatus = HTTPStatus.OK,
    **changes: object,
) -> HttpResponse:
    context = {
        "membership": membership,
        "member": found,
        "ratings": ratings_by(found),
        "set_aside": set_aside_of(found),
        "form": MemberForm(instance=found),
        "deactivation_form": DeactivationForm(),
        **changes,
    }
    return render(request, "people/member.html", context, status=status)


def _done(
    request: HttpRequest, membership: Membership, found: Membership, text: str
) -> HttpResponseBase:
    messages.success(request, text % {"name": found.name})
    if found == membership and not (found.is_active and found.role == membership.role):
        return redirect("home")  # an admin who left or stepped down may not see the page
    return redirect("member", membership.campaign.slug, found.pk)
