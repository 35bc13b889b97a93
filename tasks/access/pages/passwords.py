"""Passwords: changing one's own, and a new one for those who forgot theirs."""

from typing import Any

from django.conf import settings
from django.contrib.auth import views as auth
from django.contrib.auth.forms import SetPasswordForm
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from tasks.access.forms import GuardedPasswordChangeForm, NewPasswordForm, ResetByMailForm
from tasks.access.guards.logins import let_in_again
from tasks.access.guards.pages import account_page
from tasks.models import User
from tasks.web.addresses import page_at


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
