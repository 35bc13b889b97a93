"""Logging in, with a code where the person has asked for one, and passwords.

The password alone opens nothing then: the session holds no more than whose code it waits for.
"""

import time
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from tasks.access.forms import CodeForm, GuardedPasswordChangeForm, NewPasswordForm, ResetByMailForm
from tasks.access.guards.logins import (
    BACKEND,
    let_in_again,
    remember_device,
    says_when_to_try_again,
    verify_code,
)
from tasks.access.guards.pages import account_page, user_page
from tasks.access.queries import app_of
from tasks.access.workflow import CodeCheck
from tasks.models import User
from tasks.web.addresses import page_at

PENDING_SECONDS = 300
_PENDING = "pending_login"


@method_decorator(says_when_to_try_again, name="dispatch")
class LoginView(auth.LoginView):
    """The password. Who has a second factor goes on to it unsigned."""

    template_name = "access/login.html"
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        assert isinstance(user, User)  # noqa: S101 - the only kind there is
        if app_of(user) is None:
            return remember_device(self.request, super().form_valid(form), user)
        self.request.session[_PENDING] = {"user": user.pk, "since": time.time()}
        self.request.session.cycle_key()
        address = self.get_redirect_url()
        query = f"?{urlencode({'next': address})}" if address else ""
        return redirect(reverse("login-code") + query)

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        return super().get_context_data(sends_mail=settings.SENDS_MAIL, **kwargs)


@page_at(
    "login/code/",
    name="login-code",
    no_call="programs bring a token",
    help="people.md#second-factor",
)
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
@says_when_to_try_again
def code(request: HttpRequest) -> HttpResponseBase:
    user = _pending_user(request)
    if user is None:
        messages.error(request, _("Please log in with your password first."))
        return redirect("login")
    form = CodeForm(request.POST or None)
    if form.is_valid():
        verdict = verify_code(request, user, form.cleaned_data["code"])
        if verdict is CodeCheck.RIGHT:
            return _signed_in(request, user)
        refuse_code(form, verdict)
    context = {"form": form, "next": _next(request)}
    return render(request, "access/code.html", context, status=422 if form.is_bound else 200)


@require_safe
def operators_login(request: HttpRequest) -> HttpResponseBase:
    """The operators' admin has no login of its own, which would ask for no code."""
    address = _next(request) or reverse("admin:index")
    if not request.user.is_authenticated:
        return redirect(f"{reverse('login')}?{urlencode({'next': address})}")
    if not getattr(request.user, "is_staff", False):
        raise PermissionDenied
    return redirect(address)


def refuse_code(form: CodeForm, verdict: CodeCheck) -> None:
    if verdict is CodeCheck.TOO_SOON:
        form.add_error("code", _("Too many wrong codes. Wait a little, then try again."))
        return
    form.add_error("code", _("The code is wrong or has already been used."))


def _pending_user(request: HttpRequest) -> User | None:
    pending = request.session.get(_PENDING)
    if not pending or time.time() - pending["since"] > PENDING_SECONDS:
        request.session.pop(_PENDING, None)
        return None
    return User.objects.filter(pk=pending["user"], is_active=True).first()


def _signed_in(request: HttpRequest, user: User) -> HttpResponseBase:
    del request.session[_PENDING]
    login(request, user, backend=BACKEND)  # under a new session key
    response = redirect(_next(request) or settings.LOGIN_REDIRECT_URL)
    return remember_device(request, response, user)


def _next(request: HttpRequest) -> str:
    address = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if is_ours else ""


page_at(
    "login/", name="login", no_call="programs bring a token", help="people.md#guessing-passwords"
)(LoginView.as_view())


@page_at(
    "signed-in/",
    name="signed-in",
    no_call="keeps the tabs of a browser in step with the account that is signed in",
)
@require_safe
@user_page
def signed_in(request: HttpRequest, user: User) -> HttpResponse:  # noqa: ARG001 - the guard's
    """The page by which to sign in again for other tabs: the login leads back here.
    They ask for it too, to learn who is signed in and to have a fresh token."""
    return render(request, "access/signed_in.html")


page_at("logout/", name="logout", no_call="a token is revoked, not signed out")(
    auth.LogoutView.as_view()
)


class ChangeView(auth.PasswordChangeView):
    """Asks for the old password as at the login, so that it cannot be guessed here either."""

    form_class = GuardedPasswordChangeForm
    template_name = "access/password.html"

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "request": self.request}


class ResetConfirmView(auth.PasswordResetConfirmView):
    """A new password by a link. It also opens an account that guesses have shut."""

    form_class = NewPasswordForm
    template_name = "access/reset_confirm.html"

    def form_valid(self, form: "SetPasswordForm[Any]") -> HttpResponse:
        response = super().form_valid(form)
        assert isinstance(form.user, User)  # noqa: S101 - the only kind there is
        let_in_again(form.user)
        return response


change = account_page(lambda request, _user: ChangeView.as_view()(request))


class ResetView(auth.PasswordResetView):
    """Sends a link, if the site sends mail. The answer is the same for any address."""

    form_class = ResetByMailForm
    template_name = "access/reset.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.SENDS_MAIL:
            raise Http404
        self.extra_email_context = {"request": request}
        return super().dispatch(request, *args, **kwargs)


reset = ResetView.as_view()
reset_sent = auth.PasswordResetDoneView.as_view(template_name="access/reset_sent.html")
reset_confirm = ResetConfirmView.as_view()
reset_complete = auth.PasswordResetCompleteView.as_view(template_name="access/reset_complete.html")

page_at(
    "password/",
    name="password_change",
    no_call="a password belongs to the login and is typed by a person",
)(change)
page_at("password/reset/", name="password_reset", no_call="for who cannot log in")(reset)
page_at(
    "password/reset/sent/", name="password_reset_done", no_call="confirmation that a mail was sent"
)(reset_sent)
page_at(
    "password/reset/done/", name="password_reset_complete", no_call="confirmation of the reset"
)(reset_complete)
page_at(
    "password/reset/<uidb64>/<token>/",
    name="password_reset_confirm",
    no_call="target of a link in a mail",
)(reset_confirm)
page_at("password/changed/", name="password_change_done", no_call="confirmation of the change")(
    auth.PasswordChangeDoneView.as_view(template_name="access/password_changed.html")
)
