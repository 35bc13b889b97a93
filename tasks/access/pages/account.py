"""One's own account: e-mail address, password, second factor, tokens."""

import io
import time
from base64 import b32encode
from collections.abc import Callable
from typing import Final

from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, update_session_auth_hash
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language
from django_otp.plugins.otp_totp.models import TOTPDevice

from tasks.access import workflow
from tasks.access.forms import (
    CodeForm,
    EmailForm,
    MessageMailsForm,
    PasswordForm,
    SecuredForm,
    TokenForm,
)
from tasks.access.guards.logins import verify_code
from tasks.access.guards.pages import account_page
from tasks.access.pages.login import refuse_code
from tasks.access.queries import app_of, live_tokens, recovery_codes_left, unconfirmed_app_of
from tasks.access.workflow import (
    choose_language,
    make_token,
    revoke_token,
    set_email,
    set_message_mails,
)
from tasks.models import ApiToken, User
from tasks.web.addresses import page_at
from tasks.web.page import page_with_forms

SETUP_SECONDS: Final = 600
"""The time for which a secret is shown and may be confirmed after the password."""
_SETUP: Final = "second_factor_setup"


@page_at(
    "account/", name="account", calls=("api-account", "api-tokens"), help="people.md#passwords"
)
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@account_page
def account(request: HttpRequest, user: User) -> HttpResponseBase:
    form = EmailForm(request.POST or None, initial={"email": user.email})
    if form.is_valid() and knows_password(request, user, form):
        set_email(user=user, email=form.cleaned_data["email"])
        messages.success(request, _("Your e-mail address is saved."))
        return redirect("account")
    return account_shown(request, user, form)


def account_shown(
    request: HttpRequest, user: User, refused: forms.Form | None = None, key: str = ""
) -> HttpResponse:
    """The page with all its forms. `refused` came back with errors; `key` is of a new token."""
    usual = {
        "form": EmailForm(initial={"email": user.email}),
        "mails_form": MessageMailsForm(user, initial={"message_mails": user.message_mails}),
        "token_form": TokenForm(user, auto_id="token-%s"),
    }
    own = "form"
    if isinstance(refused, TokenForm | MessageMailsForm):
        own = "token_form" if isinstance(refused, TokenForm) else "mails_form"
    context = {
        **(usual | ({own: refused} if refused else {})),
        "has_app": app_of(user) is not None,
        "tokens": live_tokens(user),
        "key": key,
        "sends_mail": settings.SENDS_MAIL,
    }
    return page_with_forms(request, "access/account.html", context)


@page_at("language/", name="language", calls=("api-account",))
def language(request: HttpRequest) -> HttpResponse:
    """The language of pages in this browser and, of somebody who is logged in, of mails."""
    chosen = request.POST.get("language", "")
    if isinstance(request.user, User) and chosen in dict(settings.LANGUAGES):
        choose_language(user=request.user, language=chosen)
    return set_language(request)


@page_at("account/messages/", name="message-mails", calls=("api-account",))
@require_POST
@account_page
def message_mails(request: HttpRequest, user: User) -> HttpResponseBase:
    form = MessageMailsForm(user, request.POST)
    if not form.is_valid():
        return account_shown(request, user, form)
    set_message_mails(user=user, choice=form.cleaned_data["message_mails"])
    messages.success(request, _("Your choice is saved."))
    return redirect("account")


@page_at(
    "account/two-factor/",
    name="two-factor",
    no_call="a second factor belongs to the login and is set up by a person with a telephone",
    help="people.md#second-factor",
)
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@account_page
def two_factor(request: HttpRequest, user: User) -> HttpResponseBase:
    """Switching the second factor on and off; a POST does the one action it names."""
    if request.method != "POST":
        return _two_factor_page(request, user)
    action = _ACTIONS.get(request.POST.get("action", ""))
    if action is None:
        raise BadRequest("no such action")
    return action(request, user)


@page_at("account/two-factor/qr.svg", name="two-factor-qr", no_call="the picture of that set-up")
@require_safe
@account_page
def qr_code(request: HttpRequest, user: User) -> HttpResponseBase:
    """The secret for the camera of a phone, while it is being set up in this session."""
    import segno  # slow to load, and only this picture needs it

    app = _app_to_confirm(request, user)
    if app is None:
        raise Http404
    image = io.BytesIO()
    segno.make(app.config_url, error="m").save(image, kind="svg", scale=5, light="#fff")
    return HttpResponse(image.getvalue(), content_type="image/svg+xml")


def _begin(request: HttpRequest, user: User) -> HttpResponseBase:
    """Asks for the password before there is a secret to show: whoever finds an open browser must
    not lock its owner out. For some minutes this session need not ask again."""
    form = PasswordForm(request.POST)
    if not form.is_valid() or not knows_password(request, user, form):
        return _two_factor_page(request, user, form)
    workflow.begin(user=user)
    if app := unconfirmed_app_of(user):
        request.session[_SETUP] = [app.pk, time.time()]
    return redirect("two-factor")


def _cancel(request: HttpRequest, user: User) -> HttpResponseBase:
    if _app_to_confirm(request, user):
        workflow.cancel(user=user)
        del request.session[_SETUP]
    return redirect("two-factor")


def _confirm(request: HttpRequest, user: User) -> HttpResponseBase:
    """The recovery codes are on the answer to this request and nowhere else."""
    if _app_to_confirm(request, user) is None:
        messages.info(request, _("Setup took too long. Start again."))
        return redirect("two-factor")
    form = CodeForm(request.POST)
    if form.is_valid():
        outcome = workflow.confirm(user=user, code=form.cleaned_data["code"])
        if isinstance(outcome, list):
            del request.session[_SETUP]
            update_session_auth_hash(request, user)
            return _two_factor_page(request, user, codes=outcome)
        refuse_code(form, outcome)
    return _two_factor_page(request, user, form)


def _renew(request: HttpRequest, user: User) -> HttpResponseBase:
    form = SecuredForm(request.POST)
    if not _is_secured(request, user, form):
        return _two_factor_page(request, user, form)
    return _two_factor_page(request, user, codes=workflow.new_recovery_codes(user=user))


def _switch_off(request: HttpRequest, user: User) -> HttpResponseBase:
    form = SecuredForm(request.POST)
    if not _is_secured(request, user, form):
        return _two_factor_page(request, user, form)
    workflow.switch_off(user=user)
    messages.success(request, _("You no longer need a code to log in."))
    return redirect("two-factor")


_ACTIONS: dict[str, Callable[[HttpRequest, User], HttpResponseBase]] = {
    "begin": _begin,
    "cancel": _cancel,
    "confirm": _confirm,
    "renew": _renew,
    "off": _switch_off,
}


def _two_factor_page(
    request: HttpRequest,
    user: User,
    form: forms.Form | None = None,
    codes: list[str] | None = None,
) -> HttpResponse:
    has_app, new = app_of(user) is not None, _app_to_confirm(request, user)
    usual = SecuredForm if has_app else CodeForm if new else PasswordForm
    context = {
        "has_app": has_app,
        "secret": new and _secret(new),
        "form": form or usual(),
        "codes": codes,
        "codes_left": recovery_codes_left(user),
    }
    return page_with_forms(request, "access/two_factor.html", context)


def _app_to_confirm(request: HttpRequest, user: User) -> TOTPDevice | None:
    """The app that is being set up in this session, whose password was given a moment ago."""
    begun, at = request.session.get(_SETUP, (None, 0.0))
    app = unconfirmed_app_of(user)
    is_here = app is not None and app.pk == begun and time.time() - at < SETUP_SECONDS
    return app if is_here else None


def _secret(app: TOTPDevice) -> str:
    text = b32encode(app.bin_key).decode()
    return " ".join(text[place : place + 4] for place in range(0, len(text), 4))


def _is_secured(request: HttpRequest, user: User, form: SecuredForm) -> bool:
    """Whether password and code are right; says on the form what is not."""
    if not form.is_valid() or not knows_password(request, user, form):
        return False
    verdict = verify_code(request, user, form.cleaned_data["code"])
    if verdict is not workflow.CodeCheck.RIGHT:
        refuse_code(form, verdict)
    return verdict is workflow.CodeCheck.RIGHT


def knows_password(request: HttpRequest, user: User, form: forms.Form) -> bool:
    """Asked as at the login, so that too many wrong ones lock the account."""
    password = form.cleaned_data["password"]
    if authenticate(request, username=user.username, password=password) != user:
        form.add_error("password", _("The password is wrong."))
        return False
    return True


def password_asked(request: HttpRequest, user: User) -> HttpResponse | None:
    """A page that asks for the password and sends the request again; None where it is in there."""
    is_there = "password" in request.POST
    form = PasswordForm(request.POST if is_there else None)
    if form.is_valid() and knows_password(request, user, form):
        return None
    sent = [(name, value) for name, values in request.POST.lists() for value in values]
    again = [each for each in sent if each[0] not in {"password", "csrfmiddlewaretoken"}]
    return render(request, "access/confirmation.html", {"form": form, "again": again}, status=422)


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
    names = ("name", "scopes", "campaign", "days")
    _token, key = make_token(user=user, **{name: form.cleaned_data[name] for name in names})
    return account_shown(request, user, key=key)


@page_at("account/tokens/<int:token_id>/revoke/", name="token-revoke", calls=("api-token",))
@require_POST
@sensitive_post_parameters()
@account_page
def revoke(request: HttpRequest, user: User, token_id: int) -> HttpResponseBase:
    token = get_object_or_404(ApiToken, user=user, pk=token_id)
    if response := password_asked(request, user):
        return response
    revoke_token(token=token)
    messages.success(request, _("The token is revoked."))
    return redirect("account")
