"""One way to ask "is it really you?" before what cannot be undone, or opens what stays open.

A page or a call says where it is defined that it asks:

    @page_at("account/tokens/", …)
    @account_page
    @asks_again()
    def make(request, user): …

Who has just shown it in this session, by password or code, is not asked again for ten minutes.
Others see one short form in the place of the answer; it carries along what they sent, which is done
once they have shown it. Who has neither a password nor a second factor here, because something else
signs them in, is not asked: there is nothing to ask for.
"""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from django import forms
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext_lazy as _
from django.views.decorators.debug import sensitive_post_parameters

from tasks.access.guards.logins import says_when_to_try_again, verify_code
from tasks.access.queries.two_factor import app_of
from tasks.access.workflow.two_factor import CodeCheck
from tasks.models import Role, User
from tasks.web.page import page_with_forms

CONFIRMED_SECONDS = 600
_SHOWN = "confirmed"  # in the session: when it was shown by which way
PASSWORD, CODE = "password", "code"
_NOT_SENT_AGAIN = {PASSWORD, CODE, "csrfmiddlewaretoken"}

Page = Callable[..., HttpResponseBase]


class ConfirmationForm(forms.Form):
    """A password, a code, or both: as far as the account has them."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    code = forms.CharField(
        label=_("Code"),
        max_length=20,
        required=False,
        help_text=_("From your authenticator app, or a recovery code."),
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"}
        ),
    )

    def __init__(self, request: HttpRequest, user: User, *, both: bool) -> None:
        sent = {name: request.POST[name] for name in (PASSWORD, CODE) if name in request.POST}
        super().__init__(sent or None)
        self._request, self._user = request, user
        self._ways = ways_of(user)
        self.wants_all = both and len(self._ways) > 1
        for name in {PASSWORD, CODE} - self._ways:
            del self.fields[name]
        self.offers_choice = not both and len(self._ways) > 1

    def clean(self) -> dict[str, Any]:
        """Looks at a code only if the password, where one is given or wanted, is right: a code is
        good once."""
        given = {name for name in self._ways if self.cleaned_data.get(name)}
        wanted = self._ways if self.wants_all else given or {next(iter(self.fields))}
        for name in self.fields:
            if name in wanted and not self.errors:
                self._judge(name, self.cleaned_data.get(name, ""))
        return self.cleaned_data

    def _judge(self, name: str, given: str) -> None:
        if not given:
            self.add_error(name, self.fields[name].error_messages["required"])
            return
        trouble = _TROUBLE[name](self._request, self._user, given)
        if trouble is None:
            note_shown(self._request, name)
        else:
            self.add_error(name, trouble)


def asks_again(
    when: Callable[[HttpRequest], bool] = lambda _request: True, *, both: bool = False
) -> Callable[[Page], Page]:
    """Decorates a page: what is sent there, if `when` says so, is done once it is confirmed.

    `both`: by password and code where the account has both, else by either.
    """

    def decorate(page: Page) -> Page:
        @says_when_to_try_again
        @sensitive_post_parameters(PASSWORD, CODE)
        @wraps(page)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            user = request.user
            if request.method != "POST" or not isinstance(user, User) or not when(request):
                return page(request, *args, **kwargs)
            return _asked(request, user, both=both) or page(request, *args, **kwargs)

        guarded.asks_again = True  # type: ignore[attr-defined]  # `Address.asks_again` reads it
        return guarded

    return decorate


def makes_admin(request: HttpRequest) -> bool:
    """Whether what is sent to a page gives somebody the role of an admin."""
    return request.POST.get("role") == Role.ADMIN


def is_confirmed(request: HttpRequest, user: User, *, both: bool = False) -> bool:
    """Whether it was shown in this session within the last ten minutes, or cannot be."""
    ways = ways_of(user)
    shown: dict[str, float] = request.session.get(_SHOWN, {})
    fresh = {way for way in ways if 0 <= time.time() - shown.get(way, 0.0) < CONFIRMED_SECONDS}
    return fresh == ways if both else bool(fresh) or not ways


def note_shown(request: HttpRequest, way: str) -> None:
    request.session[_SHOWN] = {**request.session.get(_SHOWN, {}), way: time.time()}


def ways_of(user: User) -> set[str]:
    """How the person can show that it is them."""
    has = {PASSWORD: user.has_usable_password(), CODE: app_of(user) is not None}
    return {way for way, there_is in has.items() if there_is}


def _asked(request: HttpRequest, user: User, *, both: bool) -> HttpResponse | None:
    """The form, or None once it is confirmed."""
    if is_confirmed(request, user, both=both):
        return None
    form = ConfirmationForm(request, user, both=both)
    if form.is_valid():
        return None
    sent = [
        (name, value)
        for name, values in request.POST.lists()
        if name not in _NOT_SENT_AGAIN
        for value in values
    ]
    context = {"form": form, "sent": sent}
    response = page_with_forms(request, "access/confirm.html", context)
    response.status_code = 422
    return response


def trouble_with_password(request: HttpRequest, user: User, given: str) -> Any:
    """Judged as at the login, so that too many wrong ones lock the account."""
    is_right = authenticate(request, username=user.username, password=given) == user
    return None if is_right else _("This is not your password.")


def _trouble_with_code(request: HttpRequest, user: User, given: str) -> Any:
    return trouble_with(verify_code(request, user, given))


def trouble_with(verdict: CodeCheck) -> Any:
    """What to say of a code; None of one that is right."""
    if verdict is CodeCheck.TOO_SOON:
        return _("Too many wrong codes. Wait a moment, then try again.")
    if verdict is CodeCheck.UNREADABLE:
        return _("The site can no longer check codes of your app.")
    if verdict is CodeCheck.WRONG:
        return _("This code is wrong or has already been used.")
    return None


_TROUBLE = {PASSWORD: trouble_with_password, CODE: _trouble_with_code}
