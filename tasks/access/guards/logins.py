"""The way to every password and code: so many tries, for accounts that there are and are not.

Whoever guesses from afar can shut the way to an account for a quarter of an hour at a time. They
cannot shut out a browser in which its owner has logged in before: such a browser carries a signed
cookie and has tries of its own, as have its owner's wrong ones. Setting a new password by a link
opens the way at once. Sessions that are open stay open.
"""

import secrets
from functools import wraps
from ipaddress import IPv6Address, ip_address
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.signals import user_logged_in
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import get_language

from tasks.access.workflow import (
    CodeCheck,
    TriedTooOften,
    Tries,
    choose_language,
    forget,
    give_back,
    take,
    verify,
)
from tasks.models import User
from tasks.web.page import View

BACKEND = "django.contrib.auth.backends.ModelBackend"
DEVICE_COOKIE = "known_device"
_SALT = "known device"
_YEAR = 31_536_000


class GuardedBackend(ModelBackend):
    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **_others: Any,
    ) -> User | None:
        """The user. Raises PermissionDenied, so that nothing else is tried, and TriedTooOften."""
        if username is None or password is None:
            return None
        tries = _tries(request, username)
        take(tries=tries)
        user = super().authenticate(request, username=username, password=password)
        if not isinstance(user, User):
            raise PermissionDenied
        give_back(tries=tries)
        return user


def verify_code(request: HttpRequest, user: User, code: str) -> CodeCheck:
    """Judge a code of the second factor, which counts as a password does."""
    tries = _tries(request, user.username)
    take(tries=tries)
    verdict = verify(user=user, code=code)
    if verdict is not CodeCheck.WRONG:
        give_back(tries=tries)
    return verdict


def says_when_to_try_again(page: View) -> View:
    @wraps(page)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return page(request, *args, **kwargs)
        except TriedTooOften as refused:
            context = {"minutes": -(-refused.seconds // 60), "sends_mail": settings.SENDS_MAIL}
            response = render(request, "access/locked.html", context, status=429)
            response["Retry-After"] = str(refused.seconds)
            return response

    return guarded


def remember_device(request: HttpRequest, response: HttpResponse, user: User) -> HttpResponse:
    """The browser in which the user has just logged in keeps tries of its own."""
    nonce = _known_device(request, user) or secrets.token_urlsafe(12)
    response.set_cookie(
        DEVICE_COOKIE,
        signing.dumps([user.pk, nonce], salt=_SALT),
        max_age=_YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@receiver(user_logged_in)
def note_language(user: User, **_others: object) -> None:
    """Until the user chooses a language, their mails are in that of the first login's page."""
    if not user.language:
        choose_language(user=user, language=get_language() or settings.LANGUAGE_CODE)


def let_in_again(user: User) -> None:
    """Somebody who may set the account's password has done so."""
    forget(tries=_of_account(user.username))


def _tries(request: HttpRequest | None, username: str) -> list[Tries]:
    """The counter that a try for this name adds to."""
    if request is None:
        return [_of_account(username)]
    user = User.objects.filter(username=username).first() if _cookie(request) else None
    if user is not None and (nonce := _known_device(request, user)):
        return [Tries("browser", nonce, settings.LOGIN_TRIES)]
    network = client_network(request)
    most = settings.LOGIN_TRIES_PER_ADDRESS
    shared = [Tries("address", network, most, renews=False)] if network else []
    return [*shared, _of_account(username)]


def _of_account(username: str) -> Tries:
    return Tries("account", username, settings.LOGIN_TRIES)


def _known_device(request: HttpRequest, user: User) -> str | None:
    """The name that the cookie gives this browser, if this user has logged in there."""
    cookie = _cookie(request)
    return cookie[1] if cookie and cookie[0] == user.pk else None


def _cookie(request: HttpRequest) -> list[Any] | None:
    try:
        text = request.COOKIES.get(DEVICE_COOKIE, "")
        entries: list[Any] = signing.loads(text, salt=_SALT, max_age=_YEAR)
    except signing.BadSignature:
        return None
    return entries


_IPV6_BITS_OF_A_NETWORK = 64


def client_network(request: HttpRequest) -> str | None:
    """The caller's IPv4 address, or the network of their IPv6 address, of which one caller has all.

    X-Forwarded-For can be written by anybody: only as many entries from its end count as there are
    proxies in front (TRUSTED_PROXIES). None where the address is not known: in production without
    such proxies named, when every request seems to come from the one that ends TLS.
    """
    proxies: int = settings.TRUSTED_PROXIES
    if settings.PRODUCTION and not proxies:
        return None
    passed = request.headers.get("X-Forwarded-For", "").split(",") if proxies else []
    way = [*(each.strip() for each in passed if each.strip()), request.META.get("REMOTE_ADDR", "")]
    return _network(way[max(0, len(way) - 1 - proxies)])


def _network(text: str) -> str | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        shift = 128 - _IPV6_BITS_OF_A_NETWORK
        return str(IPv6Address(int(address) >> shift << shift))
    return str(address)
