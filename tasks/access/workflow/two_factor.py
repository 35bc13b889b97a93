"""The second factor: codes of an authenticator app (RFC 6238) and recovery codes beside it."""

import re
from enum import Enum, auto

import django_otp
from django.db import transaction
from django.db.models import F
from django_otp.plugins.otp_static.models import StaticToken
from django_otp.util import random_hex

from tasks.access.queries.two_factor import app_of, recovery_of, unconfirmed_app_of
from tasks.access.workflow.notices import Event, notify_owner
from tasks.access.workflow.sessions import forget_sessions
from tasks.models import AuditAction, AuthenticatorApp, OpenSession, RecoveryCodes, User
from tasks.models.sealed.field import seal_texts
from tasks.sealing.codes import hashed
from tasks.storing.acts import record

RECOVERY_CODES = 8
_APP_CODE = re.compile(r"[0-9]{6}")


class CodeCheck(Enum):
    """What became of a code."""

    RIGHT = auto()
    WRONG = auto()
    TOO_SOON = auto()  # after wrong ones each next try has to wait longer, right or not
    UNREADABLE = auto()  # the site has lost the key to what an app's codes are checked with


@transaction.atomic
def begin(*, user: User) -> None:
    """A new secret to put into an app. It protects nothing before it is confirmed."""
    AuthenticatorApp.objects.filter(user=user, confirmed=False).delete()
    if app_of(user) is None:
        app = AuthenticatorApp.objects.create(user=user, name="app", confirmed=False)
        seal_texts(app, sealed_key=random_hex(20))
        app.save(update_fields=["sealed_key"])


def cancel(*, user: User) -> None:
    """Forget a secret that was not confirmed."""
    AuthenticatorApp.objects.filter(user=user, confirmed=False).delete()


def confirm(*, user: User, code: str, kept: OpenSession | None = None) -> list[str] | CodeCheck:
    """Switch on, given a code of the app: the recovery codes, shown this once, or the verdict.

    Whoever else is signed in to the account is signed out; so is the session that is kept, unless
    the view renews it.
    """
    app = unconfirmed_app_of(user)
    verdict = CodeCheck.WRONG if app is None else _verdict(user, app, _plain(code))
    if verdict is not CodeCheck.RIGHT:
        return verdict
    with transaction.atomic():
        AuthenticatorApp.objects.filter(user=user, confirmed=False).update(confirmed=True)
        User.objects.filter(pk=user.pk).update(sign_outs=F("sign_outs") + 1)
        user.refresh_from_db(fields=["sign_outs"])
        forget_sessions(user=user, kept=kept)
        codes = new_recovery_codes(user=user)
        record(AuditAction.SECOND_FACTOR_ON, subject=("account", user.username))
        notify_owner(user=user, event=Event.FACTOR_ON)
        return codes


def verify(*, user: User, code: str) -> CodeCheck:
    """Judge a code of the confirmed app, or a recovery code. No code is right twice."""
    plain = _plain(code)
    device = app_of(user) if _APP_CODE.fullmatch(plain) else recovery_of(user)
    return CodeCheck.WRONG if device is None else _verdict(user, device, plain)


@transaction.atomic
def new_recovery_codes(*, user: User) -> list[str]:
    """Eight codes that each stand in for the app once; earlier ones end."""
    RecoveryCodes.objects.filter(user=user).delete()
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    RecoveryCodes.objects.create(user=user, name="recovery codes", **hashed(codes))
    record(AuditAction.RECOVERY_CODES_MADE, subject=("account", user.username))
    return [f"{code[:4]}-{code[4:]}" for code in codes]


@transaction.atomic
def switch_off(*, user: User) -> None:
    """Forget app and recovery codes."""
    AuthenticatorApp.objects.filter(user=user).delete()
    RecoveryCodes.objects.filter(user=user).delete()
    record(AuditAction.SECOND_FACTOR_OFF, subject=("account", user.username))
    notify_owner(user=user, event=Event.FACTOR_OFF)


def _verdict(user: User, device: AuthenticatorApp | RecoveryCodes, code: str) -> CodeCheck:
    if isinstance(device, AuthenticatorApp) and not device.is_readable:
        return CodeCheck.UNREADABLE
    is_allowed, _reason = device.verify_is_allowed()
    if not is_allowed:
        return CodeCheck.TOO_SOON
    is_right = django_otp.verify_token(user, device.persistent_id, code) is not None
    return CodeCheck.RIGHT if is_right else CodeCheck.WRONG


def _plain(code: str) -> str:
    """Without the gaps that people and apps write."""
    return re.sub(r"[\s-]", "", code).lower()
