"""Tokens for one's own programs: a new one, and the end of one."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from tasks.access.forms import TokenForm
from tasks.access.guards.pages import account_page
from tasks.access.pages.account import account_shown, knows_password
from tasks.access.pages.confirmation import password_asked
from tasks.access.workflow.tokens import make_token, revoke_token
from tasks.models import ApiToken, User
from tasks.web.addresses import page_at


@page_at("account/tokens/", name="token-new", calls=("api-tokens",))
@require_POST
@sensitive_post_parameters()
@account_page
def make(request: HttpRequest, user: User) -> HttpResponseBase:
    """A new token, given the password: who finds an open browser must not take it along.

    The key is on the answer to this request and nowhere else.
    """
    form = TokenForm(user, request.POST, auto_id="token-%s")
    if not form.is_valid() or not knows_password(request, user, form):
        return account_shown(request, user, form)
    given = form.cleaned_data
    _token, key = make_token(
        user=user,
        name=given["name"],
        scopes=given["scopes"],
        campaign=given["campaign"],
        days=given["days"],
    )
    return account_shown(request, user, key=key)


@page_at("account/tokens/<int:token_id>/revoke/", name="token-revoke", calls=("api-token",))
@require_POST
@sensitive_post_parameters()
@account_page
def revoke(request: HttpRequest, user: User, token_id: int) -> HttpResponseBase:
    """Revoke one's own token, given the password."""
    token = get_object_or_404(ApiToken, user=user, pk=token_id)
    if asked := password_asked(request, user):
        return asked
    revoke_token(token=token)
    messages.success(request, _("The token is revoked."))
    return redirect("account")
