"""The people of a campaign: new accounts, existing ones, roles, deactivation."""

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from tasks.forms import AddMemberForm, MemberForm, NewMemberForm
from tasks.models import Membership
from tasks.views.access import ADMIN, member_page
from tasks.views.settings import settings_page
from tasks.workflow.campaign import CampaignError, add_member, create_member


@require_POST
@never_cache
@member_page(*ADMIN)
def new(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """A new account. Its password and token are on the answer to this request and nowhere else."""
    form = NewMemberForm(request.POST, auto_id="new-%s")
    if not form.is_valid():
        return settings_page(request, membership, new_form=form)
    username = form.cleaned_data["username"]
    try:
        password, token = create_member(
            campaign=membership.campaign, username=username, role=form.cleaned_data["role"]
        )
    except (CampaignError, ValidationError) as error:
        text = " ".join(error.messages) if isinstance(error, ValidationError) else str(error)
        form.add_error("username", text)
        return settings_page(request, membership, new_form=form)
    secrets = {"username": username, "password": password, "token": token}
    return settings_page(request, membership, secrets=secrets)


@require_POST
@member_page(*ADMIN)
def add(request: HttpRequest, membership: Membership) -> HttpResponseBase:
    """An account that exists becomes a member."""
    form = AddMemberForm(request.POST, auto_id="add-%s")
    if not form.is_valid():
        return settings_page(request, membership, add_form=form)
    user, role = form.cleaned_data["user"], form.cleaned_data["role"]
    added = add_member(campaign=membership.campaign, user=user, role=role)
    messages.success(request, _("%(name)s is a member.") % {"name": added.name})
    return redirect("settings", membership.campaign.slug)


@require_POST
@member_page(*ADMIN)
def change(request: HttpRequest, membership: Membership, member_id: int) -> HttpResponseBase:
    """Another role, or active or not. Nobody locks themselves out."""
    member = Membership.objects.filter(campaign=membership.campaign, pk=member_id).first()
    if member is None:
        raise Http404
    form = MemberForm(request.POST, instance=member)
    if member == membership:
        messages.error(request, _("You cannot change your own membership. Ask another admin."))
    elif form.is_valid():
        form.save()
        messages.success(request, _("%(name)s is changed.") % {"name": member.name})
    else:
        messages.error(request, _("There is no such role."))
    return redirect("settings", membership.campaign.slug)
